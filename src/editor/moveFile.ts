import * as vscode from 'vscode';
import { ellipsize } from '../base/cutText';
import type { ToolContext } from '../mcp/toolContext';
import { applyWhole, settleChanged } from './applyChange';
import { boundedCall } from './boundedCall';
import { type ChangedDocument, DocumentChanges } from './documentChanges';
import type { FoundFile } from './findFile';
import { formatChange, type WrittenFile } from './formatWritten';
import {
  followsMove,
  isBelow,
  seemingImporters,
  type UpdateSetting,
  updateSetting,
} from './importUpdates';
import { movedTo } from './movedUri';
import { tellNamed } from './namedFiles';
import { type ProblemWatch, watchProblems } from './newProblems';
import { type IsExpected, ownEdits } from './ownEdits';
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
  const setting = updateSetting(source.uri, source.isFolder);
  const isFollowed = setting === 'always' || setting === 'prompt';
  const importers = isFollowed ? await seemingImporters(source.uri, deps.readGuard) : [];
  const follows = followsMove(source.uri, target.uri, importers, setting);
  let isMoved = false;
  // Unsaved text moves along, which is a change of the new document.
  const isExpected: IsExpected = (change) =>
    (isMoved || !isBelow(change.document.uri, target.uri)) && follows(change);
  const own = { ...found(source.uri), later: found(target.uri) };
  const watched = [...(isFollowed && !source.isFolder ? [own] : []), ...importers.map(found)];
  const problems = await watchProblems(watched, [], deps, ctx.signal);
  const changes = new DocumentChanges(isExpected);
  try {
    await ownEdits.runExpecting(isExpected, async () => {
      await apply(source, target, ctx.signal);
      isMoved = true;
      const waitMs = waitFor(setting, importers.length > 0 || source.isFolder, deps);
      await ctx.whilePersonDecides(changes.settle(waitMs, ctx.signal));
    });
    const back = (uri: vscode.Uri): vscode.Uri => before(uri, source, target);
    return await report(source, target, changes.seen(back), { importers, setting, problems }, ctx);
  } finally {
    changes.dispose();
  }
}

function waitFor(setting: UpdateSetting, isImported: boolean, { promptMs }: MoveDeps): number {
  const firstMs = setting === 'prompt' ? (promptMs ?? FIRST_MS.prompt) : FIRST_MS[setting];
  // Without an import there is nothing to wait for; relative ones in the file itself take no question.
  return isImported ? firstMs : Math.min(firstMs, 1_500);
}

async function report(
  source: WriteTarget,
  target: WriteTarget,
  changed: readonly ChangedDocument[],
  known: {
    readonly importers: readonly vscode.Uri[];
    readonly setting: UpdateSetting;
    readonly problems: ProblemWatch;
  },
  ctx: Pick<ToolContext, 'signal' | 'tellFile'>,
): Promise<string> {
  const importers = known.importers.map((uri) => shownPath(uri)).sort();
  const files = await Promise.all(changed.map(settleChanged));
  const named = changed.map(({ document }) => found(document.uri));
  const none = { lines: [], paths: [] };
  const problems = files.length === 0 ? none : await known.problems.after(ctx.signal, named);
  const moved = `moved ${ellipsize(source.path, 200)} to ${ellipsize(target.path, 200)}`;
  const head = [moved, ...describeImports(files, importers, known.setting)];
  const text = formatChange(head, files, problems.lines);
  const others = [...files.map(({ path }) => path), ...importers, ...problems.paths];
  const paths = [source.path, target.path, ...others];
  return tellNamed(text, paths, ctx);
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

/** The URI that a document of the target had before. */
function before(uri: vscode.Uri, source: WriteTarget, target: WriteTarget): vscode.Uri {
  return movedTo(uri, [{ oldUri: target.uri, newUri: source.uri }]) ?? uri;
}

function found(uri: vscode.Uri): FoundFile {
  return { uri, path: shownPath(uri), isFolder: false };
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
