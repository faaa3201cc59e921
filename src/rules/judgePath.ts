import * as l10n from '@vscode/l10n';
import { type Finding, ruleFinding } from './finding';
import type { PathFinding, PathUse } from './pathRules';
import { type Platform, segmentsBelow, shapePath } from './pathShape';
import { classifyPath, isOfToolFiles, isPlanFile, namedProtectedFolder } from './protectedPaths';
import type { RuleSet } from './ruleSet';

/** Absolute paths to where their links lead, as far as they are known. */
export type RealPaths = ReadonlyMap<string, string>;

/** A path in a call, from the folder in which the CLI works; `~` is the home folder. */
export function absolutePath(
  path: string,
  { world }: Pick<RuleSet, 'world'>,
  from = world.cwd,
): string {
  const { home, platform } = world;
  if (path === '~') return home;
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`;
  const named = platform === 'win32' ? onDrive(path, from) : path;
  if (shapePath(named, platform).root !== undefined) return plainPath(named, platform);
  return plainPath(`${from}/${named}`, platform);
}

/** `/c/x`, as shells on Windows write it; `\\x`, of the drive that one is on; `d:x`, of another one. */
function onDrive(path: string, from: string): string {
  const text = path.replaceAll('\\', '/');
  const [here = ''] = /^[A-Za-z]:/.exec(from) ?? [];
  const [, letter, below = '/'] = /^\/([A-Za-z])(\/[^]*)?$/.exec(path) ?? [];
  if (letter !== undefined) return `${letter}:${below}`;
  if (/^\/(?!\/)/.test(text)) return here + text;
  const [, drive, rest = ''] = /^([A-Za-z]:)(?!\/)([^]*)$/.exec(text) ?? [];
  if (drive === undefined) return path;
  return drive.toLowerCase() === here.toLowerCase() ? rest : `${drive}/${rest}`;
}

/** `.` and `..` followed, letters kept. */
function plainPath(path: string, platform: Platform): string {
  const text = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.length <= 1 ? `${parts[0] ?? ''}/` : parts.join('/');
}

/** What the rules say to a file by its name and by where it leads. */
export function findPath(
  path: string,
  use: PathUse,
  rules: RuleSet,
  real?: RealPaths,
): PathFinding {
  const leads = real?.get(path);
  return rules.paths.find(use, leads === undefined || leads === path ? [path] : [path, leads]);
}

export function judgeRead(path: string, rules: RuleSet, real?: RealPaths): Finding {
  const found = findPath(path, 'read', rules, real);
  if (found.denied) return ruleFinding('denied', found.denied);
  if (found.maybeDenied) return mayBeDenied(found);
  if (found.asked) return ruleFinding('asked', found.asked);
  if (isOddName(path)) return oddName();
  // Fact: what may be edited may be read.
  const allowed = found.allowed ?? findPath(path, 'edit', rules, real).allowed;
  if (allowed) return ruleFinding('allowed', allowed);
  if (found.isInside) {
    return { kind: 'allowed', why: l10n.t('Files of the workspace are read without asking.') };
  }
  if (isPlan(path, rules, real)) return { kind: 'allowed', why: planWhy() };
  return { kind: 'readOutside', why: outsideWhy() };
}

export function judgeEdit(path: string, rules: RuleSet, real?: RealPaths): Finding {
  const found = findPath(path, 'edit', rules, real);
  if (found.denied) return ruleFinding('denied', found.denied);
  if (found.maybeDenied) return mayBeDenied(found);
  if (isPlan(path, rules, real)) return { kind: 'allowed', why: planWhy() };
  const place = protectedPlace(path, rules, real);
  if (place !== undefined) return place;
  if (rules.world.isGuarded === true && !found.isInside) {
    return { kind: 'person', why: outsideWhy() };
  }
  if (isOddName(path)) return oddName();
  if (found.asked) return ruleFinding('asked', found.asked);
  if (found.allowed) return ruleFinding('allowed', found.allowed, true);
  return found.isInside
    ? { kind: 'editInside', isChange: true, why: l10n.t('No rule says anything about it.') }
    : { kind: 'plain', isChange: true, why: outsideWhy() };
}

/**
 * Facts: on every platform the CLI asks about a name that Windows would take for another one, such as
 * `a.`, `A~1` and `a.con`, in the modes that ask at all.
 */
function isOddName(path: string): boolean {
  return path
    .trimEnd()
    .split('/')
    .some((name) => /[. ]$|~\d|\.(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name));
}

function oddName(): Finding {
  return { kind: 'open', why: l10n.t('The agent looks closer at such a name.') };
}

/** Names that our guard protects, and the CLI was not seen to. */
const ONLY_OURS =
  /^(?:\.(?:ksh|mksh|csh|tcsh)rc|\.(?:inputrc|login|logout)|config\.fish|fish\/.*|.*profile\.ps1)$/;

/** A place in which nothing is changed without a question, whatever the rules say. */
export function protectedPlace(
  path: string,
  { world, folders }: RuleSet,
  real?: RealPaths,
): Finding | undefined {
  const { platform } = world;
  const realPath = real?.get(path) ?? path;
  const roots = [...folders, ...folders.flatMap((folder) => real?.get(folder) ?? [])];
  const name =
    classifyPath({ realPath, workspaceRoots: roots, platform }).folder ??
    namedProtectedFolder(path, roots, platform);
  // The CLI itself does not know these.
  const isOurs = name === '.patchbay' || name?.endsWith('.code-workspace') === true;
  if (name === undefined || (isOurs && world.isGuarded !== true)) return undefined;
  const isDoubtful = world.isGuarded !== true && ONLY_OURS.test(name);
  const isCode = [path, realPath].some((one) => isOfToolFiles(one, roots, platform));
  return {
    ...(world.isGuarded === true && isCode ? { isOfToolFiles: true } : {}),
    kind: world.isGuarded === true ? 'person' : isDoubtful ? 'open' : 'safety',
    why: l10n.t('{0} is a protected place: a change there can run code.', name),
  };
}

/** In one of the folders, by its name and by where it leads. */
export function isInside(path: string, { world, folders }: RuleSet, real?: RealPaths): boolean {
  const roots = folders.map((folder) => shapePath(folder, world.platform));
  return [path, real?.get(path) ?? path].every((one) =>
    roots.some((root) => segmentsBelow(shapePath(one, world.platform), root) !== undefined),
  );
}

function isPlan(path: string, { world }: RuleSet, real?: RealPaths): boolean {
  const { planFolder = '', platform } = world;
  return isPlanFile(real?.get(path) ?? path, planFolder, platform);
}

export function mayBeDenied({ maybeDenied: rule }: PathFinding): Finding {
  return {
    kind: 'open',
    rule,
    why: l10n.t(
      'A rule may mean this file, but the agent may read it otherwise. Patchbay itself does not give it out.',
    ),
  };
}

const planWhy = (): string => l10n.t('It is one of the agent’s own plan files.');
const outsideWhy = (): string => l10n.t('It lies outside the workspace.');
