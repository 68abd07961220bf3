// A card table in a page: any game, from the arrays that `table_page.py` has packed into it.
for (const box of document.querySelectorAll("[data-table]")) {
  const at = name => box.querySelector("." + name);
  const seed = Number(/\bseed=(\d+)/.exec(location.hash)?.[1] ?? crypto.getRandomValues(new Uint32Array(1))[0] % 1e6);
  const past = [];  // hands that are over
  let game, seat, h, log, taken, chance, others;  // of the hand that is on: history, lines, choices

  const unpack = async text => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const dice = (...key) => {  // the same numbers for the same key: mulberry32
    let state = key.reduce((sum, part) => Math.imul(sum ^ part, 0x9e3779b1) ^ (sum >>> 15), 0x2545f491);
    return () => {
      state = state + 0x6d2b79f5 | 0;
      let mixed = Math.imul(state ^ state >>> 15, 1 | state);
      mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
      return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
    };
  };
  const add = (parent, tag, text) => {
    const made = parent.appendChild(document.createElement(tag));
    made.textContent = text;
    return made;
  };
  const number = (value, sign = true) => {  // as words.py writes it: two digits, halves to even
    const x = value / game.coin, half = Math.abs(x * 8 % 2) === 1;
    const text = Math.abs(half ? 2 * Math.round(x * 50) / 100 : x).toFixed(2);
    return (text === "0.00" ? "" : x < 0 ? "−" : sign ? "+" : "") + text;
  };
  const sum = name => past.reduce((total, hand) => total + hand[name], 0);

  // ---- playing
  const draw = (weight, random) => {  // a history below h
    const below = [];
    for (let child = game.first[h]; child < game.first[h + 1]; child++) below.push([child, weight(child)]);
    let left = random() * below.reduce((total, [, some]) => total + some, 0);
    for (const [child, some] of below) if (some > 0 && (h = child, left -= some) < 0) break;
    arrive();
  };
  const arrive = () => { log.push(...game.texts[game.told[seat][h]].split("\n").filter(Boolean)); };
  const deal = () => {
    seat = game.seat ?? past.length % game.players;
    [h, log, taken] = [0, [], []];
    [chance, ...others] = game.names.map((name, player) => dice(seed, past.length, player));
    arrive();
    go();
  };
  const go = () => {  // up to the next question, or to the end
    while (game.first[h] < game.first[h + 1]) {
      const infoset = game.infoset[h];
      if (infoset < 0) { draw(child => game.chance[child], chance); continue; }
      const player = (game.owner[infoset] - seat + game.players) % game.players - 1;
      if (player < 0) return show();
      draw(child => game.others[player][game.choice[child]] * game.chance[child], others[player]);
    }
    const cost = taken.reduce((total, choice) => total + game.cost[choice], 0);
    const [, , , , , , said, payoff] = game.scenes[game.scene[seat][h]];
    past.push({end: h, seat, taken, payoff, cost, value: game.value[seat], luck: payoff - game.value[seat] + cost, said, log});
    show();
    box.dispatchEvent(new CustomEvent("hand", {detail: past.at(-1)}));
  };
  const choose = choice => {
    taken.push(choice);
    draw(child => game.choice[child] === choice ? game.chance[child] : 0, chance);
    go();
  };

  // ---- showing
  const show = (open = false) => {
    const [closed, middle, stake, mine, all, line] = game.scenes[game.scene[seat][h]];
    const over = game.first[h] === game.first[h + 1], last = past.at(-1);
    const parts = [open ? all : closed, middle, stake, mine].map(list => list.map(piece => game.pieces[piece]).join(""));
    at("felt").innerHTML = game.felt.map((frame, k) => frame + (parts[k] ?? "")).join("")
      .replace(/\ue000(\d+);/g, (_, card) => game.cards[card]);
    at("score").textContent = `Hand ${past.length + !over} · ${game.begin[seat]} · score ${number(sum("payoff"))} ${game.unit} · seed ${seed}`;
    at("wb-now").textContent = over ? [...log.slice(-1), line].join(". ") + "." : `${line}. Your move?`;
    at("wb-log").replaceChildren();
    for (const text of log) add(at("wb-log"), "li", text);
    const buttons = [];
    const offer = (label, keys, press, kind = "") => buttons.push([label, keys, press, kind]);
    if (over) {
      offer("Next hand", "n", deal, "main");
      if (String(closed) !== String(all) && !open) offer("Show cards", "s", () => show(true));
    } else {
      const infoset = game.infoset[h], low = game.firstChoice[infoset];
      for (let choice = low; choice < game.firstChoice[infoset + 1]; choice++) {
        const [label, key] = game.moves[game.move[choice]];
        offer(label, key + (choice - low + 1), () => choose(choice), "main");
      }
      offer("Hint", "h", () => { at("wb-now").textContent = game.hint[infoset]; });
    }
    at("moves").replaceChildren();
    for (const [label, keys, press, kind] of buttons) {
      const button = Object.assign(add(at("moves"), "button", label), {type: "button", className: kind});
      button.dataset.keys = keys;
      button.addEventListener("click", event => { if (event.detail < 2) press(); });  // the second of two was meant for the first
    }
    at("moves").firstChild.focus({preventScroll: true});
    if (over && !open) judge(last);
    at("judged").hidden = !over;
  };
  const judge = hand => {
    at("judged").replaceChildren();
    add(at("judged"), "div", "What it cost").className = "wb-head";
    add(at("judged"), "p", `${hand.said}: ${number(hand.value)} for the seat, ${number(-hand.cost)} for your decisions, ${number(hand.luck)} luck.`);
    const list = add(at("judged"), "ol", "");
    for (const choice of hand.taken) add(list, "li", game.verdict[choice]).className = game.cost[choice] < 0.005 * game.coin ? "wb-good" : "wb-bad";
    if (!hand.taken.length) list.replaceWith("There was nothing to decide.");
    at("wb-tiles").replaceChildren();
    const won = sum("payoff"), luck = sum("luck");
    for (const [value, name] of [[past.length, past.length > 1 ? "hands" : "hand"], [number(won), game.unit + " won"],
      [number(-sum("cost")), "for decisions"], [number(luck), "luck"], [number(won - luck), "without luck"]]) {
      const tile = add(at("wb-tiles"), "div", "");
      add(tile, "b", value);
      add(tile, "span", name);
    }
    const row = document.createElement("tr");
    for (const text of [past.length, hand.seat + 1, number(hand.payoff), number(hand.cost, false), number(hand.luck)]) add(row, "td", text);
    at("past").hidden = false;
    box.querySelector("tbody").prepend(row);
    box.querySelector("tbody tr:nth-child(11)")?.remove();
  };

  const begin = async () => {
    at("start").hidden = true;
    game = await unpack(box.dataset.table);
    at("table").hidden = false;
    deal();
  };
  box.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length > 1) return;
    [...at("moves").children].find(button => button.dataset.keys.includes(event.key.toLowerCase()))?.click();
  });
  at("start").hidden = false;
  at("start").addEventListener("click", begin);
  if ("alone" in box.dataset) begin();
}
