import * as l10n from '@vscode/l10n';
import { enum as choice, int, maximum, minimum, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { type HierarchyItem, prepareHierarchy } from './askHierarchy';
import { type Direction, formatHierarchy } from './formatHierarchy';
import { tellNamed } from './namedFiles';
import { findPlace, type Place } from './place';
import { forOneCall, lookAtRules, type ReadGuard } from './readGuard';
import { isInWorkspace, nameInWorkspace } from './servedFiles';
import { describeLeft } from './servedPlaces';
import { answer, ToolProblem } from './toolProblem';
import { whySilent } from './whySilent';
import { walkHierarchy } from './walkHierarchy';
import type { LanguageDeps } from './toolDeps';

const DIRECTIONS = ['callers', 'callees', 'supertypes', 'subtypes'] as const;

const input = object({
  of: choice(DIRECTIONS),
  symbol: optional(string()),
  path: optional(string()),
  line: optional(int()),
  depth: optional(int().check(minimum(1), maximum(3))),
});

export function createHierarchyTool(deps: LanguageDeps): ToolDefinition {
  return defineTool({
    name: 'hierarchy',
    title: l10n.t('Hierarchy'),
    description: 'Callers or callees of a function, supertypes or subtypes of a type.',
    input,
    annotations: { readOnlyHint: true },
    searchHint: 'call hierarchy, type hierarchy: who calls what',
    run: ({ of: direction, depth = 1, ...given }, ctx) =>
      answer(async () => {
        const here = forOneCall(deps);
        const found = await findPlace(given, here, ctx);
        if (found.kind === 'choice') return tellNamed(found.text, found.paths, ctx);
        const bounds = { timeoutMs: here.answerMs ?? 10_000, signal: ctx.signal };
        const { document, position, name = '' } = found;
        const items = await prepareHierarchy(direction, document.uri, position, bounds);
        if (items.length === 0) throw noProvider(found, direction);
        const starts = await givenStarts(items, direction, here.readGuard);
        if (starts.length === 0) throw keptBack(direction, name);
        const { steps, left, cut } = await walkHierarchy(
          { direction, items: starts, depth },
          bounds,
          here.readGuard,
        );
        const denied = left.denied + items.length - starts.length;
        const notes = [...found.notes, ...describeLeft({ ...left, denied }), ...cut];
        const text = formatHierarchy(direction, name, steps, notes);
        const paths = steps.map(({ path }) => path);
        return tellNamed(text, paths, ctx);
      }),
  });
}

/** What a symbol calls or extends is told by its own file, what calls or extends it by others. */
async function givenStarts(
  items: readonly HierarchyItem[],
  direction: Direction,
  guard: ReadGuard | undefined,
): Promise<readonly HierarchyItem[]> {
  if (direction === 'callers' || direction === 'subtypes') return items;
  const nameOf = await nameInWorkspace();
  const denied = await lookAtRules(
    guard,
    items.map(({ uri }) => nameOf(uri)),
  );
  return items.filter((item) => {
    const uri = nameOf(item.uri);
    return isInWorkspace(uri) && denied(uri) === undefined;
  });
}

function keptBack(direction: Direction, name: string): ToolProblem {
  return new ToolProblem(
    `Not given out: the ${direction} of '${name.slice(0, 40)}' stand in its own file, which is kept back by a rule or setting, or lies outside. Ask the person if it is needed`,
  );
}

function noProvider({ file, document, position, name }: Place, direction: Direction): ToolProblem {
  const calls = direction === 'callers' || direction === 'callees';
  const at = `${file.path.slice(-80)}:${position.line + 1}:${position.character + 1}`;
  const why = vscode.workspace.isTrusted
    ? `'${document.languageId}' has none, or this is no ${calls ? 'function' : 'type'}`
    : whySilent(document.languageId);
  const next =
    direction === 'subtypes' ? 'Use definition with kind=implementation' : 'Use references';
  return new ToolProblem(
    `No ${calls ? 'call' : 'type'} hierarchy of '${(name ?? '').slice(0, 40)}' at ${at}: ${why}. ${next}`,
  );
}
