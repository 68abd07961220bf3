"""Reports as files: `write_report(notebook, folder of notebooks, or run, path)`.

    wb.write_report("notebooks/03-what-does-abstraction-cost.ipynb", "abstraction.html")
    wb.write_report(wb.solve(wb.load_game("leduc")), "leduc.html")
    wb.write_report("notebooks", "course")

A notebook is taken as it was saved; nothing is executed unless `execute=True` asks for it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, fields, is_dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.files import write_named
from workbench.lab.reports.notebook import Body, Link, notebook_body
from workbench.lab.reports.page import page
from workbench.rules import GameError

if TYPE_CHECKING:
    from workbench.runs.run import Run


@dataclass(frozen=True)
class Report:
    """What was written, and what its maker should know about it."""

    path: Path  # of the page, or of the first page of a course
    size: int  # bytes, of all pages together
    pages: int = 1
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        pages = f"{self.pages} pages, " if self.pages > 1 else ""
        return f"{self.path} ({pages}{max(1, round(self.size / 1000)):,} kB)"


def write_report(
    source: Run | str | Path, path: str | Path | None = None, *, execute: bool = False
) -> Report:
    """Write a page about a run or a notebook, or pages for a folder of notebooks.

    path: a file, or a folder for a course; without it, named after the source, in this folder.
    execute: run the notebook first, from top to bottom; the notebook's own file is not changed.
    """
    if not isinstance(source, str | Path):
        from workbench.lab.reports.runs import run_page

        text = run_page(source)
        return save(_a_file(path, f"{run_name(source)}.html"), text)
    origin = Path(source)
    if origin.is_dir():
        from workbench.lab.reports.course import write_course

        return write_course(origin, _a_folder(path, origin), execute=execute)
    notebook = read_notebook(origin)
    target = _a_file(path, f"{origin.stem}.html", origin)  # better now than after the work
    if execute:
        from workbench.lab.reports.executing import execute_notebook

        execute_notebook(notebook, origin)
    text, notes = notebook_page(notebook, origin)
    return save(target, text, notes)


def read_notebook(path: Path) -> Any:
    """The notebook in a file, in the current format."""
    import nbformat

    if not path.is_file():
        known = sorted(each.name for each in path.absolute().parent.glob("*.ipynb"))
        there = (
            f"; there are {', '.join(known[:5])}{' …' if len(known) > 5 else ''}" if known else ""
        )
        raise GameError(f"there is no notebook {path}{there}")
    try:
        return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    except Exception as error:  # not JSON, or not a notebook: nbformat has many words for it
        raise GameError(f"{path} is not a notebook: {str(error).splitlines()[0]}") from error


def notebook_page(
    notebook: Any, path: Path, *, link: Link | None = None, around: str = ""
) -> tuple[str, tuple[str, ...]]:
    """The page of a notebook, and notes about it. around: links to neighbouring pages."""
    more = {} if link is None else {"link": link}
    body = notebook_body(notebook, path.parent, **more)
    notes = [*body.maths.notes, *_summed(body)]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    if cells and not any(cell.outputs for cell in cells):
        notes.insert(0, "no cell has an output; run the notebook and save it, or add --run")
    html = "".join(body.html)
    title = title_of(notebook, path)
    if not html.lstrip().startswith("<h1"):
        html = f"<h1>{escape(title)}</h1>\n{html}"
    ending = f"From the notebook {escape(path.name)}"
    text = page(
        title,
        body.maths.put_back(html),
        contents=body.outline.headings,
        path=around,
        ending=ending,
        foldable=bool(cells),
    )
    return body.maths.put_back(text), tuple(notes)


def title_of(notebook: Any, path: Path) -> str:
    """The first heading, or the file's name."""
    for cell in notebook.cells:
        found = cell.cell_type == "markdown" and re.search(r"^#\s+(.+)$", cell.source, re.MULTILINE)
        if found:
            return re.sub(r"[*`$]", "", found[1]).strip()
    return path.stem.replace("-", " ")


def _a_file(path: str | Path | None, usual: str, source: Path | None = None) -> Path:
    """Where a page goes: to a file that is no notebook, least of all the one it is made from."""
    target = Path(path or usual)
    if target.is_dir():
        raise GameError(f"{target} is a folder; name a file, such as {target / usual}")
    if not target.absolute().parent.is_dir():
        raise GameError(f"there is no folder {target.parent} for {target.name}")
    same = source is not None and target.exists() and target.samefile(source)
    if same or target.suffix.lower() == ".ipynb":
        what = "the notebook itself" if same else "the name of a notebook"
        raise GameError(f"{target} is {what}; a report is a page, such as {usual}")
    return target


def _a_folder(path: str | Path | None, source: Path) -> Path:
    """Where the pages of a folder of notebooks go."""
    target = Path(path or "course")
    if not target.is_dir() and (target.exists() or target.suffix.lower() in (".html", ".ipynb")):
        raise GameError(
            f"{target} is the name of a file; {source} is a folder of notebooks, "
            "whose pages need a folder, such as course"
        )
    return target


def save(path: Path, text: str, notes: tuple[str, ...] = ()) -> Report:
    """Write a page, whole or not at all."""
    data = text.encode("utf-8")
    write_named(path, data)
    return Report(path, len(data), notes=notes)


def _summed(body: Body) -> list[str]:
    """Notes, with those about pictures that lack a description as one."""
    undescribed = [note for note in body.notes if note.endswith("no description of its own")]
    others = Counter(note for note in body.notes if note not in undescribed)
    notes = [f"{note} ({count} times)" if count > 1 else note for note, count in others.items()]
    if undescribed:
        notes.append(
            f"{len(undescribed)} of {body.pictures} pictures have no description of their own; "
            "the takeaway below them stands in for it. Run the notebook again to get one"
        )
    return notes


def run_name(run: Run) -> str:
    """A name for a run's file: all that people choose, so that no run overwrites another.

    >>> import workbench as wb
    >>> run_name(wb.solve(wb.load_game("kuhn", cards=4), wb.solvers.DCFR(alpha=2.0), 30))
    'kuhn-cards-4-dcfr-alpha-2.0-30-seed-0'
    """
    within = f"-{run.abstraction.name}" if run.abstraction else ""
    solver: Any = run.solver
    usual = {field.name: field.default for field in fields(solver)} if is_dataclass(solver) else {}
    settings = "".join(
        f"-{name}-{value}"
        for name, value in vars(solver).items()
        if not name.startswith("_") and (name not in usual or value != usual[name])
    )
    work = "" if solver.exact else f"-{run.iterations}-seed-{run.seed}"
    name = f"{run.tree.name}{within}-{solver.name}{settings}{work}"
    return re.sub(r"-*[^\w+.-]+-*", "-", name).strip("-")
