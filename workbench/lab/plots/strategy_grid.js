// A strategy by lines of betting, all of it in the page: its moves are buttons, its grid is filled.
for (const box of document.querySelectorAll("[data-lines]:not(.live)")) {
  const [lines, at] = JSON.parse(box.dataset.lines), grids = [...box.querySelectorAll(".wb-side")], before = {};
  const [path, told, moves, cell] = box.querySelectorAll(".path, :scope > p, .moves");
  for (const [line, [player, acts]] of Object.entries(lines))
    for (const [words, then] of acts) before[then] = [line, `P${player} ${words}`];
  const trail = line => line ? [...trail(before[line][0]), [line, before[line][1]]] : [["", "Start"]];
  const tint = colour => `color-mix(in srgb, ${colour} var(--tint, 90%), var(--jp-layout-color1, #fff))`;
  const button = (words, line, colour) => Object.assign(document.createElement("button"), {
    textContent: words, disabled: line === undefined, onclick: () => show(line, true),
    style: colour && `border-left: 0.9em solid ${tint(colour)}`,
  });
  const fill = (hand, acts, [come, ...parts], differs) => { // in percent: how many of its hands come here, and what they do
    const share = differs ? 100 : come, most = parts.indexOf(Math.max(...parts)), all = !differs && hand.closest(".few"), plus = differs ? "+" : "";
    const shown = acts.map((act, m) => parts[m] > 0 && (all || m === most) ? `${act[2]} ${plus}${parts[m]}` : "").filter(Boolean);
    const said = acts.map((act, m) => `${act[0]} ${parts[m] < 0 ? "−" : plus}${Math.abs(parts[m])}\u00a0%`).join(", ");
    const comes = differs ? "" : share ? `; ${share}\u00a0% of its hands come here` : "; hardly ever comes here";
    let sum = 0;
    const stops = acts.map((act, m) => `${tint(act[3])} ${sum}% ${sum += Math.max(parts[m], 0)}%`);
    hand.style.backgroundImage = `linear-gradient(90deg, ${stops}, transparent ${sum}%)`;
    hand.style.backgroundSize = `100% ${share && Math.max(share, 25)}%`;
    hand.classList.toggle("never", !share);
    hand.lastElementChild.textContent = shown.join(" ") || "·";
    hand.title = `${hand.firstElementChild.textContent}: ${said}${comes}`;
  };
  const show = (line, focus) => {
    const [player, acts, grid, [one, other]] = lines[line];
    const differ = other?.map((cell, k) => cell.map((part, m) => part - one[k][m]));
    grids.forEach((side, k) => { side.hidden = k !== grid; });
    for (const [k, table] of grids[grid].querySelectorAll("table").entries())
      table.querySelectorAll(".hand").forEach((hand, n) => fill(hand, acts, [one, other, differ][k][n], k === 2));
    told.textContent = `Player ${player} moves${line ? ` after ${line}` : " first"}. Press a move to go on:`;
    path.replaceChildren(...trail(line).map(([there, words]) => button(words, there === line ? undefined : there)));
    moves.replaceChildren(...acts.map(([words, then, , colour]) => {
      const ends = then ? (lines[then] ? "" : " (not on this page)") : " (ends the hand)";
      return button(words + ends, ends ? undefined : then, colour);
    }));
    cell.textContent = "Choose a cell to read its numbers.";
    if (focus) (moves.querySelector(":enabled") ?? path.querySelector(":enabled")).focus();
  };
  box.addEventListener("focusin", event => { if (event.target.matches(".hand")) cell.textContent = event.target.title; });
  box.addEventListener("click", event => event.target.closest(".hand")?.focus());
  box.addEventListener("keydown", event => {
    const hand = event.target.closest(".hand"), step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!hand || !step) return;
    event.preventDefault();
    const next = hand.closest("table").rows[hand.parentElement.rowIndex + step[0]]?.cells[hand.cellIndex + step[1]];
    if (next?.matches(".hand")) [hand.tabIndex, next.tabIndex] = [-1, 0];
    next?.focus();
  });
  for (const table of box.querySelectorAll("table")) table.querySelector(".hand").tabIndex = 0;
  box.classList.add("live");
  show(at);
}
