/* after a key: the next one shall find the tree, too */
if (window.wbTree) {
  window.wbTree = false;
  this.ownerSVGElement.querySelector('[aria-current]').focus();
}
