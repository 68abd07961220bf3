// The moves of a box: buttons, which its keys press too, or all keys of a page where it is alone.
const movesOf = (box, alone) => {
  const moves = box.querySelector(".moves");
  window.addEventListener("keydown", event => { // before JupyterLab hears it, where b inserts a cell; a key that is held down is one move
    if (event.repeat && event.key === "Enter" && moves.contains(event.target)) event.preventDefault();
    if (!(alone || box.contains(event.target)) || event.ctrlKey || event.metaKey || event.altKey || event.key.length > 1) return;
    event.stopPropagation();
    if (!event.repeat) [...moves.children].find(button => button.value.includes(event.key.toLowerCase()))?.click();
  }, true);
  return offered => { // [label, keys, what it does, class]
    const focused = alone || box.contains(document.activeElement);
    moves.replaceChildren(...offered.map(([textContent, value, press, className = ""]) => {
      const onclick = event => { if (event.detail < 2) press(); }; // the second of two clicks was meant for the first
      return Object.assign(document.createElement("button"), { type: "button", textContent, value, className, onclick });
    }));
    if (focused) moves.firstChild.focus({ preventScroll: true });
  };
};
