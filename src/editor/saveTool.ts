import * as l10n from '@vscode/l10n';
import { describe, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { holdDocuments } from './applyChange';
import { losesText, refuseOtherBuffer } from './checkWritable';
import { formatWritten, type WrittenFile } from './formatWritten';
import { saveNotebook } from './notebookFile';
import { findOpen, findOpenNotebook } from './openFile';
import { type ReadGuard, writeDenied } from './readGuard';
import { count } from './resultBudget';
import { saveDocument } from './saveDocument';
import { unsavedFiles } from './sameFile';
import { isInWorkspace, shownPath } from './servedFiles';
import { answer, ToolProblem } from './toolProblem';
import { diskPath, requireTarget } from './writeTarget';

const input = object({
  path: optional(string().check(describe('default all'))),
});

export function createSaveTool(deps: { readonly readGuard?: ReadGuard }): ToolDefinition {
  return defineTool({
    name: 'save',
    title: l10n.t('Save'),
    description:
      "Saves a file with unsaved changes, or all of the workspace, the person's changes included.",
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    searchHint: 'write unsaved changes to disk',
    edits: async ({ path }) =>
      (await named(path, deps.readGuard)).flatMap((uri) => diskPath({ uri }) ?? []),
    run: ({ path }, { signal, tellFile }) =>
      answer(async () => {
        const meant = await named(path, deps.readGuard);
        const uris = meant.filter((uri) => unsavedOf(uri) !== undefined);
        if (path !== undefined && uris.length === 0) {
          const unsaved = await unsavedFiles();
          for (const uri of meant) {
            await refuseOtherBuffer(uri, shownPath(uri), unsaved, 'Nothing was saved');
          }
        }
        const denied = await writeDenied(deps.readGuard, uris);
        if (denied !== undefined) {
          throw new ToolProblem(
            path === undefined
              ? `Nothing was saved: ${denied.reason} ${denied.count} of the files. Name the files to save`
              : `Nothing was saved: ${denied.reason} ${shownPath(denied.uri)}. Ask the person if it is needed`,
          );
        }
        const files = await holdDocuments(uris, signal, () => Promise.all(uris.map(saveOne)));
        for (const { path: saved } of files) tellFile(saved);
        return describeSaved(files, path);
      }),
  });
}

/** What the call is about. @throws ToolProblem for a path that is no document, or an untitled one */
async function named(
  path: string | undefined,
  guard: ReadGuard | undefined,
): Promise<readonly vscode.Uri[]> {
  if (path === undefined) {
    const { textDocuments, notebookDocuments } = vscode.workspace;
    return [...textDocuments, ...notebookDocuments]
      .filter(({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && isInWorkspace(uri))
      .map(({ uri }) => uri);
  }
  const target = await requireTarget(path, guard);
  if (target.isFolder) throw new ToolProblem(`${target.path} is a folder; give a file in it`);
  if (target.uri.scheme === 'untitled') {
    throw new ToolProblem(`${target.path} was never saved: the person has to choose where`);
  }
  return [target.uri];
}

function unsavedOf(uri: vscode.Uri): vscode.TextDocument | vscode.NotebookDocument | undefined {
  return [findOpen(uri), findOpenNotebook(uri)].find((one) => one?.isDirty);
}

async function saveOne(uri: vscode.Uri): Promise<WrittenFile> {
  const path = shownPath(uri);
  const document = unsavedOf(uri) ?? (await vscode.workspace.openTextDocument(uri));
  if ('cellCount' in document) {
    const state = await saveNotebook(document);
    return { path, what: count(document.cellCount, 'cell'), state, isReformatted: false };
  }
  const saved = { path, what: count(document.lineCount, 'line') };
  if (document.isDirty && (await losesText(document))) {
    return { ...saved, state: 'lossy', isReformatted: false };
  }
  return { ...saved, ...(await saveDocument(document)) };
}

function describeSaved(files: readonly WrittenFile[], path: string | undefined): string {
  if (files.length === 0) {
    return path === undefined ? 'nothing to save' : 'nothing to save: no unsaved changes';
  }
  const saved = files.filter(({ state }) => state === 'saved').length;
  return [`saved ${saved} of ${count(files.length, 'file')}`, ...formatWritten(files)].join('\n');
}
