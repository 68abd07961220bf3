"""A picture of a tree whose nodes can be pressed, or walked with the arrow keys.

Over the picture lies a circle for each history. Whoever presses one, or an arrow key while the tree
has the focus (up: one move back; down: the first move; left, right: another move instead), writes
the number of a history into the field with the class `wb-goto` of the same panel, and so tells the
kernel. No other JavaScript is needed, and none of it contains a word of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.lab.html import Html, show
from workbench.lab.plots.png import Picture
from workbench.tree import GameTree

GO = show("""
const at = event.key ? this.dataset['a' + event.key.slice(1)]
  : event.target.closest('[data-history]')?.dataset.history;
const field = this.closest('.wb-panel').querySelector('.wb-goto input');
if (at && field) {
  event.preventDefault();
  window.wbTree = !!event.key;
  field.value = at;
  field.dispatchEvent(new Event('change', {bubbles: true}));
}""")
FOUND = show("""
if (window.wbTree) {
  window.wbTree = false;
  this.ownerSVGElement.querySelector('[aria-current]').focus();
}""")  # after a key: the next one shall find the tree, too


def pressable(tree: GameTree, picture: Picture, places: Mapping[int, Any], here: int) -> Html:
    """The picture as SVG; places: x and y of each history, counted from the lower left."""
    (width, height), nodes = picture.size, []
    for h, (x, y) in places.items():
        now = 'tabindex="0" aria-current="true"' if h == here else 'tabindex="-1"'
        name = show(tree.history_label(h) if h else "the beginning")
        nodes.append(
            f'<g role="button" {now} data-history="{h}" aria-label="Go to {name}">'
            f'<title>{name}</title><circle cx="{x:.1f}" cy="{height - y:.1f}" r="13"/></g>'
        )
    arrows = " ".join(f'data-arrow-{key}="{h}"' for key, h in _around(tree, here).items())
    return Html(
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="group" '
        f'aria-label="{show(picture.words)}" data-lm-suppress-shortcuts="true" {arrows} '
        f'onclick="{GO}" onkeydown="{GO}"><image width="{width}" height="{height}" '
        f'href="{picture.source}" onload="{FOUND}"/>{"".join(nodes)}</svg>'
    )


def _around(tree: GameTree, history: int) -> dict[str, int]:
    """Where the arrow keys lead."""
    low, high = tree.first_child[history : history + 2].tolist()
    found = {"down": low} if low < high else {}
    if history:
        above = int(tree.parent[history])
        found["up"] = above
        low, high = tree.first_child[above : above + 2].tolist()
        found |= {"left": history - 1} if history > low else {}
        found |= {"right": history + 1} if history + 1 < high else {}
    return found
