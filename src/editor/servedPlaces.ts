import { setImmediate as breathe } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { leftByRules, lookAtRules, type ReadGuard } from './readGuard';
import { excludedFiles, isInWorkspace, pathWorld, shownPath } from './servedFiles';

/** The places that a provider gave in one file; 0-based starts, each once, in their order. */
export interface FilePlaces {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly starts: readonly vscode.Position[];
}

export interface ServedPlaces {
  readonly files: readonly FilePlaces[];
  /** Places in files that are not given out, by the reason. */
  readonly left: { readonly outside: number; readonly excluded: number; readonly denied: number };
}

/** Places that are sorted in one go; the event loop runs between two such parts. */
const PART = 50_000;

/**
 * Sorts places by file and leaves out those that are not served: outside the workspace, excluded
 * by its settings, forbidden by a rule. Never holds the event loop for long.
 */
export async function servePlaces(
  locations: readonly vscode.Location[],
  guard: ReadGuard | undefined,
): Promise<ServedPlaces> {
  const world = pathWorld();
  const excluded = excludedFiles(world);
  const groups = await groupByFile(locations);
  const denied = await lookAtRules(
    guard,
    [...groups.values()].map(({ uri }) => uri),
  );
  const left = { outside: 0, excluded: 0, denied: 0 };
  const files: FilePlaces[] = [];
  let done = 0;
  for (const { uri, starts } of groups.values()) {
    done += starts.length + 20;
    if (done > PART) {
      done = 0;
      await breathe();
    }
    if (!isInWorkspace(uri, world)) left.outside += starts.length;
    else if (excluded(uri)) left.excluded += starts.length;
    else if (denied(uri) !== undefined) left.denied += starts.length;
    else files.push({ uri, path: shownPath(uri, world), starts: inOrder(starts) });
  }
  return { files, left };
}

/** Lines that say what was left out; none where nothing was. */
export function describeLeft({ outside, excluded, denied }: ServedPlaces['left']): string[] {
  const parts = [
    ...(excluded > 0 ? [`${excluded} more in excluded files`] : []),
    ...(outside > 0 ? [`${outside} more outside the workspace`] : []),
  ];
  return [...(parts.length > 0 ? [`(${parts.join(', ')})`] : []), ...leftByRules(denied)];
}

interface Group {
  readonly uri: vscode.Uri;
  readonly starts: vscode.Position[];
}

async function groupByFile(
  locations: readonly vscode.Location[],
): Promise<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Group>();
  let done = 0;
  // Providers tell file by file.
  let last: Group | undefined;
  for (const { uri, range } of locations) {
    if (last !== undefined && isSameUri(last.uri, uri)) last.starts.push(range.start);
    else {
      // Not `toString`: that encodes each of thousands of URIs anew.
      const key = `${uri.scheme}:${uri.authority}:${uri.path}#${uri.fragment}`;
      const group = groups.get(key);
      if (group) group.starts.push(range.start);
      last = group ?? { uri, starts: [range.start] };
      if (!group) groups.set(key, last);
    }
    done += 1;
    if (done % PART === 0) await breathe();
  }
  return groups;
}

/** Cells of one notebook have one path; the fragment tells them apart. */
export function isSameUri(a: vscode.Uri, b: vscode.Uri): boolean {
  if (a === b) return true;
  const { scheme, authority, path, fragment } = a;
  return (
    path === b.path && fragment === b.fragment && scheme === b.scheme && authority === b.authority
  );
}

/** Several providers may give one place; one alone mostly tells its places in their order. */
function inOrder(starts: vscode.Position[]): readonly vscode.Position[] {
  if (isRising(starts)) return starts;
  starts.sort((a, b) => a.line - b.line || a.character - b.character);
  return starts.filter((start, index) => {
    const before = starts[index - 1];
    return before?.line !== start.line || before.character !== start.character;
  });
}

function isRising(starts: readonly vscode.Position[]): boolean {
  let line = -1;
  let character = -1;
  for (const start of starts) {
    const next = start.line;
    if (next < line || (next === line && start.character <= character)) return false;
    line = next;
    character = start.character;
  }
  return true;
}
