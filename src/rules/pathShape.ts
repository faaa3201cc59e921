export type Platform = 'win32' | 'darwin' | 'linux' | (string & {});

/** A path taken apart so that two spellings of one file compare equal on its platform. */
export interface PathShape {
  /** `/`, `c:` or `//server/share`; undefined for a relative path. */
  readonly root: string | undefined;
  readonly segments: readonly string[];
}

/**
 * Takes a path apart without touching the disk: `.` and `..` are resolved, on Windows both slashes
 * separate and `\\?\` is dropped, and where the disk ignores case (Windows, macOS) so does the shape.
 */
export function shapePath(path: string, platform: Platform): PathShape {
  const windows = platform === 'win32';
  const text = windows ? plainWindows(path) : path;
  const found = windows
    ? /^(?:([A-Za-z]:)\/|\/\/([^/]+\/[^/]+)(?:\/|$))/.exec(text)
    : /^\//.exec(text);
  const segments: string[] = [];
  for (const part of text.slice(found?.[0].length ?? 0).split('/')) {
    const segment = foldName(part, platform);
    if (part === '..') segments.pop();
    else if (segment !== '') segments.push(segment);
  }
  if (found === null) return { root: undefined, segments };
  const drive = found[1] ?? (found[2] === undefined ? '/' : `//${found[2]}`);
  return { root: drive.toLowerCase(), segments };
}

/** As {@link shapePath}, for many paths: the folder of files that come one after the other is taken apart once. */
export function createShaper(platform: Platform): (path: string) => PathShape {
  let last: { readonly folder: string; readonly shape: PathShape } | undefined;
  return (path) => {
    const end = path.lastIndexOf('/') + 1;
    const name = path.slice(end);
    // On Windows the first parts of a path may be one.
    if (platform === 'win32' || end === 0 || !isPlainName(name)) return shapePath(path, platform);
    const folder = path.slice(0, end);
    if (last?.folder !== folder) last = { folder, shape: shapePath(folder, platform) };
    const { root, segments } = last.shape;
    return { root, segments: [...segments, foldName(name, platform)] };
  };
}

/** The segments below `folder`; undefined when the path does not lie in it. */
export function segmentsBelow(path: PathShape, folder: PathShape): readonly string[] | undefined {
  if (path.root === undefined || path.root !== folder.root) return undefined;
  const inside = folder.segments.every((segment, index) => segment === path.segments[index]);
  return inside ? path.segments.slice(folder.segments.length) : undefined;
}

/** One text for one file on its platform, whatever its spelling; links are not followed. */
export function pathKey(path: string, platform: Platform): string {
  return keyOf(shapePath(path, platform));
}

function keyOf({ root, segments }: PathShape): string {
  const below = segments.join('/');
  // A relative path never equals an absolute one, which has a slash or a colon there.
  if (root === undefined) return `./${below}`;
  return root === '/' ? `/${below}` : `${root}/${below}`;
}

/** The parts of a URI that paths are made from; `path` is decoded and starts with `/`. */
export interface UriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/**
 * As {@link shapePath}, for a URI. Only `file` means a path of this machine: any other scheme is
 * another machine or none at all, keeps its letters, and never equals a local file.
 */
export function shapeUri({ scheme, authority, path }: UriParts, platform: Platform): PathShape {
  if (scheme !== 'file') {
    return { root: `${scheme}://${authority}`, segments: shapePath(path, 'linux').segments };
  }
  if (authority !== '') return shapePath(`//${authority}${path}`, platform);
  return shapePath(platform === 'win32' ? path.replace(/^\/(?=[a-z]:)/i, '') : path, platform);
}

/** As {@link pathKey}, for a URI. */
export function uriKey(uri: UriParts, platform: Platform): string {
  return keyOf(shapeUri(uri, platform));
}

/** Whether all platforms compare a name but for small and large letters; no `.` or `..`. */
export function isPlainName(name: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)*$/u.test(name);
}

/** A name as the disk compares it. `.` becomes empty, since it leads nowhere. */
function foldName(name: string, platform: Platform): string {
  if (name === '.' || name === '') return '';
  if (platform === 'win32') {
    // Windows drops dots and spaces at the end, and `name:stream` writes into `name`.
    const bare = name.replace(/:.*$/, '').replace(/[. ]+$/, '');
    return bare.toLowerCase();
  }
  if (platform === 'darwin') {
    // The disk compares composed and decomposed letters, and ignores characters of no width.
    return name
      .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
      .normalize('NFC')
      .toLowerCase();
  }
  return name;
}

function plainWindows(path: string): string {
  return path
    .replace(/\\/g, '/')
    .replace(/^\/\/[?.]\/UNC\//i, '//')
    .replace(/^\/\/[?.]\//, '');
}
