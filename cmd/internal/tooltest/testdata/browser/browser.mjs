import { createRequire } from 'node:module';
import path from 'node:path';

// open starts a browser, by the playwright-core in the folder where node runs.
export const open = executablePath => createRequire(path.join(process.cwd(), 'x.js'))('playwright-core').chromium.launch({ executablePath, args: ['--no-sandbox'] });

// views yields an empty page in both schemes and two sizes each, with what goes wrong on it and the
// addresses that it asks for.
export async function* views(browser, options) {
  for (const scheme of ['light', 'dark']) {
    for (const [name, width, height] of [['phone', 360, 740], ['wide', 1280, 900]]) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, ...options });
      const page = await context.newPage();
      const errors = [], requests = [];
      page.on('console', m => errors.push(m.type() + ': ' + m.text()));
      page.on('pageerror', e => errors.push(String(e)));
      page.on('request', r => requests.push(r.url()));
      yield { page, scheme, name, height, errors, requests };
      await context.close();
    }
  }
}
