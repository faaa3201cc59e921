import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ToolFilesApprovalCard } from '../../src/chat/viewStateProtocol';
import type { App } from '../../src/host/app';
import type { CardAnswer } from '../../src/host/approvalCards';
import { settings } from '../../src/host/settings';
import { createToolContext } from '../../src/mcp/toolContext';
import type { ToolFile } from '../../src/workspaceTools/toolFile';
import { closeAll } from './editorRoom';
import { patchbay, until } from './patchbay';

export interface ToolFilesRoom {
  readonly app: App;
  /** Absolute path of a file below `.patchbay/tools` of a workspace folder. */
  file(name: string): string;
  /** As git or a shell writes it. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** The cards in the panel. */
  cards(): readonly ToolFilesApprovalCard[];
  /** Waits for a card about this file, whose difference adds this text. */
  card(name: string, text: string): Promise<ToolFilesApprovalCard>;
  answer(card: ToolFilesApprovalCard, answer: CardAnswer): void;
  /** As the room has it; undefined where it knows no such file. */
  state(name: string): ToolFile | undefined;
  until(name: string, kind: ToolFile['state']['kind']): Promise<ToolFile>;
  /** Names of the tools that conversations have of it now. */
  tools(server?: string): readonly string[];
  call(tool: string, input?: object, server?: string): Promise<string>;
  /** Takes all files away, and what was decided about them. */
  clear(): Promise<void>;
}

/** The text of a tool that answers with this word. */
export function toolText(word: string): string {
  return `import { defineTool, z } from 'patchbay';

export default defineTool({
  description: 'Answers ${word}.',
  input: { name: z.string().optional() },
  run: ({ name = 'nobody' }) => '${word} ' + name,
});
`;
}

/** Over the extension as it runs, with its own watcher, its own storage and the real registry. */
export async function createToolFilesRoom(root: string): Promise<ToolFilesRoom> {
  const app = await patchbay();
  const { toolFiles, hub } = app;
  assert.ok(toolFiles);
  const registry = app.serversMenu()?.servers.registry;
  assert.ok(registry);
  const file = (name: string): string => path.join(root, '.patchbay', 'tools', name);
  const room: ToolFilesRoom = {
    app,
    file,
    write: async (name, text) => {
      await mkdir(path.dirname(file(name)), { recursive: true });
      // At once, as git does: an editor that reads it half written would not save over the rest.
      const fresh = path.join(path.dirname(root), `fresh-${name}`);
      await writeFile(fresh, text);
      await rename(fresh, file(name));
    },
    remove: (name) => rm(file(name), { force: true }),
    cards: () =>
      (hub.active.conversation.snapshot().approvals ?? []).filter(
        (card) => card.kind === 'toolFiles',
      ),
    card: (name, text) =>
      until(`a card shows ${text} of ${name}`, () =>
        room
          .cards()
          .find(({ files }) =>
            files.some(
              ({ path: shown, diff }) =>
                shown.endsWith(`/${name}`) &&
                diff?.hunks.some(({ lines }) =>
                  lines.some((line) => line.startsWith('+') && line.includes(text)),
                ),
            ),
          ),
      ),
    answer: (card, answer) => app.serversMenu()?.servers.cards.answer(card.id, answer),
    state: (name) =>
      toolFiles
        .folders()
        .flatMap(({ files }) => files)
        .find((one) => one.path === file(name)),
    until: (name, kind) =>
      until(`${name} is ${kind}`, () => {
        const found = room.state(name);
        return found?.state.kind === kind ? found : undefined;
      }),
    tools: (server = 'workspace') =>
      registry
        .get(server)
        ?.tools()
        .map(({ name }) => name) ?? [],
    call: async (tool, input = {}, server = 'workspace') => {
      const found = registry.get(server);
      assert.ok(found, `there is a server ${server}`);
      const { content } = await found.execute(tool, input, createToolContext());
      return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
    },
    clear: async () => {
      await closeAll();
      await rm(path.join(root, '.patchbay'), { recursive: true, force: true });
      await setTrustMyEdits(undefined);
      await until('no tool file is left', () =>
        toolFiles.folders().every(({ path: at, files }) => at !== root || files.length === 0),
      );
      await (await toolFiles.load()).withdraw(root);
      await until('no card is left', () => room.cards().length === 0);
    },
  };
  return room;
}

export async function setTrustMyEdits(value: boolean | undefined): Promise<void> {
  const { key } = settings.toolFilesTrustMyEdits;
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}

/** As the person does: types at the end of what the editor shows. */
export async function typeAtEnd(editor: vscode.TextEditor, text: string): Promise<void> {
  const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(end, end);
  await vscode.commands.executeCommand('type', { text });
}

/** As the person does: types in place of a word of the text. */
export async function typeOver(
  editor: vscode.TextEditor,
  word: string,
  text: string,
): Promise<void> {
  const { document } = editor;
  const whole = document.getText();
  for (
    let at = whole.lastIndexOf(word);
    at >= 0;
    at = at === 0 ? -1 : whole.lastIndexOf(word, at - 1)
  ) {
    const before = document.getText();
    const from = document.positionAt(at);
    const to = document.positionAt(at + word.length);
    // A notification that has just gone may still have the keys.
    await until('what is typed arrives', async () => {
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      editor.selection = new vscode.Selection(from, to);
      await vscode.commands.executeCommand('type', { text });
      return document.getText() !== before;
    });
  }
}
