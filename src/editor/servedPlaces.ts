import { setImmediate as breathe } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { OUTSIDE } from './keptBackReasons';
import { PlaceList } from './placeList';
import type { PlacesOfFile } from './placesByFile';
import { leftByRules, lookAtRules, type ReadGuard } from './readGuard';
import { excludedFiles, isInWorkspace, nameInWorkspace, pathWorld, shownPath } from './servedFiles';

/** The places that a provider gave in one file; 0-based starts, each once, in their order. */
export interface FilePlaces {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly starts: PlaceList;
}

export interface ServedPlaces {
  readonly files: readonly FilePlaces[];
  /** Those outside the workspace, in the provider's order. */
  readonly outside: readonly PlacesOfFile[];
  /** Places in files that are not given out, by the reason. */
  readonly left: { readonly outside: number; readonly excluded: number; readonly denied: number };
}

/** Places that are looked at in one go; the event loop runs between two such parts. */
const PART = 50_000;

/**
 * Leaves out the files that are not served: outside the workspace, excluded by its settings,
 * forbidden by a rule. Never holds the event loop for long.
 */
export async function servePlaces(
  given: readonly PlacesOfFile[],
  guard: ReadGuard | undefined,
): Promise<ServedPlaces> {
  const found = named(given, await nameInWorkspace(given.map(({ uri }) => uri)));
  const world = pathWorld();
  const excluded = excludedFiles(world);
  const denied = await lookAtRules(
    guard,
    found.map(({ uri }) => uri),
  );
  const left = { outside: 0, excluded: 0, denied: 0 };
  const files: FilePlaces[] = [];
  const outside: PlacesOfFile[] = [];
  let done = 0;
  for (const one of found) {
    const { uri, starts } = one;
    const reason = denied(uri);
    done += starts.size + 20;
    if (done > PART) {
      done = 0;
      await breathe();
    }
    // First of all, since of the others at least the place may be told.
    if (reason !== undefined && reason !== OUTSIDE) left.denied += starts.size;
    else if (!isInWorkspace(uri, world)) {
      left.outside += starts.size;
      outside.push(one);
    } else if (excluded(uri)) left.excluded += starts.size;
    else files.push({ uri, path: shownPath(uri, world), starts: starts.inOrder() });
  }
  return { files, outside, left };
}

/** By their names in the workspace: a server may tell one file by two. */
function named(
  given: readonly PlacesOfFile[],
  nameOf: (uri: vscode.Uri) => vscode.Uri,
): readonly PlacesOfFile[] {
  if (given.every(({ uri }) => nameOf(uri) === uri)) return given;
  const byName = new Map<string, PlacesOfFile>();
  for (const one of given) {
    const uri = nameOf(one.uri);
    const key = uri.toString();
    const known = byName.get(key);
    const starts = known ? PlaceList.join([known.starts, one.starts]) : one.starts;
    byName.set(key, { uri, starts });
  }
  return [...byName.values()];
}

/** Lines that say what was left out; none where nothing was. */
export function describeLeft({ outside, excluded, denied }: ServedPlaces['left']): string[] {
  const parts = [
    ...(excluded > 0 ? [`${excluded} more in excluded files`] : []),
    ...(outside > 0 ? [`${outside} more outside the workspace`] : []),
  ];
  return [...(parts.length > 0 ? [`(${parts.join(', ')})`] : []), ...leftByRules(denied)];
}
