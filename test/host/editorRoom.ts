import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../src/base/disposable';
import { Emitter } from '../../src/base/event';
import { createCodeServer } from '../../src/editor/codeServer';
import { createDiagnosticsFreshness } from '../../src/editor/diagnosticsFreshness';
import { createEditorContext, type EditorContext } from '../../src/editor/editorContext';
import { createEditorServer } from '../../src/editor/editorServer';
import { createNotebookServer } from '../../src/editor/notebookServer';
import type { ReadGuard } from '../../src/editor/readGuard';
import { createUserChanges } from '../../src/editor/userChanges';
import type { ConversationReset } from '../../src/mcp/conversationFacts';
import type { McpServerDefinition } from '../../src/mcp/mcpServer';
import { createToolContext } from '../../src/mcp/toolContext';
import { inRoot } from '../harness/paths';
import { restoreTree } from '../harness/restoreTree';
import type { LanguageDeps } from '../../src/editor/toolDeps';

/** The folder, below the workspace folder, that the planted files are copied to. */
export const PLANTED = 'planted files';

/** A tool's answer as the model gets it. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** The editor's tools over the real editor, with a conversation of their own. */
export interface EditorRoom extends Disposable {
  readonly context: EditorContext;
  readonly servers: readonly McpServerDefinition[];
  call(tool: string, input?: object, signal?: AbortSignal): Promise<ToolAnswer>;
  /** The files that the last call has told of. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** The model has forgotten what it was told. */
  reset(): void;
  /** The same room in another conversation: nothing was told there yet. */
  newConversation(): void;
  /** Who calls from now on: a sub-agent, or the main agent. */
  switchAgent(agent: string | undefined): void;
  /** What was typed until now counts as told. */
  newTurn(): void;
}

export interface EditorRoomOptions {
  /** How long a language server may take for one answer; long on a busy machine. */
  readonly answerMs?: number;
  readonly promptMs?: number;
  readonly readGuard?: ReadGuard;
  /** How long a cell of a notebook may take to begin to run. */
  readonly beginMs?: number;
  /** Other servers, over the same knowledge. */
  readonly more?: (known: LanguageDeps) => readonly McpServerDefinition[];
}

export function createEditorRoom({
  answerMs = 60_000,
  promptMs,
  readGuard,
  beginMs,
  more = () => [],
}: EditorRoomOptions = {}): EditorRoom {
  const store = new DisposableStore();
  const context = store.add(createEditorContext());
  const freshness = store.add(createDiagnosticsFreshness());
  const userChanges = store.add(createUserChanges());
  let lastTurnStart = Date.now();
  const servers = [
    createCodeServer({ freshness, context, readGuard, answerMs, promptMs }),
    createEditorServer({ context, freshness, readGuard, userChanges }),
    createNotebookServer({ readGuard, beginMs }),
    ...more({ freshness, context, readGuard }),
  ];
  const reset = store.add(new Emitter<ConversationReset>());
  let state = new Map<string, unknown>();
  let agent: string | undefined;
  let files: { path: string; bytes: number }[] = [];
  return {
    context,
    servers,
    get files() {
      return files;
    },
    reset: () => {
      reset.fire('compaction');
    },
    newConversation: () => {
      state = new Map();
    },
    switchAgent: (now) => {
      agent = now;
    },
    newTurn: () => {
      lastTurnStart = Date.now();
    },
    call: async (tool, input = {}, signal = new AbortController().signal) => {
      const server = servers.find((one) => one.getTool(tool) !== undefined);
      assert.ok(server, `there is a tool ${tool}`);
      files = [];
      const ctx = createToolContext({
        state,
        signal,
        lastTurnStart,
        ...(agent === undefined ? {} : { agent }),
        onDidReset: reset.event,
        tellFile: (named, bytes = 0) => files.push({ path: named, bytes }),
      });
      const result = await server.execute(tool, input, ctx);
      const [block] = result.content;
      assert.equal(block?.type, 'text');
      return { text: block.text, isError: result.isError === true };
    },
    dispose: () => store.dispose(),
  };
}

export function workspaceRoot(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'the suite runs in a workspace folder');
  return folder.uri.fsPath;
}

/** Path on disk of a planted file. */
export function plantedFile(name: string): string {
  return path.join(workspaceRoot(), PLANTED, name);
}

