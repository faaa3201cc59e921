import { type Platform, segmentsBelow, shapePath } from './pathShape';

/** A permission rule that forbids reading, as the CLI lists it. */
export interface ReadRule {
  /** As it is written: `Read(./secrets/**)`. */
  readonly text: string;
  /** Where it stands: `userSettings`, `projectSettings`, `session` and the like. */
  readonly source: string;
}

/** Against what a rule's path is read. All absolute. */
export interface RuleWorld {
  readonly cwd: string;
  readonly home: string;
  readonly platform: Platform;
}

const READ = /^Read(?:\(([^]*)\))?$/;
const TOKEN = /\*\*\/|\/\*\*$|\*\*|\*|\?|\[!?[^\]/]+\]|[^*?[]+|\[/gu;

/**
 * The first of the rules that forbids reading the file; undefined where none does.
 * Fact: `//x` is absolute, `~/x` below the home folder, `/x` below the settings' folder, and what
 * has no slash counts in every folder, as in a `.gitignore`. A rule that names a folder covers all in it.
 * @param paths the file's absolute path, and the one behind its links where that differs
 */
export function readDeniedBy(
  rules: readonly ReadRule[],
  paths: readonly string[],
  world: RuleWorld,
): ReadRule | undefined {
  return rules.find((rule) => {
    const pattern = READ.exec(rule.text);
    if (pattern === null) return false;
    const glob = (pattern[1] ?? '').trim();
    return glob === '' || paths.some((path) => covers(glob, path, rule.source, world));
  });
}

/** True for a rule that can forbid reading at all. */
export function isReadRule(text: string): boolean {
  return READ.test(text);
}

function covers(glob: string, path: string, source: string, world: RuleWorld): boolean {
  const { cwd, home, platform } = world;
  const windows = platform === 'win32';
  const text = windows ? glob.replaceAll('\\', '/') : glob;
  if (text.startsWith('//')) return fits(text.slice(2), absoluteText(path, platform), platform);
  if (text.startsWith('~/')) return below(text.slice(2), path, home, platform);
  if (text.startsWith('/')) {
    const inProject = below(text.slice(1), path, cwd, platform);
    return (
      inProject ||
      (source === 'userSettings' && below(text.slice(1), path, `${home}/.claude`, platform))
    );
  }
  const relative = text.replace(/^\.\//, '');
  const isName = relative === text && !/\/(?!$)/.test(relative);
  return below(isName ? `**/${relative}` : relative, path, cwd, platform);
}

function below(glob: string, path: string, folder: string, platform: Platform): boolean {
  const segments = segmentsBelow(shapePath(path, platform), shapePath(folder, platform));
  return segments !== undefined && fits(glob, segments.join('/'), platform);
}

/** Without the first slash; a drive stands as a folder, as the CLI writes it. */
function absoluteText(path: string, platform: Platform): string {
  const { root, segments } = shapePath(path, platform);
  const drive = root?.replace(/[:/]/g, '') ?? '';
  return [...(drive === '' ? [] : [drive]), ...segments].join('/');
}

/** Of one name in a rule. */
const MAX_STARS = 4;

function fits(glob: string, text: string, platform: Platform): boolean {
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  // Many stars in one name can take for ever; such a rule may mean this file as well.
  if (glob.split('/').some((name) => (name.match(/\*/g)?.length ?? 0) > MAX_STARS)) return true;
  let source = '';
  for (const [token] of glob.replace(/\/+$/, '').matchAll(TOKEN)) source += tokenSource(token);
  try {
    return new RegExp(`^(?:${source})(?:/|$)`, ignoresCase ? 'iu' : 'u').test(text);
  } catch {
    // What cannot be understood may mean this file as well.
    return true;
  }
}

function tokenSource(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '/**') return '(?:/[^]*)?';
  if (token === '**') return '[^]*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 2 && token.startsWith('[')) {
    return `[${token[1] === '!' ? `^${token.slice(2, -1)}` : token.slice(1, -1)}]`;
  }
  return token.replace(/[.+^$()|\\{}[\]]/gu, String.raw`\$&`);
}
