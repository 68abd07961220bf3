"""The reference: every public name with its signature, its docstring and an example, as pages.

pdoc (https://pdoc.dev) reads and renders them; the templates in `reference/` add ways back to the
course and what everybody needs to read a page. The pages ask no network for anything. A name
whose own docstring has no example is shown with that of its file, which explains the idea.
"""

import inspect
import sys
import warnings
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import workbench as wb
from workbench.lab.reports.page import Page, Report, save

TEMPLATES = Path(__file__).with_name("reference")


@cache
def places() -> dict[str, str]:
    """What people write -> where it is defined: on top, and the groups."""
    found = {f"wb.{name}": getattr(wb, name) for name in dir(wb)}
    groups = {name: one.__name__ for name, one in found.items() if isinstance(one, ModuleType)}
    return {"wb": "workbench", **groups}


def public_names(place: str) -> dict[str, Any]:
    """The functions and classes of one place."""
    module: Any = import_module(places()[place])
    found = {name: getattr(module, name) for name in module.__all__}
    return {
        name: one
        for name, one in found.items()
        if callable(one) and one.__module__.startswith("workbench")
    }


def explained(one: Any) -> str:
    """The docstring; followed by that of its file, if only that has an example."""
    own, file = inspect.getdoc(one) or "", inspect.getdoc(sys.modules[one.__module__]) or ""
    return own if has_example(own) or not file else f"{own}\n\n---\n\n*From its file:* {file}"


def has_example(doc: str) -> bool:
    """A line to type, or an indented block.

    >>> has_example("Add.\\n\\n>>> 1 + 1\\n2"), has_example("Add.\\n\\n    add(1, 1)")
    (True, True)
    """
    return ">>> " in doc or any(
        line.startswith("    ") and not before.strip()
        for before, line in pairwise(doc.splitlines())
    )


def write_reference(target: Path) -> list[Report]:
    """Pages for all places into a folder, and an `index.html` with one line for each name."""
    import pdoc.doc
    import pdoc.render

    pdoc.render.configure(
        docformat="markdown", search=False, show_source=False, template_directory=TEMPLATES
    )
    called = {module: place for place, module in places().items()}
    pdoc.render.env.globals["called"] = called
    modules = {name: pdoc.doc.Module(import_module(name)) for name in called}
    for name, module in modules.items():
        names = public_names(called[name])
        module.members = {key: one for key, one in module.members.items() if key in names}
        for key, member in module.members.items():
            member.docstring = explained(names[key])
    reports = []
    for name, module in modules.items():
        path = target.joinpath(*name.split(".")).with_suffix(".html")
        path.parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():  # about annotations that only a type checker imports
            warnings.simplefilter("ignore")
            reports.append(save(path, pdoc.render.html_module(module, modules)))
    return [*reports, save(target / "index.html", _index())]


def _index() -> str:
    """Each name with the first line of its docstring."""
    lines = ["# Reference: every public name", "", "`import workbench as wb`, then:"]
    for place, module in places().items():
        lines += ["", f"## {place}", ""]
        page = f"{module.replace('.', '/')}.html"
        for name, one in public_names(place).items():
            doc = (inspect.getdoc(one) or "").strip().partition("\n\n")[0]
            first = " ".join(doc.split()).replace("<", "&lt;")
            lines += [f"- [`{place}.{name}`]({page}#{name}) {first}", ""]  # each a paragraph
    made = Page(link=lambda url: url)
    back = '<a href="../index.html">The course</a>'
    body = made.markdown("\n".join(lines))
    return made.render(title="Reference", body=body, path=back, search="../search.html")
