// node drive.cjs MODULES PROGRAM FOLDER: speaks to a language server as the VS Code
// extension does, with the packages that it ships, and prints what it got as JSON.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const [modules, program, folder] = process.argv.slice(2);
const load = name => require(path.join(modules, name));
const rpc = load('vscode-jsonrpc/node');
const lsp = load('vscode-languageserver-protocol');

const server = spawn(program, ['lsp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
const conn = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
const got = { notices: [], registered: [], refreshes: 0 };
let asked = () => {};
conn.onRequest(lsp.RegistrationRequest.type, r => { got.registered.push(...r.registrations.map(x => x.method)); });
conn.onRequest(lsp.DiagnosticRefreshRequest.type, () => { got.refreshes++; asked(); });
conn.onNotification((method, params) => got.notices.push(method));
conn.onError(e => { throw e; });
conn.listen();

const uri = name => pathToFileURL(path.join(folder, name)).href;
const read = name => fs.readFileSync(path.join(folder, name), 'utf8');
const open = name => conn.sendNotification(lsp.DidOpenTextDocumentNotification.type,
  { textDocument: { uri: uri(name), languageId: 'yaml', version: 1, text: read(name) } });
const pull = async name => (await conn.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument: { uri: uri(name) } })).items;
const actions = (name, range, only) => conn.sendRequest(lsp.CodeActionRequest.type,
  { textDocument: { uri: uri(name) }, range, context: { diagnostics: [], only } });

// apply makes an edit in the folder, as an editor that saves does: texts, then names.
function apply({ documentChanges }) {
  for (const change of documentChanges) {
    if (change.kind === 'rename') {
      fs.renameSync(new URL(change.oldUri), new URL(change.newUri));
      continue;
    }
    const text = fs.readFileSync(new URL(change.textDocument.uri), 'utf8'), lines = [0];
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lines.push(i + 1);
    const at = p => lines[p.line] + p.character;
    let changed = text;
    for (const e of [...change.edits].sort((a, b) => at(b.range.start) - at(a.range.start))) {
      changed = changed.slice(0, at(e.range.start)) + e.newText + changed.slice(at(e.range.end));
    }
    fs.writeFileSync(new URL(change.textDocument.uri), changed);
  }
}

// What vscode-languageclient 9 says of itself, of what a server can take note of.
const capabilities = {
  general: { positionEncodings: ['utf-16'], staleRequestSupport: { cancel: true, retryOnContentModified: [] } },
  window: { workDoneProgress: true },
  workspace: {
    applyEdit: true, configuration: true, workspaceFolders: true,
    diagnostics: { refreshSupport: true }, codeLens: { refreshSupport: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'], failureHandling: 'textOnlyTransactional', normalizesLineEndings: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: true, willSave: true, willSaveWaitUntil: true, didSave: true },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
    publishDiagnostics: { relatedInformation: true, versionSupport: false, tagSupport: { valueSet: [1, 2] }, codeDescriptionSupport: true, dataSupport: true },
    codeAction: { dynamicRegistration: true, isPreferredSupport: true, dataSupport: true, resolveSupport: { properties: ['edit'] },
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.organizeImports'] } } },
    rename: { dynamicRegistration: true, prepareSupport: true, prepareSupportDefaultBehavior: 1, honorsChangeAnnotations: true },
  },
};

async function main() {
  const { capabilities: can, serverInfo } = await conn.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, clientInfo: { name: 'Visual Studio Code', version: '1.82.0' }, locale: 'en',
    rootPath: folder, rootUri: pathToFileURL(folder).href, workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }],
    capabilities, trace: 'off', initializationOptions: {},
  });
  got.server = { name: serverInfo.name, encoding: can.positionEncoding, pulls: can.diagnosticProvider?.interFileDependencies, prepares: can.renameProvider.prepareProvider };
  await conn.sendNotification(lsp.InitializedNotification.type, {});
  await conn.sendNotification('$/setTrace', { value: 'off' });

  const compute = 'aml_config/workstation.compute';
  await open(compute);
  const first = await pull(compute);
  got.opened = first.map(d => `${d.range.start.line + 1} ${d.code}`);

  // Another file of the project changes, unsaved: the server has the findings asked for again.
  const config = 'aml_config/workstation.runconfig';
  await open(config);
  const again = new Promise(done => { asked = done; });
  const at = read(config).split('\n').findIndex(line => line.startsWith('Target:'));
  await conn.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri: uri(config), version: 2 },
    contentChanges: [{ range: { start: { line: at, character: 9 }, end: { line: at, character: 20 } }, text: 'nowhere' }] });
  await again;
  got.changed = (await pull(config)).map(d => `${d.range.start.line + 1} ${d.code}`);
  await conn.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri: uri(config), version: 3 }, contentChanges: [{ text: read(config) }] });

  got.quick = (await actions(compute, first[0].range, ['quickfix'])).map(a => `${a.isPreferred ? 'preferred: ' : ''}${a.title}`);
  const [all, ...more] = await actions(compute, first[0].range, ['source.fixAll']);
  got.fixAll = [all.kind, more.length, all.edit.documentChanges.length > 1];
  apply(all.edit);
  for (const name of [compute, config]) {
    await conn.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri: uri(name), version: 4 }, contentChanges: [{ text: read(name) }] });
    await conn.sendNotification(lsp.DidSaveTextDocumentNotification.type, { textDocument: { uri: uri(name) } });
  }
  await conn.sendNotification(lsp.DidChangeWatchedFilesNotification.type, { changes: all.edit.documentChanges.map(c => ({ uri: c.textDocument.uri, type: 2 })) });
  got.repaired = (await pull(compute)).map(d => d.code);

  const line = read(config).split('\n').findIndex(l => l.startsWith('Target:'));
  const place = { textDocument: { uri: uri(config) }, position: { line, character: 12 } };
  got.prepared = await conn.sendRequest(lsp.PrepareRenameRequest.type, place).then(r => [r.start.character, r.end.character]);
  apply(await conn.sendRequest(lsp.RenameRequest.type, { ...place, newName: 'gpubox' }));
  got.refused = await conn.sendRequest(lsp.RenameRequest.type, { ...place, newName: 'a b' }).catch(e => e.message);
}

main().then(async () => {
  await conn.sendRequest(lsp.ShutdownRequest.type);
  await conn.sendNotification(lsp.ExitNotification.type);
  got.status = await new Promise(done => server.exitCode === null ? server.on('exit', done) : done(server.exitCode));
  process.stdout.write(JSON.stringify(got));
  process.exit();
}).catch(e => { console.error(e); server.kill(); process.exit(1); });
