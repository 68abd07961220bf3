"""The README shows every panel that is photographed, in words, too."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from tests.screenshots import LARGEST, PANELS, TARGET


@pytest.mark.parametrize("name", PANELS)
def test_the_readme_shows_the_panel(name: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    words = re.search(rf"!\[([^\]]*)\]\(data/pictures/{name}\.png\)", readme)
    assert words and len(words[1]) > 100, "a picture needs words for those who cannot see it"
    assert (TARGET / f"{name}.png").stat().st_size < LARGEST
