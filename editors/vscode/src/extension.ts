import * as vscode from 'vscode';
import * as commands from './commands';
import { Server } from './server';
import * as schemas from './schemas';

let server: Server | undefined;

/** VS Code calls this when the first file of interest is opened. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = server = new Server();
  context.subscriptions.push(
    vscode.commands.registerCommand('amlfix.run', (file?: string) => commands.run(started, file)),
    vscode.commands.registerCommand('amlfix.show', commands.show),
    vscode.commands.registerCommand('amlfix.fixProject', commands.fixProject),
    vscode.commands.registerCommand('amlfix.restart', () => started.restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration(change => change.affectsConfiguration('amlfix.path') && started.restart()),
  );
  await started.restart();
  await schemas.register(() => started.program);
}

/** VS Code calls this before it ends. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
