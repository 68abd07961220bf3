// A drill: all questions are in the page, each with what every choice costs.
for (const box of document.querySelectorAll(".wb-drill")) {
  const drill = JSON.parse(box.querySelector("script").textContent), at = name => box.querySelector(name);
  const bySpot = new Map(drill.questions.map(one => [one.spot, one]));
  const chips = cost => (cost / drill.coin).toFixed(2) + " " + drill.unit;
  let answers = [], mine = [], now = null; // of all drills in this browser; of this one
  try { answers = JSON.parse(localStorage.getItem(drill.title)) || []; } catch { /* not remembered */ }
  if (!Array.isArray(answers)) answers = [];
  answers = answers.filter(one => bySpot.has(one.spot));
  const due = () => { // what was missed and comes back now, as in drills.py
    const waits = new Map(), spots = answers.map(one => one.spot);
    if (spots.slice(0, -1).includes(spots.at(-1))) return null;
    answers.forEach((one, n) => {
      const wait = one.right ? drill.later * (waits.get(one.spot)?.wait || 0) : drill.later;
      if (wait) waits.set(one.spot, {spot: one.spot, wait, when: n + 1 + wait});
    });
    const [first] = [...waits.values()].sort((a, b) => a.when - b.when);
    return first && first.when <= answers.length ? bySpot.get(first.spot) : null;
  };
  const fresh = () => { // one of those that were asked least
    const times = one => answers.filter(answer => answer.spot === one.spot).length;
    const least = Math.min(...drill.questions.map(times));
    const some = drill.questions.filter(one => times(one) === least);
    return some[Math.floor(Math.random() * some.length)];
  };
  const ask = () => {
    if (mine.length === drill.of) return end();
    now = due() || fresh();
    at(".wb-head").textContent = `Question ${mine.length + 1} of ${drill.of}`;
    at(".asked").innerHTML = now.html;
    at(".said").textContent = "";
    at(".next").hidden = at(".end").hidden = true;
    at(".moves").replaceChildren(...now.choices.map(choice => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = choice.label;
      button.addEventListener("click", () => say(choice));
      return button;
    }));
    at(".moves button").focus({preventScroll: true});
  };
  const say = choice => {
    if (!now) return;
    const right = !choice.cost;
    at(".said").textContent = (right ? "✓ " : "✗ ") + choice.said;
    at(".said").className = "said " + (right ? "wb-good" : "wb-bad");
    mine.push({...now, ...choice});
    answers.push({spot: now.spot, right});
    try { localStorage.setItem(drill.title, JSON.stringify(answers.slice(-1000))); } catch { /* nowhere */ }
    now = null;
    for (const button of at(".moves").children) button.disabled = true;
    at(".next").textContent = mine.length < drill.of ? "Next question" : "How was it?";
    at(".next").hidden = false;
    at(".next").focus({preventScroll: true});
  };
  const end = () => {
    const missed = mine.filter(one => one.cost).sort((a, b) => b.cost - a.cost);
    const cost = missed.reduce((sum, one) => sum + one.cost, 0);
    at(".wb-head").textContent = `${drill.of - missed.length} of ${drill.of} right, ${chips(cost)} given away`;
    at(".missed").replaceChildren(...missed.map(one => {
      const line = document.createElement("p");
      line.textContent = `${one.spot}: ${one.move} instead of ${one.best}, ${chips(one.cost)}`;
      return line;
    }));
    for (const cell of box.querySelectorAll("[data-hand]")) {
      const held = mine.filter(one => String(one.hand) === cell.dataset.hand);
      const lost = held.reduce((sum, one) => sum + one.cost, 0);
      cell.className = !held.length ? "wb-quiet" : lost ? "wb-bad" : "wb-good";
      cell.lastChild.textContent = !held.length ? "\u00a0" : lost ? (lost / drill.coin).toFixed(2) : "✓";
    }
    for (const name of [".asked", ".moves", ".said"]) at(name).replaceChildren();
    at(".end").hidden = false;
    at(".next").textContent = "Another drill";
    mine = [];
  };
  at(".next").addEventListener("click", ask);
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase(), place = now ? now.choices.findIndex(one => one.key === key) : -1;
    const button = at(".moves").children[place < 0 ? Number(key) - 1 : place];
    if (now && button) button.click();
    else if (!now && key === "n") at(".next").click();
  });
  ask();
}
