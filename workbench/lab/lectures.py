"""What a single notebook shows, beside the data: the modules in `data/lectures`."""

from workbench.shipped import shipped

__path__ = [str(shipped("data/lectures"))]
