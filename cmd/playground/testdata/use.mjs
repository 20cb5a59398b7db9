// node use.mjs BROWSER FOLDER PAGE REQUESTS: opens the page from its file in both schemes and two
// sizes, uses it once as people do, keeps pictures in a folder, and prints what was seen.
// REQUESTS is a file with a list of requests, which amlfix answers in the page.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { open, views } from '../../internal/tooltest/testdata/browser/browser.mjs';
import { contrast } from '../../internal/tooltest/testdata/browser/contrast.mjs';

const [browserPath, folder, file, requests] = process.argv.slice(2);
const browser = await open(browserPath);
const address = pathToFileURL(file).href;
const seen = { looks: [], steps: {} };

// measure runs in the page.
function measure() {
  const wide = document.documentElement.clientWidth;
  return {
    background: getComputedStyle(document.body).backgroundColor,
    out: [...document.querySelectorAll('main *, header *')].filter(e => e.getBoundingClientRect().right > wide + 1).map(e => e.outerHTML.slice(0, 100)),
    broken: [...document.querySelectorAll('[role=tab]')].flatMap(e => [...e.firstChild.data.matchAll(/\S+/g)].filter(word => {
      const range = document.createRange();
      range.setStart(e.firstChild, word.index);
      range.setEnd(e.firstChild, word.index + word[0].length);
      return range.getClientRects().length > 1;
    }).map(String)),
    unnamed: [...document.querySelectorAll('button, a, textarea')].filter(e => !(e.getAttribute('aria-label') || e.textContent).trim()).length,
  };
}

// state is what a person reads on the page.
const state = async page => ({
  tabs: await page.getByRole('tab').evaluateAll(list => list.map(e => e.innerText.replace(/\s+/g, ' '))),
  tab: await page.getByRole('tab', { selected: true }).evaluate(e => e.firstChild.data),
  status: await page.getByRole('status').innerText(),
  findings: await page.locator('#list > li').evaluateAll(list => list.map(e => [...e.querySelectorAll('p:first-child > *')].map(c => c.textContent).join(' '))),
  text: await page.getByRole('textbox').inputValue(),
});

async function use(page) {
  const { steps } = seen;
  const step = async name => { steps[name] = await state(page); };
  await step('opened');
  for (const name of ['Run configuration', 'Conda file', 'Target']) {
    await page.getByRole('tab', { name }).click();
    await step('tab ' + name);
  }
  await page.keyboard.press('ArrowLeft');
  await step('arrow');
  await page.getByRole('button', { name: 'gpuvm.runconfig:5' }).first().click();
  steps.selected = await page.getByRole('textbox').evaluate(e => e.value.slice(e.selectionStart, e.selectionEnd));
  await page.getByRole('button', { name: 'Set Framework to Python' }).click();
  await step('fixed');
  await page.getByRole('button', { name: 'Undo repair' }).click();
  await step('undone');
  await page.getByRole('button', { name: 'Make all safe repairs' }).click();
  await step('safe');
  for (const name of ['Target', 'Run configuration', 'Conda file']) {
    await page.getByRole('tab', { name }).click();
    await step('safe ' + name);
  }
  await page.screenshot({ path: path.join(folder, 'playground-repaired.png'), fullPage: true });
  await page.getByRole('tab', { name: 'Run configuration' }).click();
  await page.getByRole('textbox').fill('ArgumentVector: [$file]\nTarget: "</li><img src=x onerror=alert(1)><script>alert(2)</script>\u202e"\nFramework: Python\n');
  await page.locator('#list').getByText('onerror').first().waitFor();
  await step('hostile');
  steps.elements = await page.locator('img, #list script').count();
  await page.getByRole('button', { name: 'Start over' }).click();
  await step('reset');
  steps.answers = await page.evaluate(list => list.map(r => JSON.parse(amlfixAnswer(JSON.stringify(r)))), JSON.parse(readFileSync(requests, 'utf8')));
}

for await (const { page, scheme, name, errors, requests } of views(browser, { offline: true })) {
  page.on('dialog', d => { errors.push('dialog: ' + d.message()); d.dismiss(); });
  await page.goto(address);
  await page.locator('#list > li').first().waitFor({ timeout: 60000 });
  await page.keyboard.press('Tab');
  const firstFocus = await page.evaluate(() => document.activeElement.textContent);
  await page.evaluate(() => document.activeElement.blur());
  await page.screenshot({ path: path.join(folder, `playground-${name}-${scheme}.png`), fullPage: true });
  const look = { name, scheme, firstFocus, ...(await page.evaluate(measure)), ...(await page.evaluate(contrast, ['body *', '.skip, script, noscript, :disabled'])) };
  if (name === 'wide' && scheme === 'light') await use(page);
  seen.looks.push({ ...look, errors, requests: requests.filter(u => u !== address) });
}
await browser.close();
console.log(JSON.stringify(seen));
