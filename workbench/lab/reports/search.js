// Search: the field of every page leads to the page that knows the words of all (`search.py`).
const head = document.querySelector("header[data-search]");
if (head) {
  const known = document.querySelector("#index"), asked = document.createElement("form"), field = document.createElement("input");
  asked.setAttribute("role", "search");
  field.type = "search";
  field.placeholder = "Search all pages";
  field.setAttribute("aria-label", field.placeholder);
  asked.append(field);
  head.append(asked);
  asked.addEventListener("submit", event => {
    event.preventDefault();
    if (!known) location.href = head.dataset.search + "?q=" + encodeURIComponent(field.value);
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  if (known) {
    const plain = text => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    const wordsOf = text => plain(text).match(/[\p{L}\p{N}_]+([.=][\p{L}\p{N}_]+)*\+*/gu) ?? []; // wb.solve, cfr+
    const sections = JSON.parse(known.textContent).map(([place, title, heading, text]) => {
      const names = [heading || title, title + "." + heading].map(name => wordsOf(name).join(" "));
      const head = plain([title, heading, heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")].join(" ")) + " " + names.join(" "); // GameBrowser is a browser
      return { place, title, heading, text, names, head, all: head + " " + plain(text) };
    });
    const status = document.querySelector("#found"), help = status.textContent;
    const look = () => {
      const words = wordsOf(field.value), stems = words.map(word => word.replace(/(?<=.{4})(ies|y|es|s)$/, ""));
      const begins = stems.map(stem => "(?<![\\p{L}\\p{N}])" + stem.replace(/[.+]/g, "\\$&") + (stem.length < 3 ? "(?![\\p{L}\\p{N}])" : ""));
      const each = begins.map(one => new RegExp(one, "u")), together = new RegExp(begins.join("\\p{L}*[^\\p{L}]+"), "gu");
      const any = new RegExp("(?:" + begins.join("|") + ")\\p{L}*", "gu");
      const found = stems.length === 0 ? [] : sections.filter(one => each.every(stem => stem.test(one.all))).map(one => {
        const many = Math.min((one.all.match(together) || []).length, 5);
        const headed = each.filter(stem => stem.test(one.head)).length / stems.length;
        const named = one.names.includes(words.join(" ")) ? 20 : 0;
        return { ...one, worth: named + 4 * many + 10 * headed + Math.min((one.all.match(any) || []).length, 9) / 10 };
      });
      found.sort((a, b) => b.worth - a.worth);
      const items = found.slice(0, 40).map(one => {
        const item = document.createElement("li"), link = document.createElement("a"), said = document.createElement("div");
        link.href = one.place;
        const name = one.title + (one.heading ? " · " + one.heading : "");
        link.textContent = name.length > 120 ? name.slice(0, 119).replace(/\s\S*$/, "") + " …" : name;
        const text = plain(one.text).length === one.text.length ? plain(one.text) : one.text.toLowerCase();
        const hit = Math.max(text.search(together), 0) || Math.max(text.search(any), 0);
        const at = hit > 90 ? text.indexOf(" ", hit - 90) + 1 : 0;
        let last = at;
        said.append(at ? "… " : "");
        for (const hit of text.slice(at, at + 260).matchAll(any)) {
          const mark = document.createElement("mark");
          mark.textContent = one.text.slice(at + hit.index, at + hit.index + hit[0].length);
          said.append(one.text.slice(last, at + hit.index), mark);
          last = at + hit.index + hit[0].length;
        }
        said.append(one.text.slice(last, at + 260), at + 260 < one.text.length ? " …" : "");
        item.append(link, said);
        return item;
      });
      document.querySelector("#results").replaceChildren(...items);
      const count = found.length + (found.length === 1 ? " section" : " sections"), best = found.length > items.length ? "; the best " + items.length : "";
      status.textContent = stems.length === 0 ? help : found.length ? count + best + "." : "Nothing has all of these words.";
    };
    const begin = () => { // also when one comes back to the page
      field.value = new URLSearchParams(location.search).get("q") || "";
      look();
    };
    field.addEventListener("input", () => {
      history.replaceState(null, "", "?q=" + encodeURIComponent(field.value));
      look();
    });
    window.addEventListener("pageshow", begin);
    field.focus();
    begin();
  }
}
