/** Says whether a path below its workspace folder (`/` between) is excluded. */
export type PathTest = (path: string) => boolean;

/**
 * Makes a test from globs as `files.exclude` and `search.exclude` have them: `**`, `*`, `?`,
 * `[…]`, `{a,b}`, also one in the other. A glob that names a folder excludes all below it. What is
 * broken rather excludes too much than nothing: `[z-a]` is any character, an open brace ends where
 * the glob does.
 */
export function createExclude(globs: readonly string[]): PathTest {
  const sources = globs.map((glob) => `(?:${globSource(glob)})`);
  const patterns: RegExp[] = [];
  // Mostly one for all, since thousands of paths may be tested; of too many, one is slow to make.
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    patterns.push(new RegExp(`^(?:${sources.slice(at, at + AT_ONCE).join('|')})(?:/|$)`, 'u'));
  }
  return (path) => patterns.some((pattern) => pattern.test(path));
}

const AT_ONCE = 100;

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
