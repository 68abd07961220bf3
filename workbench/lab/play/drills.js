// A drill: its questions stand in the box, and what every answer costs; they are asked as drills.py asks them.
for (const box of document.querySelectorAll("[data-drill]:not(.live)")) {
  const { name, of, later, coin, unit, hands, spots, choices } = JSON.parse(box.dataset.drill), offer = movesOf(box, box.matches(".alone"));
  const [head, said, missed] = box.querySelectorAll(".wb-head, .said, .missed"), given = []; // what was answered, in all drills so far
  let deck = hands.map((_, question) => ({ question, back: 0 })); // back: behind how many others it was put
  const take = k => {
    const [{ question, back }, ...rest] = deck, choice = choices[question][k], wait = choice.cost ? later : later * back;
    const place = wait ? wait + rest.slice(0, wait).filter(one => one.back).length : rest.length;
    deck = rest.toSpliced(place, 0, { question, back: wait });
    given.push({ k, question, ...choice });
  };
  const show = (text, verdict, kind, question, ...buttons) => {
    head.textContent = text;
    Object.assign(said, { textContent: verdict, className: `said ${kind}` });
    box.querySelectorAll(".question").forEach((one, k) => one.classList.toggle("now", k === question));
    offer(buttons);
  };
  const ask = () => {
    const { question } = deck[0], title = `Question ${given.length % of + 1} of ${of}`;
    show(title, "Your move?", "", question, ...choices[question].map(({ label, key, cost, said }, k) => [label, key + (k + 1), () => {
      take(k);
      try { localStorage.setItem(name, JSON.stringify(given.map(one => one.k))); } catch { /* nowhere to write */ }
      show(title, (cost ? "✗ " : "✓ ") + said, cost ? "wb-bad" : "wb-good", question, ["Next", "n", given.length % of ? ask : end]);
    }]));
  };
  const end = () => {
    const all = given.slice(-of), wrong = all.filter(one => one.cost), mistakes = {}; // what was misplayed: each time
    const number = cost => (cost / coin).toFixed(2), total = some => some.reduce((sum, { cost }) => sum + cost, 0), lost = number(total(wrong));
    for (const one of wrong) (mistakes[`${number(one.cost)} ${unit}: ${spots[one.question]}: ${one.habit}`] ??= []).push(one);
    const costliest = Object.entries(mistakes).sort(([, a], [, b]) => total(b) - total(a)).map(([text, some]) => `${some.length} × ${text}`);
    missed.replaceChildren(...costliest.map(textContent => Object.assign(document.createElement("li"), { textContent })));
    box.querySelectorAll(".wb-hands td").forEach((cell, hand) => {
      const costs = all.filter(one => hands[one.question] === hand).map(one => one.cost), most = Math.max(...costs);
      cell.className = costs.length ? (most ? "wb-bad" : "wb-good") : "wb-quiet";
      cell.lastChild.textContent = costs.length ? (most ? number(most) : "✓") : "";
    });
    show(`${of - wrong.length} of ${of} right, ${lost} ${unit} given away`, "", "", null, ["Another drill", "n", ask]);
  };
  try { JSON.parse(localStorage.getItem(name)).forEach(k => take(k)); } catch { /* nothing is kept, or it is damaged from here on */ }
  box.classList.add("live");
  if (given.length && given.length % of === 0) end(); else ask();
}
