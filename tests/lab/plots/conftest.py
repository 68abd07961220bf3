"""Games to draw, and a clean slate: no test leaves a figure or a changed setting behind."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _clean_slate():
    before = dict(mpl.rcParams)
    yield
    assert dict(mpl.rcParams) == before, "a plot changed matplotlib's settings"
    plt.close("all")
