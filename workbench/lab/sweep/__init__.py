"""Many runs, on the cores of one machine or on a Dask cluster."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, submod_attrs={"sweep": ["Sweep", "sweep"]}
)
