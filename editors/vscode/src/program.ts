import * as fs from 'fs';
import * as path from 'path';
import * as vscode from 'vscode';

const name = process.platform === 'win32' ? 'amlfix.exe' : 'amlfix';

/** The part of the Python extension's interface that tells the environment in use. */
interface Python {
  environments?: {
    getActiveEnvironmentPath(folder?: vscode.Uri): { path: string };
    resolveEnvironment(at: { path: string }): Thenable<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/**
 * Returns the program to start: the one of the settings, else that of the Python
 * environment, else the first on the PATH; undefined if there is none. What a workspace
 * names or contains counts only if it is trusted: VS Code drops its amlfix.path.
 */
export async function find(): Promise<string | undefined> {
  const set = vscode.workspace.getConfiguration('amlfix').get<string>('path', '').trim();
  if (set !== '') {
    return runs(set) ? set : undefined;
  }
  const folders = vscode.workspace.isTrusted ? await environments() : [];
  folders.push(...(process.env.PATH ?? '').split(path.delimiter));
  return folders.filter(path.isAbsolute).map(folder => path.join(folder, name)).find(runs);
}

/** The bin folders of Python environments, the chosen one first. */
async function environments(): Promise<string[]> {
  const list: string[] = [];
  const scripts = process.platform === 'win32' ? 'Scripts' : 'bin';
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await interpreter(workspace);
  if (chosen) {
    list.push(path.dirname(chosen), path.join(path.dirname(chosen), 'Scripts'));
  }
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    list.push(path.join(folder.uri.fsPath, '.venv', scripts), path.join(folder.uri.fsPath, 'venv', scripts));
  }
  return list;
}

async function interpreter(folder?: vscode.Uri): Promise<string | undefined> {
  try {
    const python = vscode.extensions.getExtension<Python>('ms-python.python');
    const { environments } = (await python?.activate()) ?? {};
    const found = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
    return found?.executable.uri?.fsPath;
  } catch {
    return undefined; // if the Python extension does not answer, the other places are used
  }
}

function runs(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return path.isAbsolute(file) && fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What to do when there is no program. */
export function missing(): string {
  const set = vscode.workspace.getConfiguration('amlfix').get<string>('path', '').trim();
  const why = set === ''
    ? 'there is no amlfix in the Python environment or on the PATH'
    : `the setting amlfix.path names ${set}, which is not the absolute path of a program`;
  return `amlfix does not check your files: ${why}. Install it with "pip install amlfix" or "uv tool install amlfix"; `
    + 'before its first release, build it with "CGO_ENABLED=0 go install ./cmd/amlfix" in a clone. Then restart it.';
}
