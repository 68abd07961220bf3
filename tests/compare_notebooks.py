"""Which numbers of which cells differ between two folders of executed notebooks?

    python -m tests.compare_notebooks BEFORE AFTER

Compared are the numbers in the texts and tables of each cell's outputs, in order, and whether its
figures are the same picture. Seconds and versions differ by nature: cells whose source asks for
them (`perf_counter`, `version(`, `.seconds`) are named, not counted.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

NUMBER = re.compile(r"[-−+]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")
BY_NATURE = ("perf_counter", "version(", "seconds", "platform", "%time")


def shown(cell: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The numbers in a cell's outputs, and its pictures."""
    numbers: list[str] = []
    pictures: list[str] = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        text = output.get("text") or data.get("text/plain") or ""
        page = re.sub(
            r"<style.*?</style>|<[^>]*>", " ", "".join(data.get("text/html", "")), flags=re.S
        )
        for part in ("".join(text), page):
            numbers += NUMBER.findall(re.sub(r"0x[0-9a-f]+|Figure size \S+", "", part))
        pictures += ["".join(value) for kind, value in data.items() if kind.startswith("image/")]
    return numbers, pictures


def compare(before: Path, after: Path) -> int:
    """Print each cell that differs; how many did, other than by nature."""
    differing = 0
    for path in sorted(before.rglob("*.ipynb")):
        other = after / path.relative_to(before)
        cells = [json.loads(p.read_text(encoding="utf-8"))["cells"] for p in (path, other)]
        if len(cells[0]) != len(cells[1]):
            print(f"{path.name}: {len(cells[0])} cells, then {len(cells[1])}")
            differing += 1
        for number, (old, new) in enumerate(zip(*cells, strict=False)):
            (was, drawn), (now, redrawn) = shown(old), shown(new)
            what = ["numbers"] if was != now else []
            what += ["pictures"] if drawn != redrawn else []
            if what:
                source = "".join(new["source"])
                natural = any(word in source for word in BY_NATURE)
                differing += not natural
                pairs = [(a, b) for a, b in zip(was, now, strict=False) if a != b]
                print(
                    f"{path.parent.name}/{path.name[:24]} cell {number}: {' and '.join(what)} "
                    f"{'(by nature) ' if natural else ''}{pairs[:4]} {len(was)}/{len(now)}"
                )
    return differing


if __name__ == "__main__":
    found = compare(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{found} cells differ")
    sys.exit(found > 0)
