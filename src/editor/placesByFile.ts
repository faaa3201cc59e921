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

/**
 * Sorts by file what a provider has answered, links or locations; what is neither is dropped.
 * Nothing of the answer is kept but the URIs. Never holds the event loop for long.
 */
export async function placesByFile(answer: readonly unknown[]): Promise<readonly PlacesOfFile[]> {
  const groups = new Map<string, PlacesOfFile>();
  let done = 0;
  // Providers tell file by file.
  let last: PlacesOfFile | undefined;
  for (const value of answer) {
    const found = linkedPlace(value);
    if (found === undefined) continue;
    const { uri, range } = found;
    if (last === undefined || !isSameUri(last.uri, uri)) {
      // Not `toString`: that encodes each of thousands of URIs anew.
      const key = `${uri.scheme}:${uri.authority}:${uri.path}#${uri.fragment}`;
      last = groups.get(key);
      if (last === undefined) groups.set(key, (last = { uri, starts: new PlaceList() }));
    }
    const { line, character } = range.start;
    last.starts.add(line, character);
    done += 1;
    if (done % PART === 0) await breathe();
  }
  return [...groups.values()];
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
