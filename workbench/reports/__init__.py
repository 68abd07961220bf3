"""Pages to hand out: one self-contained HTML file each, readable without a kernel or a network."""
