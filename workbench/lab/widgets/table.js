/* letters press buttons and do not reach JupyterLab, where b inserts a cell */
this.closest('.wb-table').tabIndex = -1;
if (!window.wbKeys) {
  window.wbKeys = true;
  const slow = '.wb-move, .wb-deal, .wb-undo, .wb-again, .wb-train';  /* the kernel has to think */
  window.addEventListener('click', event => {  /* grey at once, however busy the kernel is */
    const pressed = event.target.closest && event.target.closest(slow);
    const table = pressed && pressed.closest('.wb-table');
    if (table && !pressed.disabled) setTimeout(() => {  /* a grey button hears no keys */
      if (table.contains(document.activeElement)) table.focus({preventScroll: true});
      for (const button of table.querySelectorAll(slow)) button.disabled = true;
      table.querySelector('.wb-now').textContent = 'thinking …';
    });
  }, true);
  window.addEventListener('keydown', event => {
    const at = event.target, table = at.closest && at.closest('.wb-table');
    if (!table || event.ctrlKey || event.metaKey || event.altKey || event.key.length > 1
      || at.matches('input, textarea')) return;
    event.stopPropagation();
    if (at.matches('select')) return;
    const name = 'wb-key-' + event.key.toLowerCase();
    for (const button of table.querySelectorAll('button'))
      if (button.offsetParent && button.classList.contains(name)) {button.click(); break;}
  }, true);
}
