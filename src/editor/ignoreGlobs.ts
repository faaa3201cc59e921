import { createExclude } from './excludedPaths';

/** The glob that covers a path below its workspace folder (`/` between); undefined for none. */
export type IgnoredBy = (path: string) => string | undefined;

/**
 * Makes a test from globs of the setting `patchbay.ignore`: as in `files.exclude`, but a glob
 * without a slash counts at any depth, as in a `.gitignore`; slashes inside of braces are not its
 * own. What a folder's glob covers is covered with all below it.
 * @param ignoresCase where the file system does
 */
export function createIgnore(globs: readonly string[], ignoresCase: boolean): IgnoredBy {
  const cased = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const tests = globs
    .map((glob) => ({ glob, whole: wholeGlob(glob.trim().replaceAll('\\', '/')) }))
    .filter(({ whole }) => whole !== '')
    .map(({ glob, whole }) => ({ glob, covers: createExclude([cased(whole)]) }));
  return (path) => tests.find(({ covers }) => covers(cased(path)))?.glob;
}

function wholeGlob(glob: string): string {
  const bare = glob.replace(/\/+$/u, '');
  if (bare.startsWith('/')) return bare.replace(/^\/+/u, '');
  return bare === '' || withoutBraces(bare).includes('/')
    ? bare.replace(/^\.\//u, '')
    : `**/${bare}`;
}

function withoutBraces(glob: string): string {
  const outer = glob.replace(/\{[^{}]*\}/gu, '');
  return outer === glob ? glob.replace(/\{.*$/su, '') : withoutBraces(outer);
}
