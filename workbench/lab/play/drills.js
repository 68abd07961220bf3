// A drill: its questions stand in the box, and what every answer costs; they are asked as drills.py asks them.
for (const box of document.querySelectorAll("[data-drill]:not(.live)")) {
  const { name, of, later, coin, unit, hands, choices } = JSON.parse(box.dataset.drill), alone = box.matches(".alone");
  const [head, said, moves, missed] = box.querySelectorAll(".wb-head, .said, .moves, .missed");
  let deck = hands.map((_, k) => [k, 0]), given = []; // [question, behind how many it was put]; [question, choice] of this drill
  try { ({ deck, given } = JSON.parse(localStorage.getItem(name)) ?? { deck, given }); } catch { /* it starts anew */ }
  const show = (text, question, buttons, verdict = "") => {
    const focused = alone || box.contains(document.activeElement);
    head.textContent = text;
    said.textContent = verdict;
    box.classList.toggle("over", question === null);
    box.querySelectorAll(".question").forEach((one, k) => one.classList.toggle("now", k === question));
    moves.replaceChildren(...buttons.map(([label, keys, press]) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      button.dataset.keys = keys;
      button.onclick = event => { if (event.detail < 2) press(); }; // the second of two clicks was meant for the first
      return button;
    }));
    if (focused) moves.firstChild.focus({ preventScroll: true });
  };
  const ask = () => {
    if (given.length >= of) return end();
    const [[question]] = deck, buttons = choices[question].map(({ label, key }, k) => [label, key + (k + 1), () => answer(k)]);
    show(`Question ${given.length + 1} of ${of}`, question, buttons);
  };
  const answer = k => {
    const [question, before] = deck.shift(), choice = choices[question][k], wait = choice.cost ? later : later * before;
    deck.splice(wait ? wait + deck.slice(0, wait).filter(([, back]) => back).length : deck.length, 0, [question, wait]);
    given.push([question, k]);
    try { localStorage.setItem(name, JSON.stringify({ deck, given })); } catch { /* nowhere to write */ }
    said.className = choice.cost ? "said wb-bad" : "said wb-good";
    show(head.textContent, question, [["Next", "n", ask]], (choice.cost ? "✗ " : "✓ ") + choice.said);
  };
  const end = () => {
    const all = given.map(([question, k]) => choices[question][k]), wrong = new Map();
    const number = cost => (cost / coin).toFixed(2), lost = all.reduce((sum, one) => sum + one.cost, 0);
    for (const one of all) if (one.cost) wrong.set(one, (wrong.get(one) ?? 0) + 1);
    const dearest = [...wrong].sort(([a, n], [b, m]) => b.cost * m - a.cost * n);
    const lines = dearest.map(([one, times]) => `${times} × ${number(one.cost)} ${unit}: ${one.missed}`);
    missed.replaceChildren(...lines.map(line => Object.assign(document.createElement("li"), { textContent: line })));
    box.querySelectorAll(".wb-hands td").forEach((cell, hand) => {
      const costs = all.filter((_, n) => hands[given[n][0]] === hand).map(one => one.cost), most = Math.max(...costs);
      cell.className = costs.length ? (most ? "wb-bad" : "wb-good") : "wb-quiet";
      cell.lastChild.textContent = costs.length ? (most ? number(most) : "✓") : "";
    });
    const right = all.filter(one => !one.cost).length, again = () => { given = []; ask(); };
    show(`${right} of ${all.length} right, ${number(lost)} ${unit} given away`, null, [["Another drill", "n", again]]);
  };
  window.addEventListener("keydown", event => { // before JupyterLab hears it, where b inserts a cell
    if (!(alone || box.contains(event.target)) || event.ctrlKey || event.metaKey || event.altKey || event.key.length > 1) return;
    event.stopPropagation();
    [...moves.children].find(one => one.dataset.keys.includes(event.key.toLowerCase()))?.click();
  }, true);
  box.classList.add("live");
  ask();
}
