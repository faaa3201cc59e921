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

/** The segments below `folder`; undefined when the path does not lie in it. */
export function segmentsBelow(path: PathShape, folder: PathShape): readonly string[] | undefined {
  if (path.root === undefined || path.root !== folder.root) return undefined;
  const inside = folder.segments.every((segment, index) => segment === path.segments[index]);
  return inside ? path.segments.slice(folder.segments.length) : undefined;
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
