import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { find, missing } from './program';

/** The files of projects that are edited; others are watched on disk by the server. */
const files = [
  { scheme: 'file', language: 'yaml' },
  { scheme: 'file', language: 'json' },
  { scheme: 'file', language: 'jsonc' },
  { scheme: 'file', language: 'dockerfile' },
  { scheme: 'file', pattern: '**/requirements*.txt' },
];

/** Server is `amlfix lsp`, one at a time. */
export class Server {
  /** The program that was started, if there is one. */
  program: string | undefined;
  private client: LanguageClient | undefined;
  private last: Promise<void> = Promise.resolve();

  /** Starts the server, again if it runs; requests to do so wait for each other. */
  restart(): Promise<void> {
    return this.last = this.last.then(() => this.end()).then(() => this.start());
  }

  /** Ends the server. */
  stop(): Promise<void> {
    return this.last = this.last.then(() => this.end());
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // A server that failed cannot be stopped.
    await client?.dispose().catch(() => undefined);
  }

  private async start(): Promise<void> {
    this.program = await find();
    if (!this.program) {
      void complain(missing());
      return;
    }
    const run = { command: this.program, args: ['lsp'] };
    this.client = new LanguageClient('amlfix', 'amlfix', run, { documentSelector: files });
    try {
      await this.client.start();
    } catch (failure) {
      void complain(`amlfix does not check your files: ${this.program} lsp does not start: ${failure}`);
    }
  }
}

async function complain(text: string): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(text, 'Restart', 'Settings');
  if (chosen === 'Restart') {
    await vscode.commands.executeCommand('amlfix.restart');
  } else if (chosen === 'Settings') {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'amlfix.path');
  }
}
