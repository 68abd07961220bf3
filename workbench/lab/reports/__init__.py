"""Pages to hand out: one self-contained HTML file each, readable without a kernel or a network.

`write_report` turns an executed notebook, a folder of notebooks (a course) or a run into pages;
`workbench report` is the same from a shell.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
