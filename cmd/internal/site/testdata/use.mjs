// node use.mjs BROWSER FOLDER ADDRESS: uses the site at an address as people do, in two sizes and
// both schemes, keeps pictures in a folder, and prints what was seen.
import path from 'node:path';
import { open, views } from '../../tooltest/testdata/browser/browser.mjs';
import { contrast } from '../../tooltest/testdata/browser/contrast.mjs';

const [browserPath, folder, address] = process.argv.slice(2);
const browser = await open(browserPath);
const pages = ['index', 'quickstart', 'install', 'rules/index', 'rules/gpu-nvidia-docker', 'formats', 'performance', 'accuracy', 'playground/index'];
const seen = [];

// measure runs in the page.
function measure() {
  const wide = document.documentElement.clientWidth;
  return {
    title: document.querySelector('h1').firstChild.textContent.trim(),
    out: [...document.querySelectorAll('article *')].filter(e => !e.closest('.md-typeset__scrollwrap, pre, svg, .headerlink') && e.getBoundingClientRect().right > wide + 1).map(e => e.outerHTML.slice(0, 100)),
    charts: [...document.querySelectorAll('figure.chart svg')].filter(s => s.getBoundingClientRect().width > 250 && s.querySelector('rect').getBoundingClientRect().width > 0).length,
    images: [...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src),
  };
}

for await (const { page, scheme, name, errors, requests } of views(browser)) {
  const look = { name, scheme, errors, pages: {} };
  for (const p of pages) {
    await page.goto(`${address}/${p}.html`);
    look.pages[p] = { ...(await page.evaluate(measure)), ...(await page.evaluate(contrast, ['article *', '.headerlink, [hidden]'])) };
    const picture = path.join(folder, `${p.replace('/', '-')}-${name}-${scheme}`);
    await page.screenshot({ path: picture + '-top.png' });
    if (scheme === 'light') await page.screenshot({ path: picture + '.png', fullPage: true });
  }

  // From the first page to a rule by the navigation.
  await page.goto(`${address}/index.html`);
  if (name === 'phone') {
    await page.locator('.md-header label[for=__drawer]').click();
    await page.locator('.md-nav--primary').getByText('Rules', { exact: true }).first().click();
    await page.waitForTimeout(400);
    await page.screenshot({ path: path.join(folder, `navigation-${name}-${scheme}.png`) });
    if (!page.url().includes('/rules/')) {
      await page.locator('.md-nav--primary').getByRole('link', { name: 'Rules' }).first().click();
    }
  } else {
    await page.locator('.md-tabs').getByRole('link', { name: 'Rules' }).click();
  }
  await page.waitForURL(/\/rules\/(index\.html)?$/); // Go's server leaves index.html out
  await page.locator('article').getByRole('link', { name: 'gpu/nvidia-docker' }).click();
  await page.waitForURL('**/rules/gpu-nvidia-docker.html');
  look.rule = await page.locator('article').innerText();

  // By the search, with a name from a file.
  await page.goto(`${address}/index.html`);
  if (name === 'phone') await page.locator('.md-header__button[for=__search]').click();
  await page.locator('.md-search__input').click();
  await page.locator('.md-search__input').pressSequentially('nvidiaDocker', { delay: 20 });
  const results = page.locator('.md-search-result__item h1');
  await results.first().waitFor({ timeout: 20000 });
  await page.waitForTimeout(500);
  look.results = (await results.allInnerTexts()).slice(0, 5);
  await page.screenshot({ path: path.join(folder, `search-${name}-${scheme}.png`) });
  await results.first().click();
  await page.waitForURL('**/rules/*.html**');
  look.found = await page.locator('h1').innerText();

  // And the playground.
  await page.goto(`${address}/playground/index.html`);
  await page.getByRole('link', { name: 'Open the playground' }).click();
  await page.locator('#list > li').first().waitFor({ timeout: 60000 });
  look.findings = await page.locator('#list > li').count();
  look.foreign = requests.filter(u => !u.startsWith(address) && !u.startsWith('data:'));
  seen.push(look);
}
await browser.close();
console.log(JSON.stringify(seen));
