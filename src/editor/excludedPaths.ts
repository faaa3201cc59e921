/** Says whether a path below its workspace folder (`/` between) is excluded. */
export type PathTest = (path: string) => boolean;

/**
 * Makes a test from globs as `files.exclude` and `search.exclude` have them: `**`, `*`, `?`,
 * `[…]`, `{a,b}`. A glob that names a folder excludes all below it. A broken glob excludes nothing.
 */
export function createExclude(globs: readonly string[]): PathTest {
  const patterns = globs.flatMap((glob) => {
    try {
      return [new RegExp(`^(?:${globSource(glob)})(?:/|$)`, 'u')];
    } catch {
      return [];
    }
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}

const TOKEN = /\*\*\/|\/\*\*$|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|[^*?[{]+|./gu;

function globSource(glob: string): string {
  let source = '';
  for (const [token] of glob.matchAll(TOKEN)) source += tokenSource(token);
  return source;
}

function tokenSource(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '/**') return '/.+';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.startsWith('['))
    return `[${token.startsWith('[!') ? `^${token.slice(2)}` : token.slice(1)}`;
  if (token.startsWith('{') && token.length > 1) {
    return `(?:${token.slice(1, -1).split(',').map(globSource).join('|')})`;
  }
  return token.replace(/[.+^$()|\\{}[\]]/gu, '\\$&');
}
