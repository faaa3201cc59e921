import {
  isPlainName,
  type PathShape,
  segmentsBelow,
  shapeUri,
  type UriParts,
} from '../rules/pathShape';

/** A workspace folder as plain data. */
export interface FolderParts extends UriParts {
  readonly name: string;
}

/** What paths are read against. */
export interface PathWorld {
  readonly folders: readonly FolderParts[];
  readonly platform: 'win32' | 'darwin' | 'linux';
}

/** What a path from the model means, before anything is looked up. */
export type PathInput =
  /** A whole URI, to be parsed by the editor. */
  | { readonly kind: 'uri'; readonly uri: string }
  /** An absolute path of this machine, separators as they came. */
  | { readonly kind: 'absolute'; readonly path: string }
  /** Places to look at in turn: index of the folder and the path below it, `/` between. */
  | { readonly kind: 'relative'; readonly places: readonly RelativePlace[] };

export interface RelativePlace {
  readonly folder: number;
  readonly path: string;
}

/**
 * The path as the model sees it: below the workspace folder with `/`, in a multi-root workspace
 * with the folder's name before it, absolute for files outside, and undefined for other schemes,
 * which are shown as URI.
 */
export function displayPath(uri: UriParts, world: PathWorld): string | undefined {
  const place = relativePlace(uri, world);
  if (place) {
    const name = lookedIn(world).names[place.folder];
    if (world.folders.length > 1 && name !== undefined) return joinPath(name, place.path);
    return place.path === '' ? '.' : place.path;
  }
  return uri.scheme === 'file' ? absolutePath(uri, world.platform) : undefined;
}

/** Where a URI lies in the workspace; the innermost folder wins. Undefined outside. */
export function relativePlace(uri: UriParts, world: PathWorld): RelativePlace | undefined {
  const looked = lookedIn(world);
  if (looked.uri === uri) return looked.place;
  const place = placeByFolder(uri, world, looked) ?? findPlace(uri, world, looked.roots);
  looked.uri = uri;
  looked.place = place;
  return place;
}

/** By the folder of the file before, if that is its own too; undefined where that does not tell. */
function placeByFolder(uri: UriParts, world: PathWorld, looked: Looked): RelativePlace | undefined {
  const { scheme, authority, path } = uri;
  const end = path.lastIndexOf('/') + 1;
  const name = path.slice(end);
  if (!isPlainName(name) || looked.rootNames.has(name.toLowerCase())) return undefined;
  const folder = path.slice(0, end);
  let { last } = looked;
  if (last?.path !== folder || last.scheme !== scheme || last.authority !== authority) {
    const parts = { scheme, authority, path: folder };
    last = { ...parts, place: findPlace(parts, world, looked.roots) };
    looked.last = last;
  }
  if (last.place === undefined) return undefined;
  const below = last.place.path;
  return { folder: last.place.folder, path: below === '' ? name : `${below}/${name}` };
}

/** What was found out of a world: thousands of files are looked at in one, each several times in turn. */
interface Looked {
  readonly roots: readonly PathShape[];
  /** What the folders are called, in their order. */
  readonly names: readonly string[];
  /** Last parts of the folders' own paths, in small letters. */
  readonly rootNames: ReadonlySet<string>;
  uri: UriParts | undefined;
  place: RelativePlace | undefined;
  /** The folder of a file that was looked at. */
  last: (UriParts & { readonly place: RelativePlace | undefined }) | undefined;
}

const lookedAt = new WeakMap<PathWorld, Looked>();

function lookedIn(world: PathWorld): Looked {
  const known = lookedAt.get(world);
  if (known !== undefined) return known;
  const roots = world.folders.map((folder) => shapeUri(folder, world.platform));
  const rootNames = new Set(roots.map(({ segments }) => (segments.at(-1) ?? '').toLowerCase()));
  const names = uniqueNames(world);
  const looked: Looked = {
    ...{ roots, names, rootNames },
    ...{ uri: undefined, place: undefined, last: undefined },
  };
  lookedAt.set(world, looked);
  return looked;
}

function findPlace(
  uri: UriParts,
  world: PathWorld,
  roots: readonly PathShape[],
): RelativePlace | undefined {
  const shape = shapeUri(uri, world.platform);
  let best: RelativePlace | undefined;
  let deepest = -1;
  roots.forEach((root, index) => {
    const below = segmentsBelow(shape, root);
    if (below === undefined || root.segments.length <= deepest) return;
    deepest = root.segments.length;
    best = { folder: index, path: lastParts(uri.path, below.length) };
  });
  return best;
}

