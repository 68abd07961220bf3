"""workbench: games of imperfect information, from rules in plain Python to exact answers.

The public names stand in `__init__.pyi`. Importing this costs nothing: a name brings its file
along when it is first used.
"""

import sys
from importlib import import_module

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

if "IPython" in sys.modules:  # in a notebook, strategies and figures show themselves
    import_module("workbench.lab.notebook").set_up()
