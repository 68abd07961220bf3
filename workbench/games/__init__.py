"""The games of the workbench: a file or a folder each, with all that is special about it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submodules=["toepen"])
