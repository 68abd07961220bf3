"""The README shows every panel that is photographed, in words, too."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from tests.screenshots import LARGEST, PANELS, TARGET


@pytest.mark.parametrize("name", PANELS)
def test_the_readme_shows_the_panel(name: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    words = re.findall(rf"!\[([^\]]*)\]\(data/pictures/{name}\.png\)", readme)
    assert [len(one) > 100 for one in words] == [True], "one picture, and words for it"
    assert (TARGET / f"{name}.png").stat().st_size < LARGEST