/** The same as the model writes it. */
export function plantedPath(name: string): string {
  return `${PLANTED}/${name}`;
}

/**
 * Lays out the planted files, once for all suites: what a suite has left behind or changed is as it
 * was. Saving by itself, which VS Code does by default in a browser, is off.
 */
export async function layPlanted(): Promise<void> {
  const files = vscode.workspace.getConfiguration('files');
  if (files.get('autoSave') !== 'off') {
    await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  }
  const changed = await restoreTree(inRoot('test/fixtures/workspaces/planted'), plantedFile(''));
  // What is known of these is to be seen anew.
  for (const name of changed) known.delete(name);
}

/** What TypeScript was seen to know, by path below the planted files: the names that stand there. */
const known = new Map<string, string>();

/**
 * Waits until TypeScript knows the names of all scripts, however long a busy machine takes for it.
 * Where none is new since it last did, it does.
 */
export async function wakeTypeScript(room: EditorRoom): Promise<void> {
  const now = await plantedNames();
  const fresh = [...now].filter(([file, name]) => known.get(file) !== name);
  if (fresh.length === 0) return;
  await show('src/plantedOrder.ts');
  if (known.size === 0) {
    const given = { path: plantedPath('src/plantedOrder.ts'), full: true };
    await until('TypeScript knows the planted error', async () =>
      (await room.call('diagnostics', given)).text.includes('9:9 error'),
    );
    await until('TypeScript knows the planted names', async () =>
      (await room.call('symbols', { query: 'PlantedLedger' })).text.includes('class PlantedLedger'),
    );
  }
  for (const [file, name] of fresh) {
    await until(`${name} is known`, () => isDeclared(name, file));
    known.set(file, name);
  }
  await closeAll();
}

/** The first name that each planted script of the project exports. */
async function plantedNames(): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(plantedFile('src'), { recursive: true, withFileTypes: true });
  const scripts = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(plantedFile(''), path.join(entry.parentPath, entry.name)));
  const found = await Promise.all(
    scripts.map(async (name): Promise<readonly [string, string]> => {
      const text = await readFile(plantedFile(name), 'utf8');
      const declared = /^export (?:\w+ )*(?:class|function|const|interface|type) (\w+)/m.exec(text);
      return [name, declared?.[1] ?? ''];
    }),
  );
  return new Map(found.filter(([, name]) => name !== ''));
}

async function isDeclared(name: string, file: string): Promise<boolean> {
  const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[]>(
    'vscode.executeWorkspaceSymbolProvider',
    name,
  );
  const { path: wanted } = vscode.Uri.file(plantedFile(file));
  return found.some((one) => one.name.startsWith(name) && one.location.uri.path === wanted);
}

/**
 * The planted files, and a room over them that TypeScript has read, for all tests of a suite. Each
 * test begins a conversation of its own and leaves no tab.
 * @param plant what the suite adds to the files
 */
export function usePlantedRoom(
  take: (room: EditorRoom) => void,
  { plant, ...options }: EditorRoomOptions & { readonly plant?: () => Promise<void> } = {},
): void {
  let room: EditorRoom;
  before(async () => {
    await closeAll();
    await layPlanted();
    await plant?.();
    room = createEditorRoom(options);
    take(room);
    await wakeTypeScript(room);
  });
  after(async () => {
    room.dispose();
    await restorePlanted();
  });
  beforeEach(() => room.newConversation());
  afterEach(closeAll);
}

/** As a suite ends. */
export async function restorePlanted(): Promise<void> {
  await closeAll();
  await layPlanted();
}

export async function show(name: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(plantedFile(name));
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Closes all tabs; what is unsaved is reverted first, so that nobody is asked. */
export async function closeAll(): Promise<void> {
  await until('no tab is left', async () => {
    await revertAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A run of a cell may go on and leave its notebook unsaved meanwhile: then the editor asks, and closes nothing.
    return vscode.window.tabGroups.all.every((g) => g.tabs.length === 0);
  });
}

async function revertAll(): Promise<void> {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  for (const document of textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document, { preview: false });
    const revert = document.isUntitled ? 'revertAndCloseActiveEditor' : 'files.revert';
    await vscode.commands.executeCommand(`workbench.action.${revert}`);
  }
  for (const notebook of notebookDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

/** Puts text in place of the whole document, unsaved. */
export async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 90_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
