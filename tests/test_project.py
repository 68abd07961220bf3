"""The files around the package tell the truth: set-up, licence and README."""

import re
import tomllib

import pytest
import yaml
from PIL import Image

import workbench as wb
from tests import house
from tests.conftest import ROOT
from tests.screenshots import LARGEST, PANELS, TARGET
from tests.test_public_names import GROUPS
from workbench._version import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# A python block directly followed by a text block: the second is what the first prints.
TOUR = re.compile(r"^```python\n(.*?)^```\n\s*^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def bounds_of(requirements):
    """{"numpy": "2.0"} from ["numpy>=2.0"]; every requirement must have a lower bound."""
    bounds = {}
    for requirement in requirements:
        match = re.fullmatch(r"([\w.\-\[\]]+)>=([0-9.]+(?:,<[0-9.]+)?)(?:;.*)?", requirement)
        assert match, f"{requirement!r} should read name>=version"
        bounds[match[1].lower()] = match[2]
    return bounds


def test_environment_agrees_with_pyproject():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["name"] == PROJECT["project"]["name"]
    by_conda = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    by_pip = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    by_conda.remove("pip")
    cluster = PROJECT["project"]["optional-dependencies"]["cluster"]
    cluster = [one.replace("[distributed]", "") for one in cluster]  # conda's dask has it all
    expected = bounds_of(PROJECT["project"]["dependencies"] + cluster)
    expected["python"] = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert bounds_of(by_conda) == expected
    assert by_pip == [["-e ."]]


def test_every_extra_has_bounds_of():
    extras = PROJECT["project"]["optional-dependencies"]
    assert set(extras) == {"bench", "cluster", "dev", "gpu"}
    for requirements in extras.values():
        assert bounds_of(requirements)


def test_licence_and_changelog_name_what_they_should():
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    assert __version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["Makefile", "environment.yml", "pyproject.toml", ".ci/run"])
def test_set_up_names_no_machine(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"/(home|root|Users|opt|tmp)/|index-url|file://|\.whl", text)


def test_readme_tour_prints_what_it_shows(run_python):
    blocks = TOUR.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert blocks, "the README shows a tour: a python block directly followed by a text block"
    for code, shown in blocks:
        done = run_python("-W", "error", "-c", code)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split("\n") == shown.split("\n")


@pytest.mark.parametrize("room", [wb, *GROUPS.values()])
def test_help_stands_where_one_asks_for_it(room):
    """Shift+Tab cannot show the first lines of a file."""
    for name in dir(room):
        assert "this file" not in (getattr(getattr(room, name), "__doc__", "") or ""), name


@pytest.mark.parametrize("name", PANELS)
def test_the_readme_shows_the_panel(name):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    words = re.findall(rf"!\[([^\]]*)\]\(data/pictures/{name}\.png\)", readme)
    assert [len(one) > 100 for one in words] == [True], "one picture, and words for it"
    assert (TARGET / f"{name}.png").stat().st_size < LARGEST


def test_links_of_the_documents_lead_somewhere():
    for document in ROOT.glob("*.md"):
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text):
            assert (ROOT / target).exists(), f"{document.name} links to {target}"


def test_the_house_is_drawn_as_it_is():
    with Image.open(house.TARGET) as picture:
        drawn = picture.info["Description"]
    assert drawn == house.plan(), "rooms or their imports have changed: python -m tests.house"
