// A card table in a page: any game, from the arrays that `table_page.py` has packed into it.
for (const box of document.querySelectorAll("[data-table]")) {
  const at = name => box.querySelector("." + name), past = [];  // hands that are over
  const seed = Number(/\bseed=(\d+)/.exec(location.hash)?.[1] ?? Math.floor(Math.random() * 1e6));
  let game, hand;  // the arrays; the hand that is on
  const add = (parent, tag, text, kind = "") => parent.appendChild(Object.assign(document.createElement(tag), {textContent: text, className: kind}));
  const total = (list, value) => list.reduce((sum, one) => sum + value(one), 0), sum = name => total(past, one => one[name]);
  const number = value => {  // as words.py writes it: two digits, halves to even
    const x = value / game.coin, half = Math.abs(x * 8 % 2) === 1;
    const text = Math.abs(half ? 2 * Math.round(x * 50) / 100 : x).toFixed(2);
    return (text === "0.00" ? "" : x < 0 ? "−" : "+") + text;
  };
  const dice = (...key) => {  // the same numbers for the same key (mulberry32)
    let state = key.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e3779b1) ^ mixed >>> 15, 0x2545f491), mixed;
    return () => {
      mixed = Math.imul((state = state + 0x6d2b79f5 | 0) ^ state >>> 15, 1 | state);
      mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
      return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
    };
  };
  const range = (first, k) => Array.from({length: (first[k + 1] ?? 0) - first[k] || 0}, (_, more) => first[k] + more);

  const arrive = h => hand.log.push(...game.texts[game.told[hand.seat][hand.at = h]].split("\n").filter(Boolean));
  const draw = (who, weigh) => {  // go on to a history below, by the dice of chance (0) or of a player
    const children = range(game.first, hand.at).filter(child => weigh(child) > 0);
    let left = hand.dice[who]() * total(children, weigh);
    arrive(children.find(child => (left -= weigh(child)) < 0) ?? children.at(-1));
  };
  const deal = () => {
    hand = {seat: game.seat ?? past.length % game.players, log: [], taken: [], saw: []};
    hand.dice = game.begin.map((_, player) => dice(seed, past.length, player));
    arrive(0);
    go();
  };
  const go = () => {  // up to the next question, or to the end
    const {seat} = hand, value = game.value[seat];
    while (range(game.first, hand.at).length) {
      const infoset = game.infoset[hand.at], player = (game.owner[infoset] - seat + game.players) % game.players;
      if (player === 0) return show();
      if (infoset < 0) draw(0, child => game.chance[child]);
      else draw(player, child => game.others[player - 1][game.choice[child]] * game.chance[child]);
    }
    const cost = total(hand.taken, choice => game.cost[choice]);
    const [said, payoff] = game.scenes[game.scene[seat][hand.at]].slice(6), luck = payoff - value + cost;
    past.push(Object.assign(hand, {payoff, value, cost, luck}));
    hand.summary = `${said}: ${number(value)} for the seat, ${number(-cost)} for your decisions, ${number(luck)} luck.`;
    show();
    judge();
    box.dispatchEvent(new CustomEvent("hand", {detail: hand}));
  };
  const choose = choice => {
    hand.taken.push(choice);
    hand.saw.push(game.scenes[game.scene[hand.seat][hand.at]][5]);
    draw(0, child => game.choice[child] === choice ? game.chance[child] : 0);
    go();
  };

  const show = (open = false) => {
    const [closed, middle, stake, mine, all, line] = game.scenes[game.scene[hand.seat][hand.at]], over = "luck" in hand;
    const parts = [open ? all : closed, middle, stake, mine].map(part => part.map(piece => game.pieces[piece]).join(""));
    at("felt").innerHTML = game.felt.map((frame, k) => frame + (parts[k] ?? "")).join("").replace(/\ue000(\d+);/g, (_, card) => game.cards[card]);
    at("score").textContent = `Hand ${past.length + !over} · ${game.begin[hand.seat]} · score ${number(sum("payoff"))} ${game.unit} · seed ${seed}`;
    at("wb-now").textContent = over ? [...hand.log.slice(-1), line].join(". ") + "." : `${line}. Your move?`;
    at("wb-log").replaceChildren();
    for (const text of hand.log) add(at("wb-log"), "li", text);
    at("judged").hidden = !over;
    const moves = range(game.firstChoice, game.infoset[hand.at]).map((choice, k) => {
      const [label, key] = game.moves[choice];
      return [label, key + (k + 1), () => choose(choice), "main"];
    });
    if (over) moves.push(["Next hand", "n", deal, "main"]);
    else moves.push(["Hint", "h", () => { at("wb-now").textContent = game.hint[game.infoset[hand.at]]; }]);
    if (over && !open && String(closed) !== String(all)) moves.push(["Show cards", "s", () => show(true)]);
    offer(moves);
  };
  const judge = () => {
    at("judged").replaceChildren();
    add(at("judged"), "div", "What it cost", "wb-head");
    add(at("judged"), "p", hand.summary);
    const list = add(at("judged"), hand.taken.length ? "ol" : "p", hand.taken.length ? "" : "There was nothing to decide.");
    hand.taken.forEach((choice, k) => {
      const item = add(list, "li", ""), [, , said, wrong] = game.moves[choice];
      add(item, "div", hand.saw[k] + ".", "wb-quiet");
      add(item, "b", wrong ? "✗ " : "✓ ", wrong ? "wb-bad" : "wb-good");
      add(item, "span", said);
    });
    const [won, luck] = [sum("payoff"), sum("luck")], hands = past.length > 1 ? `${past.length} hands` : "1 hand";
    add(at("judged"), "p", `${hands} so far: net ${number(won)} ${game.unit}, ${number(-sum("cost"))} for your decisions, ${number(luck)} luck; without luck ${number(won - luck)}.`, "total");
    at("past").prepend(Object.assign(add(at("past"), "li", hand.summary), {value: past.length}));
  };

  const begin = async () => {
    if (!window.DecompressionStream) return at("start").replaceWith("This browser is too old to unpack the table.");
    at("start").hidden = true;
    box.focus({preventScroll: true});
    const bytes = Uint8Array.from(atob(box.dataset.table), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    game = JSON.parse(await new Response(stream).text());
    at("table").hidden = false;
    deal();
  };
  const alone = "alone" in box.dataset, offer = movesOf(box, alone);
  Object.assign(at("start"), {hidden: false, onclick: begin});
  if (alone) begin();
  if (alone) addEventListener("hashchange", () => location.reload());
}
