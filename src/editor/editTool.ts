import * as l10n from '@vscode/l10n';
import { array, boolean, describe, minLength, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { holdDocuments } from './applyChange';
import { refuseTwins } from './checkWritable';
import { editFiles, type FileEdit } from './editFiles';
import { tellNamed } from './namedFiles';
import { unknownPath } from './nearestFiles';
import { findOpen, findOpenNotebook } from './openFile';
import type { Hunk } from '../base/placeHunks';
import { type ReadGuard, refuseDeniedWrites } from './readGuard';
import { pathWorld } from './servedFiles';
import { answer, ToolProblem } from './toolProblem';
import { diskPath, findTarget, namesFolder, type WriteTarget } from './writeTarget';
import type { ProblemDeps } from './toolDeps';

const input = object({
  edits: array(
    object({
      path: string(),
      old: string().check(describe('text that occurs once; "" makes a file')),
      new: string(),
      all: optional(boolean().check(describe('every occurrence'))),
    }),
  ).check(minLength(1)),
});

/** Room for waiting on formatters and language servers. */
const TIMEOUT_MS = 120_000;

export function createEditTool(deps: ProblemDeps): ToolDefinition {
  return defineTool({
    name: 'edit',
    title: l10n.t('Edit in the editor'),
    description:
      'Replaces text through the editor, one undo step, and tells new problems. In place of Edit and Write where a file has unsaved changes, CRLF or is not UTF-8: all that is kept. Saves what was saved before.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    searchHint: 'change text: unsaved buffers, CRLF, other encodings',
    timeout: TIMEOUT_MS,
    edits: async ({ edits }) => {
      const targets = await Promise.all(edits.map(({ path }) => findTarget(path)));
      return targets.flatMap((target) => diskPath(target) ?? []);
    },
    run: ({ edits }, ctx) =>
      answer(async () => {
        const { signal } = ctx;
        const files = await groupByFile(edits, deps.readGuard);
        const targets = files.map(({ target }) => target);
        await refuseDeniedWrites(deps.readGuard, targets);
        const uris = targets.map(({ uri }) => uri);
        const { text, paths } = await holdDocuments(uris, signal, async () => {
          targets.forEach(refuseStray);
          await refuseTwins(targets);
          return editFiles(files, deps, signal);
        });
        for (const { path } of targets) ctx.tellFile(path);
        const own = new Set(targets.map(({ path }) => path));
        return tellNamed(
          text,
          paths.filter((path) => !own.has(path)),
          ctx,
        );
      }),
  });
}

async function groupByFile(
  edits: readonly (Hunk & { readonly path: string })[],
  guard: ReadGuard | undefined,
): Promise<readonly FileEdit[]> {
  const files = new Map<string, { target: WriteTarget; hunks: Hunk[] }>();
  for (const { path, ...hunk } of edits) {
    const target = await findTarget(path);
    if (!target.exists && namesFolder(path)) {
      throw new ToolProblem(`Nothing was changed: ${path} names a folder; give a file in it`);
    }
    const key = target.uri.toString();
    const known = files.get(key);
    if (known) known.hunks.push(hunk);
    else files.set(key, { target, hunks: [hunk] });
  }
  return Promise.all(
    [...files.values()].map(async ({ target, hunks }) => {
      const isNew = hunks.length === 1 && hunks[0]?.old === '';
      if (!target.exists && !isNew) throw await unknownPath(target.path, pathWorld(), guard);
      return { target: isNew && isLeftOver(target) ? { ...target, exists: false } : target, hunks };
    }),
  );
}

/** Removed from the disk, and nothing of it is in the editor that was not there: it may be made anew. */
function isLeftOver({ uri, size }: WriteTarget): boolean {
  if (uri.scheme !== 'file' || size !== undefined) return false;
  return findOpen(uri)?.isDirty === false;
}

/** What is no text file of its own is changed elsewhere. */
function refuseStray({ uri, path, isFolder }: WriteTarget): void {
  if (isFolder) throw new ToolProblem(`${path} is a folder; give a file in it`);
  if (findOpenNotebook(uri) || /\.ipynb$/iu.test(uri.path)) {
    throw new ToolProblem(`${path} is a notebook: use edit_cell of the server notebook`);
  }
}
