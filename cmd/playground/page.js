(() => {
  'use strict';
  const at = id => document.getElementById(id);
  const sample = JSON.parse(at('sample').textContent);
  const box = at('text');
  let files, tab, found = [], past = [], timer = 0;

  // make returns an element with a text. Nothing on this page is ever made from markup.
  const make = (name, text, props) => Object.assign(document.createElement(name), { textContent: text }, props);
  const named = name => name.split('/').pop();
  const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');

  function begin() {
    files = sample.map(f => ({ ...f }));
    past = [];
    show(0);
  }

  // show opens a tab.
  function show(n) {
    tab = n;
    box.value = files[n].text;
    box.scrollTop = box.scrollLeft = 0;
    box.setAttribute('aria-label', files[n].tab + ', ' + files[n].name);
    at('tabs').replaceChildren(...files.map((f, i) => {
      const b = make('button', f.tab, { type: 'button', id: 'tab' + i, tabIndex: i === n ? 0 : -1, onclick: () => open(i) });
      b.setAttribute('role', 'tab');
      b.setAttribute('aria-selected', i === n);
      b.setAttribute('aria-controls', 'panel');
      b.append(' ', make('small', named(f.name)));
      return b;
    }));
    at('panel').setAttribute('aria-labelledby', 'tab' + n);
    number();
  }

  function open(n) {
    show(n);
    at('tab' + n).focus();
  }

  at('tabs').addEventListener('keydown', e => {
    const to = { ArrowRight: tab + 1, ArrowLeft: tab - 1 + files.length, Home: 0, End: files.length - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    open(to % files.length);
  });

  // number writes the numbers of lines, and marks those with findings.
  function number() {
    const worst = {}, rank = ['info', 'warning', 'error'];
    for (const f of found) {
      if (f.file === files[tab].name && rank.indexOf(f.severity) > rank.indexOf(worst[f.line])) worst[f.line] = f.severity;
    }
    at('numbers').replaceChildren(...box.value.split('\n').map((_, i) => make('span', i + 1, { className: worst[i + 1] || '' })));
    at('numbers').scrollTop = box.scrollTop;
  }

  // go leads to a line, and selects it.
  function go(place) {
    const n = files.findIndex(f => f.name === place.file);
    if (n < 0) return;
    show(n);
    const lines = box.value.split('\n');
    const from = lines.slice(0, place.line - 1).reduce((sum, l) => sum + l.length + 1, 0);
    box.focus();
    box.setSelectionRange(from, from + (lines[place.line - 1] || '').length);
    box.scrollTop = Math.max(0, place.line - 5) * 20;
    number();
  }

  const where = place => make('button', named(place.file) + ':' + place.line, { type: 'button', className: 'where', onclick: () => go(place) });

  function item(f, n) {
    const li = make('li', '', { className: f.severity });
    const head = make('p', '');
    head.append(make('span', f.severity, { className: 'severity' }), ' ', where(f), ' ', make('a', f.rule, { href: f.page, rel: 'noreferrer' }));
    li.append(head, make('p', f.message));
    if (f.related.length) {
      const list = make('ul', '');
      for (const r of f.related) {
        const entry = make('li', '');
        entry.append(where(r), ' ', r.message);
        list.append(entry);
      }
      li.append(list);
    }
    if (f.fixes.length) {
      const row = make('div', '', { className: 'fixes' });
      f.fixes.forEach((title, i) => row.append(make('button', title, { type: 'button', onclick: () => repair({ fix: n + 1, answer: i }) })));
      li.append(row);
    }
    return li;
  }

  // ask asks amlfix about the files as they are.
  function ask(request) {
    const texts = Object.fromEntries(files.map(f => [f.name, f.text]));
    return JSON.parse(globalThis.amlfixAnswer(JSON.stringify({ ...request, files: texts })));
  }

  function check() {
    clearTimeout(timer);
    if (globalThis.amlfixAnswer) report(ask({}), '');
  }

  function report(answer, before) {
    found = answer.findings;
    const count = s => found.filter(f => f.severity === s).length;
    const parts = ['error', 'warning', 'info'].filter(count).map(s => plural(count(s), s));
    at('status').textContent = [before, answer.problem && 'Not done: ' + answer.problem + '.', (parts.join(', ') || 'No findings') + '.'].filter(Boolean).join(' ');
    at('list').replaceChildren(...found.map(item));
    at('safe').disabled = !found.some(f => f.safe);
    at('undo').disabled = past.length === 0;
    number();
  }

  // repair asks for a repair, takes the texts, and opens the first file that it changed.
  function repair(request) {
    clearTimeout(timer);
    const old = files.map(f => ({ ...f })), answer = ask(request);
    for (const name of Object.keys(answer.files).sort()) {
      const file = files.find(f => f.name === name);
      if (file) file.text = answer.files[name];
      else files.push({ tab: named(name), name, text: answer.files[name] });
    }
    const changed = files.findIndex((f, i) => !old[i] || f.text !== old[i].text);
    if (changed >= 0) {
      past.push({ files: old, tab });
      show(changed);
    }
    report(answer, answer.made.length ? 'Repaired: ' + answer.made.join('; ') + '.' : '');
    at('findings').focus({ preventScroll: true });
  }

  at('safe').onclick = () => repair({ safe: true });
  at('undo').onclick = () => {
    const last = past.pop();
    files = last.files;
    show(last.tab);
    check();
    if (!past.length) at('findings').focus({ preventScroll: true });
  };
  at('reset').onclick = () => {
    begin();
    check();
  };
  box.addEventListener('scroll', () => { at('numbers').scrollTop = box.scrollTop; });
  box.addEventListener('input', () => {
    files[tab].text = box.value;
    past = []; // what is typed since would be lost
    at('undo').disabled = true;
    number();
    clearTimeout(timer);
    timer = setTimeout(check, 150);
  });

  globalThis.amlfixReady = () => setTimeout(check);
  begin();

  // The program is in the page: unpacked, it runs until the page is closed.
  (async () => {
    const packed = Uint8Array.from(atob(at('program').textContent), c => c.charCodeAt(0));
    at('program').remove();
    const code = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    const go = new Go();
    await go.run((await WebAssembly.instantiate(code, go.importObject)).instance);
    throw new Error('amlfix has ended');
  })().catch(e => {
    delete globalThis.amlfixAnswer;
    at('safe').disabled = true;
    at('list').replaceChildren();
    at('status').textContent = 'amlfix cannot run here: ' + e.message + '. Reload the page, or use a browser released in 2023 or later.';
  });
})();
