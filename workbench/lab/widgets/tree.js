/* a node that is pressed, or an arrow key: its number into the field of the panel */
const at = event.key ? this.dataset['a' + event.key.slice(1)]
  : event.target.closest('[data-history]')?.dataset.history;
const field = this.closest('.wb-panel').querySelector('.wb-goto input');
if (at && field) {
  event.preventDefault();
  window.wbTree = !!event.key;
  field.value = at;
  field.dispatchEvent(new Event('change', {bubbles: true}));
}
