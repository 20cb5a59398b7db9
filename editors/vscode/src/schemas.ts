import { execFile } from 'child_process';
import { promisify } from 'util';
import * as vscode from 'vscode';

/** The part of the YAML extension's interface that takes schemas. */
interface Yaml {
  registerContributor(name: string, uri: (file: string) => string | undefined, content: (schema: string) => Promise<string>): boolean;
}

/** Which schema describes a file, by the end of its path. A file of v2 names its own. */
const kinds: [RegExp, string][] = [
  [/\/aml_config\/[^/]+\.compute$/, 'compute'],
  [/\/aml_config\/[^/]+\.runconfig$/, 'workbench-runconfig'],
  [/\/\.azureml\/[^/]+\.runconfig$/, 'sdk-runconfig'],
  [/\/(aml_config|\.azureml)\/conda_dependencies[^/]*\.yml$/, 'conda'],
  [/\/aml_config\/spark_dependencies[^/]*\.yml$/, 'spark'],
  [/\/\.amlfix\.ya?ml$/, 'settings'],
];

/** Hands amlfix's schemas to Red Hat's YAML extension, if that is installed. */
export async function register(program: () => string | undefined): Promise<void> {
  const yaml = vscode.extensions.getExtension<Yaml>('redhat.vscode-yaml');
  const known = new Map<string, Promise<string>>();
  (await yaml?.activate())?.registerContributor('amlfix', file => {
    const kind = program() && vscode.workspace.getConfiguration('amlfix').get('yamlSchemas') ? kindOf(file) : undefined;
    return kind && `amlfix://schema/${kind}`;
  }, schema => {
    const kind = schema.slice(schema.lastIndexOf('/') + 1);
    const text = known.get(kind) ?? print(program(), kind);
    known.set(kind, text);
    return text;
  });
}

function kindOf(file: string): string | undefined {
  const kind = kinds.find(([end]) => end.test(file))?.[1];
  // In 2018, SDK v1 also kept its files in aml_config; its keys are lowercase.
  if (kind === 'workbench-runconfig') {
    const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === vscode.Uri.parse(file).toString());
    return open && /^["']?(target|script|framework)["']?\s*:/m.test(open.getText()) ? 'sdk-runconfig' : kind;
  }
  return kind;
}

async function print(program: string | undefined, kind: string): Promise<string> {
  if (!program) {
    throw new Error('amlfix is not installed');
  }
  const { stdout } = await promisify(execFile)(program, ['schema', kind], { maxBuffer: 1 << 24 });
  return stdout;
}
