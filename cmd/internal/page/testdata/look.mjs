// node look.mjs BROWSER FOLDER PAGE...: opens pages in both schemes and two sizes, keeps
// pictures in a folder, and prints what was seen as one JSON list.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { open, views } from '../../tooltest/testdata/browser/browser.mjs';
import { contrast } from '../../tooltest/testdata/browser/contrast.mjs';

const [browserPath, folder, ...pages] = process.argv.slice(2);
const browser = await open(browserPath);
const seen = [];

// measure runs in the page.
function measure() {
  const wide = document.documentElement.clientWidth;
  return {
    title: document.title,
    background: getComputedStyle(document.body).backgroundColor,
    overflow: document.documentElement.scrollWidth - wide,
    out: [...document.querySelectorAll('main *, header *')].filter(e => !e.closest('.sr, .skip, nav, .scroll, svg') && e.getBoundingClientRect().right > wide + 1).map(e => e.outerHTML.slice(0, 100)),
    charts: [...document.querySelectorAll('figure svg')].map(s => ({ name: document.getElementById(s.getAttribute('aria-labelledby').split(' ')[0]).textContent,
      drawn: [...s.querySelectorAll('.line, .dot, .mark')].some(p => { const b = p.getBoundingClientRect(); return b.width + b.height > 0; }), wide: s.getBoundingClientRect().width > 200 })),
    verdicts: [...document.querySelectorAll('.verdict')].map(v => v.innerText.replace(/\s+/g, ' ')),
    verdictTop: document.querySelector('.verdict').getBoundingClientRect().top,
    headings: [...document.querySelectorAll('h1, h2, h3')].map(h => Number(h.tagName[1])),
    landmarks: ['header', 'nav', 'main', 'footer'].filter(n => document.querySelectorAll(n).length === 1),
    uncaptioned: [...document.querySelectorAll('table')].filter(t => !t.caption || !t.caption.textContent.trim()).length,
  };
}

for (const file of pages) {
  for await (const { page, scheme, name, height, errors, requests } of views(browser)) {
    await page.goto(pathToFileURL(file).href);
    const base = path.join(folder, `${path.basename(file, '.html')}-${name}-${scheme}`);
    await page.screenshot({ path: base + '-top.png' });
    await page.screenshot({ path: base + '.png', fullPage: true });
    const look = { file: path.basename(file), scheme, name, errors, ...(await page.evaluate(measure)), ...(await page.evaluate(contrast, ['body *', '.sr, .skip, title, desc'])) };
    await page.keyboard.press('Tab');
    look.firstFocus = await page.evaluate(() => document.activeElement.textContent);
    for (const link of await page.locator('nav a').all()) {
      const to = await link.getAttribute('href');
      await link.click();
      await page.waitForURL(u => u.hash === to);
      const [id, top] = await page.evaluate(() => { const e = document.querySelector(location.hash); return [location.hash, e.getBoundingClientRect().top]; });
      if (top < 0 || top > height) (look.lost ||= []).push(id);
    }
    const proof = page.locator('.verdict a');
    if (await proof.count()) {
      await proof.click();
      await page.waitForURL(u => /^#L/.test(u.hash));
      look.proof = await page.evaluate(() => { const e = document.querySelector(location.hash), b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight ? e.innerText : 'not in view'; });
    }
    look.requests = requests.filter(u => u !== pathToFileURL(file).href && !u.startsWith(pathToFileURL(file).href + '#'));
    seen.push(look);
    if (name === 'wide' && scheme === 'light') {
      await page.emulateMedia({ media: 'print' });
      await page.screenshot({ path: base + '-print.png', fullPage: true });
    }
  }
}
await browser.close();
console.log(JSON.stringify(seen));
