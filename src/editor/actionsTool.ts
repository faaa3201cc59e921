import * as l10n from '@vscode/l10n';
import { describe, int, minimum, object, optional, string } from 'zod/mini';
import type * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { holdDocuments } from './applyChange';
import { unclearByNow } from './applyRefactoring';
import { type OfferedAction, partsOf } from './askActions';
import { formatActions } from './formatActions';
import { tellNamed } from './namedFiles';
import { NamedWrites } from './namedWrites';
import {
  type ActionsInput,
  findActions,
  findOffer,
  type Offer,
  listedActions,
  tellList,
  type ToldLists,
} from './findActions';
import { leftByRules } from './readGuard';
import { oneLine } from './resultBudget';
import { runAction } from './runAction';
import { answer, ToolProblem } from './toolProblem';
import { writtenPaths, writtenUris } from './workspaceEditParts';
import { diskPath, findTarget, refuseSeveral } from './writeTarget';
import type { LanguageDeps } from './toolDeps';
import { toolState } from './toolState';

const input = object({
  path: string(),
  symbol: optional(string()),
  line: optional(int().check(minimum(1), describe('default whole file'))),
  apply: optional(string().check(describe('title, number, organizeImports, fixAll or format'))),
});

const TIMEOUT_MS = 180_000;
const NAMING_MS = 8_000;

export function createActionsTool(deps: LanguageDeps): ToolDefinition {
  const named = new NamedWrites();
  return defineTool({
    name: 'actions',
    title: l10n.t('Code actions'),
    description:
      'Lists quick fixes and refactorings at a place, or applies one. Also organizes imports, fixes all, formats.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    searchHint: 'quick fix, refactor, organize imports, format',
    timeout: TIMEOUT_MS,
    reads: ({ apply: wanted }) => wanted === undefined,
    edits: async (given) => named.name(given, await nameFiles(given, deps)),
    run: (given, ctx) =>
      answer(async () => {
        if (given.apply === undefined) return list(given, deps, ctx);
        await refuseSeveral(given.path);
        const offer = await findOffer(given, deps, toldOf(ctx), ctx.signal);
        if ('text' in offer) return tellNamed(offer.text, offer.paths, ctx);
        return holdDocuments(urisOf(offer), ctx.signal, () =>
          apply(offer, given, deps, named, ctx),
        );
      }),
  });
}

async function list(given: ActionsInput, deps: LanguageDeps, ctx: ToolContext): Promise<string> {
  const found = await findActions(given, deps, ctx.signal);
  if ('text' in found) return tellNamed(found.text, found.paths, ctx);
  tellList(found, toldOf(ctx));
  const { where, path, hidden } = found;
  const text = formatActions(where, listedActions(found), leftByRules(hidden));
  return tellNamed(text, [path], ctx);
}

async function apply(
  first: Offer,
  given: ActionsInput,
  deps: LanguageDeps,
  named: NamedWrites,
  ctx: ToolContext,
): Promise<string> {
  const again = async (): Promise<OfferedAction> => {
    const offer = await findOffer(given, deps, toldOf(ctx), ctx.signal);
    if ('text' in offer) throw unclearByNow();
    const parts = partsOf(offer.action);
    if (parts) named.check(given, writtenPaths(parts));
    return offer.action;
  };
  const { text, paths } = await runAction(first, again, deps, ctx.signal);
  return tellNamed([text, ...describeOthers(first)].join('\n'), paths, ctx);
}

/** Each server fixes what it knows of: the next call finds what is left by then. */
function describeOthers({ others = [] }: Offer): readonly string[] {
  if (others.length === 0) return [];
  const named = others.slice(0, 3).map((title) => `'${oneLine(title, 60)}'`);
  return [`not applied yet, call again for it: ${named.join(', ')}`];
}

/**
 * What would be written, once for each place. Of a command nobody knows beforehand: it counts as any
 * tool that runs something. A list writes nothing.
 */
async function nameFiles(given: ActionsInput, deps: LanguageDeps): Promise<readonly string[]> {
  if (given.apply === undefined) return [];
  const own = [await findTarget(given.path)].flatMap((target) => diskPath(target) ?? []);
  const signal = AbortSignal.timeout(NAMING_MS);
  try {
    const offer = await findOffer(given, deps, undefined, signal);
    if ('text' in offer) return own;
    const parts = partsOf(offer.action);
    return parts === undefined ? [] : writtenPaths(parts);
  } catch (error) {
    if (!(error instanceof ToolProblem) || signal.aborted) throw error;
    return own;
  }
}

function urisOf({ action, document }: Offer): readonly vscode.Uri[] {
  const parts = partsOf(action);
  return parts ? writtenUris(parts) : [document.uri];
}

function toldOf(ctx: ToolContext): ToldLists {
  return toolState<ToldLists>(ctx, 'actions', () => new Map());
}
