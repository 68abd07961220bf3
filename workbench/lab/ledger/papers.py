"""Everything about a single paper, beside its numbers: the modules in `data/published`."""

from workbench.shipped import shipped

__path__ = [str(shipped("data/published"))]
