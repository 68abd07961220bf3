/* ipywidgets shows no tips on fields with a label: a class that ends with the tip says it */
if (!window.wbTips) {
  window.wbTips = true;
  for (const kind of ['mouseover', 'focusin']) document.addEventListener(kind, event => {
    const field = event.target.closest && event.target.closest('[class*=wb-tip-]');
    if (!field) return;
    const name = [...field.classList].find(name => name.startsWith('wb-tip-'));
    const tip = decodeURIComponent(name.slice('wb-tip-'.length));
    for (const part of [field, ...field.querySelectorAll('[title]')]) part.title = tip;
  });
}
