"""The command line: what may be asked, and what it does."""
