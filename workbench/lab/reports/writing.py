"""Reports as files: `write_report(notebook, folder of notebooks, run, or session, path)`.

    wb.write_report("notebooks/lectures/04-what-does-abstraction-cost.ipynb", "abstraction.html")
    wb.write_report(wb.solve(wb.load_game("leduc")), "leduc.html")
    wb.write_report("notebooks", "course")
    wb.write_report(wb.play.Session("leduc", opponent="uniform"), "table.html")  # to be played

A notebook is taken as it was saved; nothing is executed unless `execute=True` asks for it.
"""

from __future__ import annotations

from pathlib import Path

from workbench.files import need_path, need_target
from workbench.games.registry import name_at_table
from workbench.lab.html import Html, framed
from workbench.lab.play.drills import Drill
from workbench.lab.play.session import Session
from workbench.lab.play.studies import Study
from workbench.lab.reports.page import Page, Report, notebook_page, save
from workbench.lab.reports.reading import execute_notebook, read_notebook
from workbench.rules import GameError
from workbench.runs.run import Run


def write_report(
    source: Run | Session | Drill | Study | str | Path,
    path: str | Path | None = None,
    *,
    execute: bool = False,
) -> Report:
    """Write a page about a run, a drill, a study (or its file, *.toml) or a notebook, pages for a
    folder of notebooks, or a card table for the game and the opponents of a session.

    path: a file, or a folder for a course; without it, named after the source, in this folder.
    execute: run the notebook first, from top to bottom; the notebook's own file is not changed.
    """
    if isinstance(source, str | Path) and Path(source).suffix.lower() == ".toml":
        path = f"{Path(source).stem}.html" if path is None else path
        source = Study.load(source)
    if not isinstance(source, str | Path):
        from workbench.lab.reports.runs import file_name, run_name, run_page

        if isinstance(source, Drill):
            target = _a_file(path, f"{file_name(f'drill-{source.rules.name}')[:80]}.html")
            title, made = f"Drill: {source.about}", Page()
            body = made.clean(Html("<h1>{}</h1>{}").format(title, source._repr_html_(alone=True)))
            return save(target, made.render(title=title, body=body))
        if isinstance(source, Study):
            target = _a_file(path, f"{file_name(f'study-{source}')[:80]}.html")
            title, made, of = str(source), Page(), name_at_table(source.rules)
            body = made.clean(Html("<h1>{}</h1>{}").format(title, framed(source.html())))
            return save(target, made.render(title=title, body=body, ending=f"A study of {of}"))
        if isinstance(source, Session):
            target = _a_file(path, f"{file_name(f'table-{source.rules.name}')[:80]}.html")
            title, made = f"Card table: {name_at_table(source.rules)}", Page()
            body = made.clean(Html("<h1>{}</h1>").format(title)) + made.play(source, alone=True)
            return save(target, made.render(title=title, body=body))
        target = _a_file(path, f"{run_name(source)}.html")  # better now than after the work
        return save(target, run_page(source))
    origin = need_path(source, "a notebook")
    if origin.is_dir():
        from workbench.lab.reports.course import write_course

        target = need_path("course" if path is None else path, "a folder")
        name = target.exists() or target.suffix.lower() in (".html", ".ipynb")
        if name and not target.is_dir():
            raise GameError(
                f"{target} is the name of a file; {origin} is a folder of notebooks, "
                "whose pages need a folder, such as course"
            )
        return write_course(origin, target, execute=execute)
    notebook = read_notebook(origin)
    target = _a_file(path, f"{origin.stem}.html", origin)
    if execute:
        execute_notebook(notebook, origin)
    return save(target, *notebook_page(notebook, origin))


def _a_file(path: str | Path | None, usual: str, source: Path | None = None) -> Path:
    """Where a page goes: to a file that is no notebook, least of all the one it is made from."""
    target = need_path(usual if path is None else path)
    if target.is_dir():
        raise GameError(f"{target} is a folder; name a file, such as {target / usual}")
    need_target(target if path is None else path)
    same = source is not None and target.exists() and target.samefile(source)
    if same or target.suffix.lower() == ".ipynb":
        what = "the notebook itself" if same else "the name of a notebook"
        raise GameError(f"{target} is {what}; a report is a page, such as {usual}")
    return target
