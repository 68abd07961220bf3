// A strategy by lines of betting, all of it in the page: its moves are buttons, its grid is filled.
for (const box of document.querySelectorAll("[data-lines]:not(.live)")) {
  const { names, lines, at, steps } = JSON.parse(box.dataset.lines);
  const figures = [...box.querySelectorAll("figure")], each = names.length > 1 ? 3 : 1;
  const [path, told, moves, cell] = box.querySelectorAll(".path, :scope > p, .moves");
  const percent = share => `${Math.round(100 * share)}\u00a0%`;
  const unpacked = (text, many) => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0)), found = [];
    for (let k = 0; k < bytes.length; k += many + 1) found.push([...bytes.slice(k, k + many + 1)].map(byte => byte / steps));
    return found; // of each cell the moves and, last, how many of its hands come here
  };
  const fill = (figure, acts, cells, text) => {
    figure.hidden = false;
    for (const [k, hand] of figure.querySelectorAll(".hand").entries()) {
      const { best, parts, high, said } = text(cells[k], figure.matches(".few"));
      let sum = 0;
      const stops = parts.map((part, m) => `${acts[m][3]} ${100 * sum}% ${100 * (sum += part)}%`);
      hand.style.backgroundImage = `linear-gradient(90deg, ${stops}, transparent ${100 * sum}%)`;
      hand.style.backgroundSize = `100% ${high ? Math.max(100 * high, 25) : 0}%`;
      hand.classList.toggle("never", !high);
      hand.lastElementChild.textContent = best;
      hand.dataset.name ??= hand.title;
      hand.title = `${hand.dataset.name}: ${said}`;
      hand.tabIndex = k ? -1 : 0;
    }
  };
  const plays = acts => (mix, all) => {
    if (mix[0] > 1) return { best: "", parts: [], high: 0, said: "nobody can hold this here" };
    const share = mix.at(-1), parts = mix.slice(0, -1), most = parts.indexOf(Math.max(...parts));
    const come = share > 1 ? "" : share < 0.005 ? "; hardly ever comes here" : `; ${percent(share)} of its hands come here`;
    const said = parts.map((part, m) => `${acts[m][0]} ${percent(part)}`).join(", ") + come;
    const best = acts.map((act, m) => (all ? parts[m] >= 0.005 : m === most) && `${act[2]} ${Math.round(100 * parts[m])}`);
    return { best: best.filter(Boolean).join(" "), parts, high: share < 0.005 ? 0 : Math.min(share, 1), said };
  };
  const differs = acts => ([first, second]) => {
    if (first[0] > 1) return { best: "", parts: [], high: 0, said: "nobody can hold this here" };
    const more = acts.map((act, m) => second[m] - first[m]), most = more.indexOf(Math.max(...more));
    const said = more.map((part, m) => `${acts[m][0]} ${part < 0 ? "−" : "+"}${percent(Math.abs(part))}`).join(", ");
    const best = more[most] < 0.005 ? "·" : `${acts[most][2]} +${Math.round(100 * more[most])}`;
    return { best, parts: more.map(part => Math.max(part, 0)), high: 1, said: `${names[1]} against ${names[0]}: ${said}` };
  };
  const button = (words, pressed, colour) => {
    const made = document.createElement("button");
    made.textContent = words;
    if (colour) made.style.borderLeft = `0.9em solid ${colour}`;
    made.disabled = !pressed;
    made.onclick = pressed || null;
    return made;
  };
  const show = (trail, focus) => {
    const [line] = trail.at(-1), [player, acts, grids, packed] = lines[line];
    const cells = packed.map(text => unpacked(text, acts.length));
    for (const figure of figures) figure.hidden = true;
    cells.forEach((some, s) => fill(figures[each * grids[s] + s], acts, some, plays(acts)));
    if (each > 1 && grids[0] === grids[1]) fill(figures[each * grids[0] + 2], acts, cells[0].map((some, k) => [some, cells[1][k]]), differs(acts));
    told.textContent = `Player ${player} moves${line ? ` after ${line}` : " first"}. Press a move to go on:`;
    path.replaceChildren(...trail.map(([, words], k) => button(words, k < trail.length - 1 && (() => show(trail.slice(0, k + 1), true)))));
    moves.replaceChildren(...acts.map(([words, then, , colour]) => {
      const ends = then ? (lines[then] ? "" : " (not on this page)") : " (ends the hand)";
      return button(words + ends, !ends && (() => show([...trail, [then, `P${player} ${words}`]], true)), colour);
    }));
    cell.textContent = "Choose a cell to read its numbers.";
    if (focus) (moves.querySelector(":enabled") ?? path.querySelector("button:last-of-type:enabled, :enabled")).focus();
  };
  box.addEventListener("focusin", event => { if (event.target.matches(".hand")) cell.textContent = event.target.title; });
  box.addEventListener("click", event => event.target.closest(".hand")?.focus());
  box.addEventListener("keydown", event => {
    const hand = event.target.closest(".hand"), step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!hand || !step) return;
    const next = hand.closest("table").rows[hand.parentElement.rowIndex + step[0]]?.cells[hand.cellIndex + step[1]];
    event.preventDefault();
    if (!next?.matches(".hand")) return;
    hand.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  const trail = [["", "Start"]];
  for (let line = ""; line !== at;) { // walk to where it begins
    const act = lines[line][1].find(([, then]) => then && at.startsWith(then));
    trail.push([act[1], `P${lines[line][0]} ${act[0]}`]);
    line = act[1];
  }
  box.classList.add("live");
  show(trail, false);
}
