/** Says whether a path below its workspace folder (`/` between) is excluded. */
export type PathTest = (path: string) => boolean;

/**
 * Makes a test from globs as `files.exclude` and `search.exclude` have them: `**`, `*`, `?`,
 * `[…]`, `{a,b}`, also one in the other. A glob that names a folder excludes all below it. What is
 * broken rather excludes too much than nothing: `[z-a]` is any character, an open brace ends where
 * the glob does.
 */
export function createExclude(globs: readonly string[]): PathTest {
  if (globs.length === 0) return () => false;
  // One for all: thousands of paths may be tested.
  const all = globs.map((glob) => `(?:${globSource(glob)})`).join('|');
  const pattern = new RegExp(`^(?:${all})(?:/|$)`, 'u');
  return (path) => pattern.test(path);
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|[{},]|[^*?[{},]+|./gsu;

function globSource(glob: string): string {
  let source = '';
  let open = 0;
  for (const [token] of glob.matchAll(TOKEN)) {
    if (token === '{') {
      open += 1;
      source += '(?:';
    } else if (token === '}' && open > 0) {
      open -= 1;
      source += ')';
    } else source += token === ',' && open > 0 ? '|' : tokenSource(token);
  }
  return source + ')'.repeat(open);
}

function tokenSource(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.startsWith('[') && token.length > 1) return classSource(token);
  return token.replace(/[.+^$()|\\{}[\]]/gu, '\\$&');
}

function classSource(token: string): string {
  const [, not = '', letters = ''] = /^\[([!^]?)(.*)\]$/su.exec(token) ?? [];
  const source = `[${not && '^'}${letters.replace(/[\\^[]/gu, '\\$&')}]`;
  try {
    new RegExp(source, 'u');
    return source;
  } catch {
    return '[^/]';
  }
}
