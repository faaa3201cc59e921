import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type EditorRoom, until, workspaceRoot } from '../../host/editorRoom';
import { startFake, useFakeDebugger } from '../../host/fakeDebugger';

/** A call of a tool that only reads. */
export interface EditorCall {
  readonly tool: string;
  readonly input: object;
}

const CROWD = 'crowd';
const CROWD_FILES = 400;
const CROWD_PLACES = 20_000;
const CELLS = 40;

/** Each read-only tool, over the sample workspace as it stands open. */
export async function sampleCalls(room: EditorRoom): Promise<readonly EditorCall[]> {
  await openSample();
  await writeNotebook();
  await wake(room);
  await edit();
  await debug(room);
  await runCommand(room);
  const report = 'src/report.ts';
  return [
    { tool: 'diagnostics', input: {} },
    { tool: 'diagnostics', input: { path: report } },
    { tool: 'symbols', input: { query: 'calcTotal' } },
    { tool: 'symbols', input: { path: report } },
    { tool: 'references', input: { symbol: 'calcTotal' } },
    { tool: 'references', input: { path: report, symbol: 'formatMoney' } },
    { tool: 'definition', input: { path: report, symbol: 'formatMoney' } },
    { tool: 'hierarchy', input: { of: 'callers', symbol: 'lineCents', depth: 2 } },
    { tool: 'open_editors', input: {} },
    { tool: 'read_buffer', input: { path: report } },
    { tool: 'user_changes', input: {} },
    { tool: 'show', input: { path: report, from: 2, to: 4 } },
    { tool: 'cells', input: { path: 'totals.ipynb' } },
    { tool: 'terminal', input: {} },
    { tool: 'state', input: {} },
  ];
}

/** What has 20,000 references in 400 files, by a provider that knows nothing else. */
export async function crowdCall(): Promise<EditorCall> {
  const folder = path.join(workspaceRoot(), CROWD);
  await mkdir(folder);
  const perFile = CROWD_PLACES / CROWD_FILES;
  const lines = `${'x'.repeat(20)} word ${'y'.repeat(50)}\n`.repeat(perFile);
  const uris = Array.from({ length: CROWD_FILES }, (_, index) =>
    vscode.Uri.file(path.join(folder, `file${index}.${CROWD}`)),
  );
  await Promise.all(uris.map(({ fsPath }) => writeFile(fsPath, lines)));
  vscode.languages.registerReferenceProvider(
    { pattern: `**/*.${CROWD}` },
    {
      provideReferences: () =>
        uris.flatMap((uri) =>
          Array.from({ length: perFile }, (_, line) => {
            return new vscode.Location(uri, new vscode.Position(line, 21));
          }),
        ),
    },
  );
  return { tool: 'references', input: { path: `${CROWD}/file0.${CROWD}:1:22` } };
}

/** The same place for who asks the editor itself. */
export function crowdAt(): { readonly uri: vscode.Uri; readonly position: vscode.Position } {
  const uri = vscode.Uri.file(path.join(workspaceRoot(), CROWD, `file0.${CROWD}`));
  return { uri, position: new vscode.Position(0, 21) };
}

async function show(name: string): Promise<vscode.TextEditor> {
  const file = path.join(workspaceRoot(), name);
  const document = await vscode.workspace.openTextDocument(file);
  return vscode.window.showTextDocument(document, { preview: false });
}

async function openSample(): Promise<void> {
  for (const name of ['cart', 'catalog', 'format', 'pricing', 'report'])
    await show(`src/${name}.ts`);
}

async function wake(room: EditorRoom): Promise<void> {
  await until('TypeScript has found the fault', async () =>
    (await room.call('diagnostics', { path: 'src/report.ts', full: true })).text.includes('error'),
  );
  await until('TypeScript knows the names', async () =>
    (await room.call('references', { symbol: 'calcTotal' })).text.includes('src/report.ts'),
  );
}

/** As a person does it; unsaved. */
async function edit(): Promise<void> {
  const { document } = await show('src/format.ts');
  const change = new vscode.WorkspaceEdit();
  change.insert(document.uri, new vscode.Position(0, 0), '// By a person.\n');
  if (!(await vscode.workspace.applyEdit(change))) throw new Error('nothing was edited');
}

async function writeNotebook(): Promise<void> {
  const cells = Array.from({ length: CELLS }, (_, index) => ({
    ...{ cell_type: 'code', execution_count: index, metadata: {} },
    source: [`sum(cents) / ${index}`],
    outputs: [{ output_type: 'stream', name: 'stdout', text: [`${'0'.repeat(2_000)}\n`] }],
  }));
  const metadata = { language_info: { name: 'python' } };
  const notebook = { cells, metadata, nbformat: 4, nbformat_minor: 5 };
  await writeFile(path.join(workspaceRoot(), 'totals.ipynb'), JSON.stringify(notebook));
}

async function debug(room: EditorRoom): Promise<void> {
  await useFakeDebugger();
  const program = path.join(workspaceRoot(), 'main.acme');
  await writeFile(program, 'first\n  second line\nthird\n');
  await startFake('stops', program);
  console.log((await room.call('step', { action: 'wait', wait: 50 })).text);
  console.log((await room.call('state')).text);
}

async function runCommand(room: EditorRoom): Promise<void> {
  const terminal = vscode.window.createTerminal({ name: 'bench', shellPath: '/bin/bash' });
  terminal.show();
  await until('the shell is integrated', () => terminal.shellIntegration !== undefined);
  terminal.shellIntegration?.executeCommand('seq 1 2000; sleep 1');
  await until('the command is told', async () =>
    (await room.call('terminal')).text.includes('exit 0'),
  );
}
