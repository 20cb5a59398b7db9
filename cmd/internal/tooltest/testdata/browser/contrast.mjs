// contrast runs in a page. It returns the least contrast of a text there, as WCAG 2 computes it,
// and which element has it. within selects the elements, apart those that do not count.
export function contrast([within, apart]) {
  const rgb = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0.99) return c;
    }
    return [255, 255, 255];
  };
  let least = 99, where = '';
  for (const e of document.querySelectorAll(within)) {
    const text = e.matches('textarea') || [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!text || e.closest(apart)) continue;
    const style = getComputedStyle(e);
    const a = light(rgb(e.closest('svg') ? style.fill : style.color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) [least, where] = [ratio, e.outerHTML.slice(0, 120)];
  }
  return { contrast: least, where };
}
