"""Games as other programs write them: Gambit, OpenSpiel."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, submod_attrs={"gambit": ["to_efg"], "openspiel": ["from_openspiel"]}
)
