import * as path from 'path';
import * as vscode from 'vscode';
import { missing } from './program';
import { Server } from './server';

/** A location of the language server protocol, as a lens hands it on. */
interface Location {
  uri: string;
  range: { start: vscode.Position; end: vscode.Position };
}

/** Runs the job of a file in a terminal, without a shell: no name can be a command. */
export async function run(server: Server, file = vscode.window.activeTextEditor?.document.uri.fsPath): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showErrorMessage('amlfix runs jobs in trusted workspaces only.');
    return;
  }
  if (!server.program || !file) {
    void vscode.window.showErrorMessage(server.program ? 'Open the file of a job first.' : missing());
    return;
  }
  const document = await vscode.workspace.openTextDocument(file);
  if (document.isDirty && !await document.save()) {
    return; // the job runs with the files on disk
  }
  const args = await words(document);
  if (!args) {
    return;
  }
  const at = vscode.workspace.getWorkspaceFolder(document.uri);
  const task = new vscode.Task({ type: 'amlfix' }, at ?? vscode.TaskScope.Workspace, `run ${path.basename(file)}`, 'amlfix',
    new vscode.ProcessExecution(server.program, ['run', ...args], { cwd: project(file) }));
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: true };
  await vscode.tasks.executeTask(task);
}

/** The arguments of `amlfix run` for a file; undefined if the user gives none. */
async function words(document: vscode.TextDocument): Promise<string[] | undefined> {
  const file = document.uri.fsPath;
  if (!file.endsWith('.runconfig')) {
    return [file];
  }
  if (!document.getText().includes('$file')) {
    return ['-c', file];
  }
  const chosen = await vscode.window.showOpenDialog({
    title: 'The script that takes the place of $file', openLabel: 'Run', defaultUri: vscode.Uri.file(project(file)), filters: { Python: ['py'] },
  });
  return chosen && ['-c', file, path.relative(project(file), chosen[0].fsPath)];
}

/** The folder of a run configuration's project, and that of any other file. */
function project(file: string): string {
  const folder = path.dirname(file);
  return ['aml_config', '.azureml'].includes(path.basename(folder)) ? path.dirname(folder) : folder;
}

/** Shows a place. */
export async function show(at?: Location): Promise<void> {
  if (!at) {
    void vscode.window.showInformationMessage('Nothing says that this target has a GPU.');
    return;
  }
  const { start, end } = at.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(at.uri), { selection });
}

/** Makes all safe repairs of the open file's project, in the editor: saving is up to the user. */
export async function fixProject(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    void vscode.window.showInformationMessage('Open a file of the project first.');
    return;
  }
  const everything = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider', document.uri, everything, 'source.fixAll.amlfix');
  const edit = actions.find(action => action.edit)?.edit;
  if (!edit) {
    void vscode.window.showInformationMessage('amlfix has no safe repairs for this project.');
    return;
  }
  if (!await vscode.workspace.applyEdit(edit)) {
    void vscode.window.showErrorMessage('A file has changed meanwhile: try again.');
    return;
  }
  const chosen = await vscode.window.showInformationMessage(`Repaired, in ${edit.size} file${edit.size === 1 ? '' : 's'}; not saved yet.`, 'Save All');
  if (chosen) {
    await vscode.workspace.saveAll(false);
  }
}
