import type * as vscode from 'vscode';
import { followHierarchy, type HierarchyItem, type HierarchyLink } from './askHierarchy';
import type { AskBounds } from './documentOutline';
import type { Direction, HierarchyStep } from './formatHierarchy';
import { kindWord } from './formatSymbols';
import { lookAtRules, type ReadGuard } from './readGuard';
import type { PathWorld } from './pathDisplay';
import { excludedFiles, isInWorkspace, nameInWorkspace, pathWorld, shownPath } from './servedFiles';
import type { ServedPlaces } from './servedPlaces';
import { ToolProblem } from './toolProblem';

export interface HierarchyQuestion {
  readonly direction: Direction;
  /** Where to start. */
  readonly items: readonly HierarchyItem[];
  readonly depth: number;
}

export interface WalkedHierarchy {
  /** The nearest level first. */
  readonly steps: readonly HierarchyStep[];
  readonly left: ServedPlaces['left'];
  /** Says why the walk ended early; none where it did not. */
  readonly cut: readonly string[];
}

/** Items in all; a hierarchy may have no end. */
const LARGEST = 200;
/** Questions to a server at once. */
const AT_ONCE = 4;

interface Node {
  readonly item: HierarchyItem;
  readonly depth: number;
  readonly from?: string;
}

/**
 * Follows a hierarchy level by level; each symbol is told once, where it is nearest. What is not
 * served is counted and not followed.
 * @throws ToolProblem when the first level fails; a deeper one that fails is said in `cut`
 */
export async function walkHierarchy(
  { direction, items, depth }: HierarchyQuestion,
  bounds: AskBounds,
  guard?: ReadGuard,
): Promise<WalkedHierarchy> {
  const seen = new Set(items.map(keyOf));
  const world = pathWorld();
  const nameOf = await nameInWorkspace();
  const left = { outside: 0, excluded: 0, denied: 0 };
  const steps: HierarchyStep[] = [];
  const cut: string[] = [];
  let level: readonly Node[] = items.map((item) => ({ item, depth: 0 }));
  while (level.length > 0 && (level[0]?.depth ?? 0) < depth) {
    const { links, failed } = await followAll(direction, level, bounds);
    if (failed.length > 0) cut.push(`(not whole: ${failed[0]})`);
    const fresh = links.filter(({ link }) => !seen.has(keyOf(link.item)) && remember(seen, link));
    const served = await serve(fresh, left, { guard, world, nameOf });
    const room = LARGEST - steps.length;
    for (const { link, parent } of served.slice(0, room)) {
      steps.push(toStep(link, parent, { direction, world, nameOf }));
    }
    if (served.length > room) {
      cut.push(`(cut at ${LARGEST}: ask about one of them)`);
      break;
    }
    level = served.map(({ link, parent }) => ({
      item: link.item,
      depth: parent.depth + 1,
      from: link.item.name,
    }));
  }
  return { steps, left, cut };
}

/** What files are called. */
interface Names {
  readonly world: PathWorld;
  readonly nameOf: (uri: vscode.Uri) => vscode.Uri;
}

interface Followed {
  readonly link: HierarchyLink;
  readonly parent: Node;
}

async function followAll(
  direction: Direction,
  level: readonly Node[],
  bounds: AskBounds,
): Promise<{ readonly links: readonly Followed[]; readonly failed: readonly string[] }> {
  const links: Followed[] = [];
  const failed: string[] = [];
  for (let at = 0; at < level.length; at += AT_ONCE) {
    const part = level.slice(at, at + AT_ONCE);
    const answers = await Promise.all(
      part.map(async (parent) => {
        try {
          const found = await followHierarchy(direction, parent.item, bounds);
          return found.map((link) => ({ link, parent }));
        } catch (error) {
          const isLost = parent.depth === 0 || bounds.signal.aborted;
          if (isLost || !(error instanceof ToolProblem)) throw error;
          failed.push(error.message);
          return [];
        }
      }),
    );
    links.push(...answers.flat());
    // One that does not answer is waited for once, not once for each item.
    if (failed.length > 0) break;
  }
  return { links, failed };
}

async function serve(
  links: readonly Followed[],
  left: { outside: number; excluded: number; denied: number },
  { guard, world, nameOf }: Names & { readonly guard: ReadGuard | undefined },
): Promise<readonly Followed[]> {
  const excluded = excludedFiles(world);
  const denied = await lookAtRules(
    guard,
    links.map(({ link }) => nameOf(link.item.uri)),
  );
  return links.filter(({ link: { item } }) => {
    const uri = nameOf(item.uri);
    if (!isInWorkspace(uri, world)) left.outside += 1;
    else if (excluded(uri)) left.excluded += 1;
    else if (denied(uri) !== undefined) left.denied += 1;
    else return true;
    return false;
  });
}

function toStep(
  { item, ranges }: HierarchyLink,
  parent: Node,
  { direction, world, nameOf }: Names & { readonly direction: Direction },
): HierarchyStep {
  const { start } = item.selectionRange;
  return {
    path: shownPath(nameOf(item.uri), world),
    line: start.line + 1,
    column: start.character + 1,
    kind: kindWord(item.kind),
    name: item.name,
    depth: parent.depth + 1,
    from: parent.from,
    calls: (direction === 'callers' ? ranges : []).map(
      (range) => `${range.start.line + 1}:${range.start.character + 1}`,
    ),
  };
}

function remember(seen: Set<string>, { item }: HierarchyLink): boolean {
  seen.add(keyOf(item));
  return true;
}

function keyOf({
  uri,
  selectionRange: { start },
}: {
  readonly uri: vscode.Uri;
  readonly selectionRange: vscode.Range;
}): string {
  return `${uri.toString()} ${start.line}:${start.character}`;
}
