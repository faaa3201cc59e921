import { type PathShape, type Platform, segmentsBelow, shapePath } from './pathShape';
import { literalNameOf } from './patternIndex';
import type { Behavior } from './permissionRule';

/** Against what a rule's path is read. All absolute. */
export interface RuleWorld {
  readonly cwd: string;
  readonly home: string;
  /** Where the person's own settings lie; `HOME/.claude` where absent. */
  readonly configFolder?: string;
  readonly platform: Platform;
}

export interface PathPattern {
  /** As the CLI reads the pattern. */
  matches(path: PathShape): boolean;
  /**
   * Also what the CLI of today does not take it for, but who wrote it may have meant: a `..` that
   * is followed, spaces at its ends, letters composed or not, many stars, a whole path as the system
   * writes it.
   */
  mayMean(path: PathShape): boolean;
  /** It starts with `!` and means this path: it takes out of a group what others put in. */
  takesOut(path: PathShape): boolean;
  /** A name, folded, that every path has which the pattern may mean. */
  readonly literalName: string | undefined;
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\[[!^]?[^\]/]+\]|\\.|[^*?[\\]+|\[|\\/gu;

/**
 * A path rule's pattern.
 * Facts: `//x` is absolute, `~/x` below the home folder, `/x` below the folder of its settings (the
 * workspace, for the person's own `HOME/.claude`), all else below the workspace. `./` in front means
 * nothing; a pattern without a slash counts in every folder, as in a `.gitignore`; one that names a
 * folder covers all in it; upper and lower case are one on every platform. In rules that deny or
 * ask, `/**` at the end goes first, so that `secrets/**` covers every `secrets`, and itself; in
 * rules that allow it does not.
 */
export function compilePathPattern(
  glob: string,
  { source, behavior }: { readonly source: string; readonly behavior: Behavior },
  world: RuleWorld,
): PathPattern {
  const windows = world.platform === 'win32';
  const text = windows ? glob.replaceAll('\\', '/') : glob;
  const { base, rest } = anchorOf(text, source, world);
  const exact = matcher(rest, base, { behavior, isGenerous: false });
  const generous = matcher(followed(rest.trim()), base, { behavior, isGenerous: true });
  const up = climbed(rest.trim(), base, behavior);
  const whole = windows ? driven(text.trim(), behavior) : rooted(text.trim(), behavior, world);
  const out = rest.startsWith('!')
    ? matcher(rest.slice(1), base, { behavior, isGenerous: true })
    : () => false;
  return {
    takesOut: out,
    // A drive, or a server with its share, is no name in the path.
    literalName: windows && (base === undefined || whole) ? undefined : literalNameOf(rest),
    matches: exact,
    mayMean: (path) => exact(path) || generous(path) || up(path) || whole?.(path) === true,
  };
}

interface Anchored {
  readonly base: PathShape | undefined;
  readonly rest: string;
}

function anchorOf(text: string, source: string, world: RuleWorld): Anchored {
  const { cwd, home, platform } = world;
  if (text.startsWith('//')) return { base: undefined, rest: text.replace(/^\/+/, '/') };
  if (text.startsWith('~/')) return { base: shapePath(home, platform), rest: text.slice(1) };
  if (text.startsWith('/')) {
    const own = source === 'userSettings';
    return {
      base: shapePath(own ? (world.configFolder ?? `${home}/.claude`) : cwd, platform),
      rest: text,
    };
  }
  return { base: shapePath(cwd, platform), rest: text.replace(/^\.\//, '') };
}

interface Reading {
  readonly behavior: Behavior;
  readonly isGenerous: boolean;
}

function matcher(
  rest: string,
  base: PathShape | undefined,
  { behavior, isGenerous }: Reading,
): (path: PathShape) => boolean {
  const never = () => false;
  const always = (path: PathShape) => belowText(path, base) !== undefined;
  if (rest.startsWith('!')) return never;
  // Fact: with a space at its end such a rule fits nothing.
  if (behavior === 'allow' && !isGenerous && /(?<!\\)\s$/.test(rest)) return never;
  const stripped = behavior === 'allow' ? rest : rest.replace(/\/\*\*\/?$/, '');
  if (stripped === '' || stripped === '/') return always;
  const glob = stripped.replace(/\/$/, '').replace(/^\//, '');
  const isName = !/\/(?=.)/.test(stripped);
  // Such a rule is about folders: a file of that name is none.
  const end = stripped.endsWith('/') && !isGenerous ? '/' : '(?:/|$)';
  // Most patterns are never asked: their name is not in the path.
  let compiled: { readonly regexp: RegExp | undefined } | undefined;
  return (path) => {
    const below = belowText(path, base);
    if (below === undefined) return false;
    const { regexp } = (compiled ??= {
      regexp: tryCompile(isName ? `**/${glob}` : glob, end, isGenerous),
    });
    // What cannot be understood may mean this file as well.
    if (regexp === undefined) return isGenerous;
    return regexp.test(isGenerous ? below.normalize('NFC') : below);
  };
}

/** Without the first slash; a drive stands as a folder, as the CLI writes it, and so do a server and its share. */
function belowText(path: PathShape, base: PathShape | undefined): string | undefined {
  if (base !== undefined) return segmentsBelow(path, base)?.join('/');
  if (path.root === undefined) return undefined;
  const drive = path.root.replace(/^\/+|:$/g, '');
  return [...(drive === '' ? [] : [drive]), ...path.segments].join('/');
}

/** Of one name in a rule: more can take for ever. */
const MAX_STARS = 4;

function tryCompile(glob: string, end: string, isGenerous: boolean): RegExp | undefined {
  if (glob.split('/').some((name) => (name.match(/\*/g)?.length ?? 0) > MAX_STARS)) {
    return undefined;
  }
  // Fact: within a name `**` is no more than `*`.
  const names = glob
    .split('/')
    .map((name) => (name === '**' || isGenerous ? name : name.replace(/(?<!\\)\*{2,}/g, '*')));
  let source = '';
  for (const [token] of names.join('/').matchAll(TOKEN)) source += tokenSource(token, isGenerous);
  try {
    return new RegExp(`^(?:${source})${end}`, 'iu');
  } catch {
    return undefined;
  }
}

function tokenSource(token: string, isGenerous: boolean): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '**') return '[^]*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 2 && token.startsWith('[')) {
    // Fact: a `!` or `^` in front is one of the letters; who wrote it may have meant all others.
    if (!/^[!^]/.test(token.slice(1))) return token;
    return isGenerous ? '[^/]' : `[\\${token.slice(1, -1)}]`;
  }
  if (token.length === 2 && token.startsWith('\\')) return escaped(token.slice(1));
  return escaped(token);
}

function escaped(text: string): string {
  return text.replace(/[.+*?^$()|\\{}[\]/]/gu, String.raw`\$&`);
}

/** `a/../b` followed, as far as it does not climb out; letters composed. */
function followed(rest: string): string {
  const parts: string[] = [];
  for (const part of rest.normalize('NFC').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '') {
      parts.pop();
    } else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** `C:/x`, as Windows writes it, where the CLI writes `//c/x`; undefined for a path without a drive. */
function driven(text: string, behavior: Behavior): ((path: PathShape) => boolean) | undefined {
  const [, drive, below = ''] = /^\/{0,2}([A-Za-z]):(\/[^]*)$/.exec(text) ?? [];
  if (drive === undefined) return undefined;
  return matcher(`/${drive}${followed(below)}`, undefined, { behavior, isGenerous: true });
}

/**
 * `/home/me/x`, as the system writes it, where the CLI writes `//home/me/x` and takes this for a place
 * in the workspace; undefined for what lies neither in that nor in the home folder.
 */
function rooted(
  text: string,
  behavior: Behavior,
  { cwd, home, platform }: RuleWorld,
): ((path: PathShape) => boolean) | undefined {
  if (!/^\/(?!\/)/.test(text)) return undefined;
  const named = shapePath(text, platform);
  const isIn = [cwd, home].some((folder) => {
    const shape = shapePath(folder, platform);
    return shape.segments.length > 0 && segmentsBelow(named, shape) !== undefined;
  });
  return isIn ? matcher(followed(text), undefined, { behavior, isGenerous: true }) : undefined;
}

/** `../x`: read from the folders above, as who wrote it may have meant. */
function climbed(
  rest: string,
  base: PathShape | undefined,
  behavior: Behavior,
): (path: PathShape) => boolean {
  const [, ups = '', below = ''] = /^\/?((?:\.\.\/)+)([^]*)$/.exec(followed(rest)) ?? [];
  if (ups === '') return () => false;
  const kept = Math.max(0, (base?.segments.length ?? 0) - ups.length / 3);
  const above = base && { root: base.root, segments: base.segments.slice(0, kept) };
  return matcher(`/${below}`, above, { behavior, isGenerous: true });
}
