// Choices among results that are all in the page: show the chosen one, hide the others.
for (const box of document.querySelectorAll("[data-switch]:not(.live)")) {
  const selects = [...box.querySelectorAll("select")];
  const options = [...box.querySelectorAll("[data-option]")];
  const said = box.querySelector(":scope > [aria-live]");
  const show = () => {
    const chosen = selects.map(select => select.selectedIndex).join(" ");
    for (const option of options) option.hidden = option.dataset.option !== chosen;
    const shown = options.find(option => !option.hidden);
    if (!said) return;
    said.textContent = shown ? shown.firstChild?.textContent : "(This combination was not computed.)";
    said.classList.toggle("aside", Boolean(shown)); // else it is all there is to see
  };
  for (const select of selects) select.addEventListener("change", show);
  box.classList.add("live");
  show();
}
