import { setImmediate as breathe } from 'node:timers/promises';
import * as vscode from 'vscode';
import { PlaceList } from './placeList';

/** The places that a provider gave in one file, in its order. */
export interface PlacesOfFile {
  readonly uri: vscode.Uri;
  readonly starts: PlaceList;
}

/** Places that are sorted in one go; the event loop runs between two such parts. */
const PART = 50_000;
/** What is beyond is no line or column of any document. */
const MOST = 2 ** 31 - 1;

interface Group {
  readonly uri: vscode.Uri;
  /** Its places as they came, line and character in turn. */
  readonly runs: Int32Array[];
}

/**
 * Sorts by file what a provider has answered, links or locations; what is neither is dropped.
 * Nothing of the answer is kept but the URIs. Never holds the event loop for long.
 */
export async function placesByFile(answer: readonly unknown[]): Promise<readonly PlacesOfFile[]> {
  const groups = new Map<string, Group>();
  const numbers = new Int32Array(answer.length * 2);
  let end = 0;
  let start = 0;
  // Providers tell file by file.
  let last: Group | undefined;
  // By index: the engine makes an object for each step of an iterator.
  for (let index = 0; index < answer.length; index += 1) {
    if (index % PART === PART - 1) await breathe();
    const found = linkedPlace(answer[index]);
    if (found === undefined) continue;
    const { uri, range } = found;
    if (last === undefined || !isSameUri(last.uri, uri)) {
      last?.runs.push(numbers.subarray(start, end));
      start = end;
      last = groupOf(groups, uri);
    }
    const { line, character } = range.start;
    numbers[end] = Math.min(line, MOST);
    numbers[end + 1] = Math.min(character, MOST);
    end += 2;
  }
  last?.runs.push(numbers.subarray(start, end));
  return [...groups.values()].map(({ uri, runs }) => ({
    uri,
    starts: new PlaceList(joined(runs)),
  }));
}

function groupOf(groups: Map<string, Group>, uri: vscode.Uri): Group {
  // Not `toString`: that encodes each of thousands of URIs anew.
  const key = `${uri.scheme}:${uri.authority}:${uri.path}#${uri.fragment}`;
  let group = groups.get(key);
  if (group === undefined) groups.set(key, (group = { uri, runs: [] }));
  return group;
}

function joined(runs: readonly Int32Array[]): Int32Array {
  const [only] = runs;
  if (only !== undefined && runs.length === 1) return only;
  const all = new Int32Array(runs.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const run of runs) {
    all.set(run, at);
    at += run.length;
  }
  return all;
}

/** Cells of one notebook have one path; the fragment tells them apart. */
export function isSameUri(a: vscode.Uri, b: vscode.Uri): boolean {
  if (a === b) return true;
  const { scheme, authority, path, fragment } = a;
  return (
    path === b.path && fragment === b.fragment && scheme === b.scheme && authority === b.authority
  );
}

/** Where a location or a link leads; undefined for what is neither. */
export function linkedPlace(
  value: unknown,
): { readonly uri: vscode.Uri; readonly range: vscode.Range } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { uri, range } = value as Partial<vscode.Location>;
  if (uri instanceof vscode.Uri && range instanceof vscode.Range) {
    // As it is: there may be thousands.
    return value as vscode.Location;
  }
  const { targetUri, targetRange, targetSelectionRange } = value as Partial<vscode.LocationLink>;
  const linked = targetSelectionRange ?? targetRange;
  if (!(targetUri instanceof vscode.Uri) || !(linked instanceof vscode.Range)) return undefined;
  return { uri: targetUri, range: linked };
}
