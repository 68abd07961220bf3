"""workbench: games of imperfect information, from rules in plain Python to exact answers.

The public names stand in `__init__.pyi`. Importing this costs nothing: a name brings its file
along when it is first used.
"""

import sys

if sys.argv and sys.argv[0].endswith(("workbench", "-m")):  # the program, which has just begun
    import _signal  # type: ignore[import-not-found]  # without waiting for the enums of `signal`

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # until lab/cli/program.py answers Ctrl-C

from importlib import import_module

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

if "IPython" in sys.modules:  # in a notebook, strategies and figures show themselves
    import_module("workbench.lab.notebook").set_up()
