import * as l10n from '@vscode/l10n';
import { describe, object, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { holdDocuments } from './applyChange';
import { filesBelow } from './filesBelow';
import { isBelow } from './importUpdates';
import { type MoveDeps, moveFile } from './moveFile';
import { type ReadGuard, writeDenied } from './readGuard';
import { ToolProblem, answer } from './toolProblem';
import { diskPath, findTarget, namesFolder, requireTarget, type WriteTarget } from './writeTarget';
import * as vscode from 'vscode';

const input = object({
  from: string().check(describe('file or folder')),
  to: string().check(describe('new path, or a folder to put it in')),
});

/** Other extensions take part, and the person may be asked. */
const TIMEOUT_MS = 180_000;

export function createMoveTool(deps: MoveDeps): ToolDefinition {
  return defineTool({
    name: 'move',
    title: l10n.t('Move or rename a file'),
    description:
      'Moves or renames a file or folder; imports follow where the language extension does that. Says what changed.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    searchHint: 'move or rename a file, imports follow',
    timeout: TIMEOUT_MS,
    edits: async ({ from, to }) => {
      const source = await findTarget(from);
      const target = await placeFor(source, to);
      return [source, target, ...(await below(source))].flatMap((one) => diskPath(one) ?? []);
    },
    run: ({ from, to }, ctx) =>
      answer(async () => {
        const source = await requireTarget(from, deps.readGuard);
        const target = await placeFor(source, to);
        refuseTarget(source, target);
        await refuseRules([source, target, ...(await below(source))], deps.readGuard);
        return holdDocuments([source.uri, target.uri], ctx.signal, () =>
          moveFile(source, target, deps, ctx),
        );
      }),
  });
}

/**
 * Where it goes: under its own name into a folder that is there, or that the path means by a slash at
 * its end; else to that path.
 */
async function placeFor(source: WriteTarget, to: string): Promise<WriteTarget> {
  const target = await findTarget(to);
  const isSame = target.uri.toString() === source.uri.toString();
  const isInto = target.isFolder || namesFolder(to);
  if (!isInto || (isSame && target.isFolder)) return target;
  if (target.exists && !target.isFolder) {
    throw new ToolProblem(`Nothing was moved: ${target.path} is a file, not a folder`);
  }
  const name = source.uri.path.slice(source.uri.path.lastIndexOf('/') + 1);
  return findTarget(vscode.Uri.joinPath(target.uri, name).toString());
}

function refuseTarget(source: WriteTarget, target: WriteTarget): void {
  const { path } = target;
  if (target.uri.toString() === source.uri.toString())
    throw new ToolProblem(`${path} is there already`);
  if (target.exists) {
    throw new ToolProblem(
      `Nothing was moved: ${path} exists. Give another path, or remove it first`,
    );
  }
  const roots = vscode.workspace.workspaceFolders ?? [];
  if (roots.some(({ uri }) => isBelow(uri, source.uri))) {
    throw new ToolProblem(
      `Nothing was moved: ${source.path} is a folder of the workspace, or holds one`,
    );
  }
  if (source.uri.scheme === 'untitled' || target.uri.scheme === 'untitled') {
    throw new ToolProblem(
      'Nothing was moved: an untitled document is no file; the person has to save it',
    );
  }
  if (`${target.uri.path}/`.startsWith(`${source.uri.path}/`)) {
    throw new ToolProblem(`Nothing was moved: ${path} lies in ${source.path} itself`);
  }
}

async function refuseRules(
  targets: readonly Pick<WriteTarget, 'uri'>[],
  guard: ReadGuard | undefined,
): Promise<void> {
  const denied = await writeDenied(
    guard,
    targets.map(({ uri }) => uri),
  );
  if (denied === undefined) return;
  throw new ToolProblem(
    `Nothing was moved: ${denied.reason} ${denied.count === 1 ? 'one' : denied.count} of the files. Ask the person`,
  );
}

/** What a folder takes along. */
async function below(source: WriteTarget): Promise<readonly Pick<WriteTarget, 'uri'>[]> {
  if (!source.isFolder || source.uri.scheme !== 'file') return [];
  const files = await filesBelow(source.uri.fsPath);
  return files.map((file) => ({ uri: vscode.Uri.file(file) }));
}
