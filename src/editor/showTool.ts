import * as l10n from '@vscode/l10n';
import { describe, int, minimum, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { awaitDisk } from './diskState';
import { findServed, type FoundFile } from './findFile';
import { highlightLines } from './highlightLines';
import { isBinary, openDocument } from './openDocument';
import { findOpenNotebook } from './openFile';
import { tabUris } from './openTabs';
import type { ReadGuard } from './readGuard';
import { answer, ToolProblem } from './toolProblem';

const line = (text: string) => optional(int().check(minimum(1), describe(text)));

const input = object({
  path: string(),
  from: line('first line'),
  to: line('last line'),
});

export function createShowTool(deps: { readonly readGuard?: ReadGuard }): ToolDefinition {
  return defineTool({
    name: 'show',
    title: l10n.t('Show in the editor'),
    description:
      'Opens a tab and highlights lines, only for the person to look at. The focus stays.',
    input,
    // It changes no file, and nobody needs to be asked about a tab.
    annotations: { readOnlyHint: true },
    searchHint: 'open a file for the person, reveal lines',
    run: ({ path, from, to }, { tellFile, signal }) =>
      answer(async () => {
        const file = await findServed(path, deps.readGuard);
        const options = {
          viewColumn: columnFor(file.uri),
          preserveFocus: true,
          preview: true,
        };
        if (await hasOwnEditor(file)) {
          await vscode.commands.executeCommand('vscode.open', file.uri, options);
          tellFile(file.path);
          return `shown: ${file.path}, which is no text: no lines are highlighted`;
        }
        const document = await openDocument(file);
        // As the CLI has just written it: the old text may lack the lines, or lose their marks.
        await awaitDisk(document, signal);
        const lines = readLines(file.path, document.lineCount, from, to);
        const editor = await vscode.window.showTextDocument(document, options);
        if (lines) highlightLines(editor, lines);
        tellFile(file.path);
        const where = lines ? `, lines ${lines.from}-${lines.to} highlighted` : '';
        return `shown: ${file.path}${where}`;
      }),
  });
}

/** A notebook, whose text the person would see as JSON, a picture and the like. */
async function hasOwnEditor({ uri, isFolder }: FoundFile): Promise<boolean> {
  if (isFolder) return false;
  return (
    findOpenNotebook(uri) !== undefined || uri.path.endsWith('.ipynb') || (await isBinary(uri))
  );
}

function readLines(
  path: string,
  lineCount: number,
  from: number | undefined,
  to: number | undefined,
): { readonly from: number; readonly to: number } | undefined {
  const first = from ?? to;
  if (first === undefined) return undefined;
  const last = Math.min(to ?? first, lineCount);
  if (first > lineCount) {
    throw new ToolProblem(`${path} has ${lineCount} lines; from=${first} is past the end`);
  }
  if (last < first) throw new ToolProblem(`to=${last} is before from=${first}`);
  return { from: first, to: last };
}

/**
 * Where the document has a tab already, else beside the other texts; never over the chat, where that
 * is open as an editor.
 */
function columnFor(uri: vscode.Uri): vscode.ViewColumn {
  const key = uri.toString();
  const groups = vscode.window.tabGroups.all;
  const own = groups.find(({ tabs }) =>
    tabs.some((tab) => tabUris(tab).some((shown) => shown.toString() === key)),
  );
  if (own) return own.viewColumn;
  const holdsChat = (group: vscode.TabGroup): boolean =>
    group.activeTab?.input instanceof vscode.TabInputWebview;
  const active = vscode.window.tabGroups.activeTabGroup;
  if (!holdsChat(active)) return active.viewColumn;
  return groups.find((group) => !holdsChat(group))?.viewColumn ?? vscode.ViewColumn.Beside;
}
