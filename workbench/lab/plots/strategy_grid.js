// A strategy by lines of betting, all of it in the page: its moves are buttons, its grid is filled.
for (const box of document.querySelectorAll("[data-lines]:not(.live)")) {
  const { lines, at } = JSON.parse(box.dataset.lines), figures = [...box.querySelectorAll("figure")], before = {};
  const each = lines[at][3].length > 1 ? 3 : 1; // figures of a grid: two strategies and their difference
  const [path, told, moves, cell] = box.querySelectorAll(".path, :scope > p, .moves");
  for (const [line, [player, acts]] of Object.entries(lines))
    for (const [words, then] of acts) before[then] = [line, `P${player} ${words}`];
  const trail = line => line ? [...trail(before[line][0]), [line, before[line][1]]] : [["", "Start"]];
  // of each cell the moves, in percent, and last how many of its hands come here
  const fill = (figure, acts, cells, differs) => {
    const sign = part => !differs ? "" : part < 0 ? "−" : "+", all = !differs && figure.matches(".few");
    figure.hidden = false;
    for (const [k, hand] of figure.querySelectorAll(".hand").entries()) {
      const parts = cells[k].slice(0, -1), share = cells[k].at(-1), most = parts.indexOf(Math.max(...parts));
      const shown = acts.map((act, m) => parts[m] > 0 && (all || m === most) ? `${act[2]} ${sign(1)}${parts[m]}` : "");
      const said = acts.map((act, m) => `${act[0]} ${sign(parts[m])}${Math.abs(parts[m])}\u00a0%`).join(", ");
      const come = differs ? "" : share ? `; ${share}\u00a0% of its hands come here` : "; hardly ever comes here";
      let sum = 0;
      const stops = parts.map((part, m) => `${tint(acts[m][3])} ${sum}% ${sum += Math.max(part, 0)}%`);
      hand.style.backgroundImage = `linear-gradient(90deg, ${stops}, transparent ${sum}%)`;
      hand.style.backgroundSize = `100% ${share && Math.max(share, 25)}%`;
      hand.classList.toggle("never", !share);
      hand.lastElementChild.textContent = shown.filter(Boolean).join(" ") || "·";
      hand.dataset.name ??= hand.title;
      hand.title = `${hand.dataset.name}: ${said}${come}`;
      hand.tabIndex = k ? -1 : 0;
    }
  };
  const tint = colour => `color-mix(in srgb, ${colour} var(--tint, 90%), var(--jp-layout-color1, #fff))`;
  const button = (words, line, colour) => {
    const made = document.createElement("button");
    made.textContent = words;
    made.disabled = line === undefined;
    made.onclick = () => show(line, true);
    if (colour) made.style.borderLeft = `0.9em solid ${tint(colour)}`;
    return made;
  };
  const show = (line, focus) => {
    const [player, acts, grid, [one, other]] = lines[line], way = trail(line);
    for (const figure of figures) figure.hidden = true;
    const more = other?.map((cell, k) => [...cell.slice(0, -1).map((part, m) => part - one[k][m]), 100]);
    [one, other, more].slice(0, each).forEach((cells, k) => fill(figures[each * grid + k], acts, cells, k === 2));
    told.textContent = `Player ${player} moves${line ? ` after ${line}` : " first"}. Press a move to go on:`;
    path.replaceChildren(...way.map(([there, words]) => button(words, there === line ? undefined : there)));
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
    if (!next?.matches(".hand")) return;
    [hand.tabIndex, next.tabIndex] = [-1, 0];
    next.focus();
  });
  box.classList.add("live");
  show(at);
}
