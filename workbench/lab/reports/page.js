// A picture fits the page; where the page is narrow, a button shows it in full size, to be scrolled.
for (const picture of document.querySelectorAll("figure .scroll > img, figure.scroll > img")) {
  if (picture.getAttribute("width") < 400) continue;
  const box = picture.parentElement;
  const larger = document.createElement("button");
  larger.className = "larger";
  larger.textContent = "Full size";
  larger.setAttribute("aria-pressed", "false");
  larger.addEventListener("click", () => {
    larger.setAttribute("aria-pressed", String(box.classList.toggle("large")));
  });
  box.after(larger);
}
// A box that scrolls can be reached with the keyboard; one that need not scroll is no stop.
const stops = new ResizeObserver(entries => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const box of document.querySelectorAll(".scroll")) stops.observe(box);
// Contents beside the text, where there is room for both.
const contents = document.querySelector(".contents details");
if (contents) contents.open = matchMedia("(min-width: 82rem)").matches;
// All code at once.
const button = document.querySelector("#fold");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") === "true";
    for (const code of document.querySelectorAll("details.code")) code.open = open;
    button.setAttribute("aria-pressed", String(!open));
  });
}
