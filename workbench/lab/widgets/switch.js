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
  for (const select of selects.filter(select => select.matches(".slides"))) {
    const slider = document.createElement("input"), step = document.createElement("output");
    Object.assign(slider, { type: "range", min: 0, max: select.length - 1, value: select.selectedIndex });
    slider.setAttribute("aria-label", select.parentElement.firstChild.textContent.trim());
    const moved = () => {
      select.selectedIndex = slider.value;
      step.textContent = select.value;
      slider.setAttribute("aria-valuetext", select.value);
      show();
    };
    slider.addEventListener("input", moved);
    select.hidden = true;
    select.after(slider, step);
    moved();
  }
  box.classList.add("live");
  show();
}
