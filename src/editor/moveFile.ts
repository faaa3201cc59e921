import * as vscode from 'vscode';
import { ellipsize } from '../base/cutText';
import type { ToolContext } from '../mcp/toolContext';
import { applyWhole, settleChanged } from './applyChange';
import { boundedCall } from './boundedCall';
import { type ChangedDocument, DocumentChanges } from './documentChanges';
import { formatWritten, type WrittenFile } from './formatWritten';
import { type UpdateSetting, seemingImporters, updateSetting } from './importUpdates';
import { tellNamed } from './namedFiles';
import { watchProblems } from './newProblems';
import { count } from './resultBudget';
import { shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import type { WriteTarget } from './writeTarget';
import type { LanguageDeps } from './toolDeps';

export interface MoveDeps extends LanguageDeps {
  /** How long an answer of the person to a question about imports is waited for; 20 s by default. */
  readonly promptMs?: number;
}

const MOVE_MS = 90_000;
/** Until the language extension has changed a first file, by what the person has set. */
const FIRST_MS: Record<UpdateSetting, number> = {
  always: 15_000,
  prompt: 20_000,
  never: 300,
  unknown: 1_000,
};
const NAMED = 8;

/**
 * Moves a file or folder so that other extensions hear of it, and waits, bounded, for what they then
 * do to imports. The caller holds both places.
 * @returns the answer for the model
 */
export async function moveFile(
  source: WriteTarget,
  target: WriteTarget,
  deps: MoveDeps,
  ctx: Pick<ToolContext, 'signal' | 'tellFile' | 'whilePersonDecides'>,
): Promise<string> {
  const { signal } = ctx;
  const setting = updateSetting(source.uri, source.isFolder);
  const importers =
    setting === 'never' || setting === 'unknown'
      ? []
      : await seemingImporters(source.uri, deps.readGuard);
  let isMoved = false;
  const changes = new DocumentChanges((change) => {
    // Unsaved text moves along, which is a change of the new document.
    const isOwn = isBelow(change.document.uri, target.uri);
    return isOwn ? isMoved : namesPlace(change, source, target);
  });
  try {
    await apply(source, target, signal);
    isMoved = true;
    const firstMs = setting === 'prompt' ? (deps.promptMs ?? FIRST_MS.prompt) : FIRST_MS[setting];
    // Without an import there is nothing to wait for; relative ones in the file itself take no question.
    const waitMs = importers.length === 0 && !source.isFolder ? Math.min(firstMs, 1_500) : firstMs;
    await ctx.whilePersonDecides(changes.settle(waitMs, signal));
    const back = (uri: vscode.Uri): vscode.Uri => before(uri, source, target);
    const changed = changes.seen(back);
    const problems = await watchProblems(changed.map(foundFile), [], deps, signal);
    const files = await Promise.all(changed.map(settleChanged));
    const text = [
      `moved ${ellipsize(source.path, 200)} to ${ellipsize(target.path, 200)}`,
      ...describeImports(files, importers, setting),
      ...formatWritten(files),
      ...(files.length === 0 ? [] : await problems.after(signal)),
    ].join('\n');
    const paths = [source.path, target.path, ...files.map(({ path }) => path), ...importers];
    return tellNamed(text, paths, ctx);
  } finally {
    changes.dispose();
  }
}

async function apply(source: WriteTarget, target: WriteTarget, signal: AbortSignal): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(source.uri, target.uri);
  // Extensions that take part may take their time; what they began cannot be called back.
  const bounds = { timeoutMs: MOVE_MS, signal, who: 'The editor, moving the file,' };
  if (await boundedCall(() => applyWhole(edit), bounds)) return;
  throw new ToolProblem(
    `Nothing was moved: the editor refused. ${source.path} may be gone or not writable by now`,
  );
}

/** A change that names where it is or was: the person may be typing elsewhere. */
function namesPlace(
  { contentChanges }: vscode.TextDocumentChangeEvent,
  source: WriteTarget,
  target: WriteTarget,
): boolean {
  const names = [source, target].flatMap(({ uri }) => nameParts(uri.path));
  return contentChanges.some(({ text }) => names.some((name) => text.includes(name)));
}

function isBelow(uri: vscode.Uri, root: vscode.Uri): boolean {
  return uri.path === root.path || uri.path.startsWith(`${root.path}/`);
}

/** The name without its ending, and that of its folder, which an import of an index file has. */
function nameParts(path: string): readonly string[] {
  const [folder = '', name = ''] = path.split('/').slice(-2);
  return [name.replace(/\.[^.]+$/u, ''), folder].filter((part) => part !== '' && part !== 'index');
}

/** The URI that a document of the target had before. */
function before(uri: vscode.Uri, source: WriteTarget, target: WriteTarget): vscode.Uri {
  if (!isBelow(uri, target.uri)) return uri;
  return uri.with({ path: `${source.uri.path}${uri.path.slice(target.uri.path.length)}` });
}

function foundFile({ document }: ChangedDocument): {
  uri: vscode.Uri;
  path: string;
  isFolder: boolean;
} {
  return { uri: document.uri, path: shownPath(document.uri), isFolder: false };
}

function describeImports(
  files: readonly WrittenFile[],
  importers: readonly string[],
  setting: UpdateSetting,
): readonly string[] {
  if (files.length > 0) return [`imports updated in ${count(files.length, 'file')}`];
  switch (setting) {
    case 'unknown':
      return ['no other file was changed'];
    case 'never':
      return ["imports not updated: the person's setting is never. Change them with edit"];
    case 'always':
      return importers.length === 0
        ? ['no file was seen to import it, and none was changed']
        : [
            'imports not updated: the language extension changed nothing',
            ...nameImporters(importers),
          ];
    case 'prompt':
      return importers.length === 0
        ? ['no imports found to update']
        : [
            "imports not updated: the editor's question about them is open or was refused",
            ...nameImporters(importers),
          ];
  }
}

function nameImporters(importers: readonly string[]): readonly string[] {
  const more = importers.length - NAMED;
  const named = importers.slice(0, NAMED).join(', ');
  return [`these seem to import it: ${named}${more > 0 ? ` and ${more} more` : ''}`];
}
