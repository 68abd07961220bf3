"""How large the package is: `python -m tests.sizes` prints files, lines and lines of code.

Code is what is left without docstrings, comments and blank lines. `LATER` are the files of what the
redesign was not asked for: first-order methods, bets of any size, search, models of opponents,
arrays on a GPU, games in files of one's own, and what can be played and looked at in pages.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

LATER = re.compile(
    "workbench/(abstraction/bets|arrays|games/(gambit_text|no_limit_kuhn|own_files)|match_play|"
    "(models|search)/.*|solvers/(array_cfr|egt|fictitious_play|fused_cfr|iterated_.*|smoothing)|"
    "poker/(engine/card_(arrays|smoothing)|response/(flop_arrays|fused)|search/(leaves|thinking)|"
    "strength/(hand|table)_arrays)|lab/(exercises/class_view|play/(drills|minds|studies)|"
    "plots/strategy_grid|reports/(search|table_page)|widgets/(class_view|folder_watch|study_box|"
    "tree_editor)))[.]py|tests/(abstraction/test_bets|games/test_gambit_text|test_match_play|"
    "(models|search)/.*|solvers/test_(arrays|smoothing)|poker/test_(card_smoothing|flop_arrays|"
    "kronecker)|browser/test_(class|drill|grids|table_page)|lab/(test_own_files|play/test_(drills|"
    "minds|studies)|plots/test_strategy_grid|reports/test_table_page|ledger/test_first_order|"
    "widgets/test_(bets_panel|class_view|smoothing_panel)))[.]py"
)
ROOMS = {
    "core": r"workbench/(?!poker/|jamfold/|lab/)", "poker": "workbench/(poker|jamfold)/",
    "lab": "workbench/lab/", "package": "workbench/", "data": "data/",
    "tests": "tests/(?!bench/|claims/)",
}  # fmt: skip
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
SPACE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def code(text: str) -> int:
    """Lines of code."""
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            told.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return len({n for t in tokens if t.type not in SPACE and t.string
                for n in range(t.start[0], t.end[0] + 1)} - told)  # fmt: skip


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[1]
    paths = [path for top in ("workbench", "data", "tests") for path in (root / top).rglob("*.py*")]
    texts = {str(path.relative_to(root)): path for path in paths if path.suffix in (".py", ".pyi")}
    known = {name: path.read_text(encoding="utf-8") for name, path in texts.items()}
    print(f"{'':9}{'files':>6}{'lines':>8}{'code':>8}   without what came later")
    for room, where in ROOMS.items():
        here = {name: text for name, text in known.items() if re.match(where, name)}
        print(f"{room:9}", end="")
        for names in (here, [name for name in here if not LATER.fullmatch(name)]):
            told = [here[name] for name in names]
            numbers = len(told), sum(text.count("\n") for text in told), sum(map(code, told))
            print("{:6,}{:8,}{:8,}   ".format(*numbers), end="")
        print()