/** The last parts of a path as they are spelled. */
function lastParts(path: string, count: number): string {
  return count === 0 ? '' : normalize(path).split('/').slice(-count).join('/');
}

/** Reads a path as a model may write it: relative, `folder/path`, absolute, or a URI. */
export function parsePath(text: string, world: PathWorld): PathInput {
  const trimmed = text.trim();
  // Two letters at least: `c:` is a drive. Only numbers behind the colon: `a.ts:12:5` is a place.
  if (/^[a-z][a-z0-9+.-]+:(?!\d+(?::\d+)?$)/iu.test(trimmed)) return { kind: 'uri', uri: trimmed };
  const windows = world.platform === 'win32';
  const absolute = windows ? /^(?:[a-z]:(?:[\\/]|$)|[\\/])/iu : /^\//u;
  if (absolute.test(trimmed)) return { kind: 'absolute', path: trimmed };
  return { kind: 'relative', places: readRelative(trimmed, world) };
}

/** What a text means as a relative path, though it looks like a URI: a name may have a colon. */
export function readRelative(text: string, world: PathWorld): readonly RelativePlace[] {
  return readWithBlanks(text.trim(), world);
}

/** The same of a name that may begin or end with a blank. */
export function readWithBlanks(text: string, world: PathWorld): readonly RelativePlace[] {
  const path = world.platform === 'win32' ? text.replaceAll('\\', '/') : text;
  return relativePlaces(normalize(path), world);
}

/** The same name as other systems may have written it: letters and their accents in one or apart. */
export function spellings(text: string): readonly string[] {
  if (!/[^\0-\x7F]/u.test(text)) return [text];
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
}

/** Of a longer one the end is compared: each letter costs as much as all letters of all names. */
const COMPARED = 300;

/** The `n` names most like the wanted one; the file's own name counts more than its folders. */
export function nearestNames(wanted: string, known: readonly string[], n = 3): readonly string[] {
  const target = wanted.slice(-COMPARED).toLowerCase();
  const nameOnly = known.map((path) => ({
    path,
    score: editDistance(lastPart(path.toLowerCase()), lastPart(target)),
  }));
  // Whole paths are compared for the best few only: thousands of them would take too long.
  return nameOnly
    .sort((a, b) => a.score - b.score)
    .slice(0, 30)
    .map(({ path, score }) => ({
      path,
      score: 3 * score + editDistance(path.toLowerCase(), target),
    }))
    .sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1))
    .slice(0, n)
    .map(({ path }) => path);
}

/** Steps between two files: 0 the same, 1 the same folder, more for each folder up and down. */
export function pathDistance(a: string, b: string): number {
  if (a === b) return 0;
  const left = a.split('/').slice(0, -1);
  const right = b.split('/').slice(0, -1);
  let common = 0;
  while (common < left.length && left[common] === right[common]) common += 1;
  return 1 + (left.length - common) + (right.length - common);
}

function relativePlaces(path: string, world: PathWorld): readonly RelativePlace[] {
  const places: RelativePlace[] = [];
  // A name may have slashes: `packages/core`, and `packages` beside it.
  const named = lookedIn(world).names.map((name, folder) => ({ folder, head: normalize(name) }));
  named.sort((a, b) => b.head.length - a.head.length);
  for (const { folder, head } of named) {
    if (path === head) places.push({ folder, path: '' });
    else if (path.startsWith(`${head}/`))
      places.push({ folder, path: path.slice(head.length + 1) });
  }
  const plain = world.folders.map((_, folder) => ({ folder, path }));
  // With one folder its name before the path is a slip; with several it is the rule.
  return world.folders.length > 1 ? [...places, ...plain] : [...plain, ...places];
}

/** Two folders may have one name: the later ones are told apart by a number, which is no name either. */
function uniqueNames({ folders, platform }: PathWorld): readonly string[] {
  const taken = new Set<string>();
  for (const { name } of folders) {
    const plain = platform === 'win32' ? name.replaceAll('\\', '/') : name;
    let unique = plain;
    for (let count = 2; taken.has(unique); count += 1) unique = `${plain}~${count}`;
    taken.add(unique);
  }
  return [...taken];
}

function absolutePath(uri: UriParts, platform: PathWorld['platform']): string {
  if (uri.authority !== '') return `//${uri.authority}${uri.path}`;
  return platform === 'win32' ? uri.path.replace(/^\/([a-z]:)/iu, '$1') : uri.path;
}

function joinPath(head: string, tail: string): string {
  return tail === '' ? head : `${head}/${tail}`;
}

/** Takes `.` and `..` out, as far as the path goes; what leads above the folder stays. */
function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
