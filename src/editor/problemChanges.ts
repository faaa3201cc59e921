import { ellipsize } from '../base/cutText';
import {
  describeList,
  formatProblems,
  listProblems,
  type PageRequest,
  problemKey,
  type ProblemGroup,
  type ProblemList,
} from './formatDiagnostics';
import type { Problem } from './problem';
import { count } from './resultBudget';

/** What happened to a list of problems between two calls. Problems are told by text, not by place. */
export interface ProblemChanges {
  /** The new ones as a list of their own, to be paged like any other. */
  readonly added: ProblemList;
  readonly addedCount: number;
  readonly fixed: readonly FixedProblem[];
  /** Problems of files that have lost their tab: nobody looks at them any more. */
  readonly closed: number;
  readonly remaining: number;
}

interface FixedProblem {
  readonly path: string;
  /** `line:col`, as it was. */
  readonly place: string;
}

/** Compares by file, severity, source, code and message: lines shift with every edit. */
export function compareProblems(before: ProblemList, now: ProblemList): ProblemChanges {
  const current = byKey(now);
  const openNow = openPaths(now);
  const openBefore = openPaths(before);
  const fixed: FixedProblem[] = [];
  let closed = 0;
  for (const { key, group: path, places } of before.groups) {
    const gone = surplus(places, current.get(key)?.places ?? []);
    if (openBefore.has(path) && !openNow.has(path)) closed += gone.length;
    else fixed.push(...gone.map((place) => ({ path, place })));
  }
  const added = addedProblems(byKey(before), now);
  const addedCount = placeCount(added);
  return { added, addedCount, fixed, closed, remaining: placeCount(now) - addedCount };
}

/** Whether both lists hold the same problems at the same places. */
export function sameProblems(a: ProblemList, b: ProblemList): boolean {
  if (a.groups.length !== b.groups.length) return false;
  return a.groups.every((group, index) => {
    const other = b.groups[index];
    return other?.key === group.key && other.places.join() === group.places.join();
  });
}

/** The answer of a second call: counts, places of the fixed ones, the new ones as lines. */
export function formatChanges(
  changes: ProblemChanges,
  now: ProblemList,
  request: Omit<PageRequest, 'title'>,
): string {
  const lists = [changes.fixed.map(({ path }) => path), now.groups.map(({ group }) => group)];
  const single = new Set(lists.flat()).size === 1;
  return formatProblems(changes.added, {
    ...request,
    title: describeChanges(changes, now, single),
    notes: [...(single ? [] : describeFixed(changes.fixed)), ...(request.notes ?? [])],
  });
}

function describeChanges(changes: ProblemChanges, now: ProblemList, single: boolean): string {
  const { addedCount, fixed, closed, remaining } = changes;
  if (addedCount + fixed.length + closed === 0) return `no change: ${describeList(now)}`;
  const lost = closed === 0 ? '' : `, ${closed} no longer reported (tab closed)`;
  // With one file the places need no path, and so no line, of their own.
  const where =
    single && fixed.length > 0 ? ` (${namePlaces(fixed.map(({ place }) => place))})` : '';
  return `${addedCount} new, ${fixed.length} fixed${where}, ${remaining} remain${lost}`;
}

/** At most 3 files and 5 places each; the rest is counted. */
function describeFixed(fixed: readonly FixedProblem[]): readonly string[] {
  const byFile = new Map<string, string[]>();
  for (const { path, place } of fixed) {
    const places = byFile.get(path);
    if (places) places.push(place);
    else byFile.set(path, [place]);
  }
  const lines = [...byFile]
    .slice(0, 3)
    .map(([path, places]) => `fixed: ${namePlaces(places)} in ${ellipsize(path, 200)}`);
  const rest = byFile.size - lines.length;
  return rest > 0 ? [...lines, `fixed also in ${count(rest, 'more file')}`] : lines;
}

function namePlaces(places: readonly string[]): string {
  const more = places.length > 5 ? ` +${places.length - 5}` : '';
  return `${places.slice(0, 5).join(' ')}${more}`;
}

function addedProblems(before: ReadonlyMap<string, ProblemGroup>, now: ProblemList): ProblemList {
  const wanted = new Map<string, string[]>();
  for (const { key, places } of now.groups) {
    wanted.set(key, [...surplus(places, before.get(key)?.places ?? [])]);
  }
  // Several equal ones may stand at one place: each that is wanted is taken once.
  const take = (path: string, problem: Problem): boolean => {
    const places = wanted.get(problemKey(path, problem)) ?? [];
    const at = places.indexOf(`${problem.line}:${problem.column}`);
    if (at >= 0) places.splice(at, 1);
    return at >= 0;
  };
  const files = now.files.map((file) => ({
    ...file,
    problems: file.problems.filter((problem) => take(file.path, problem)),
  }));
  return listProblems(files, now.minimum);
}

/**
 * As many of `places` as there are more of them than of `known`: those that are left when each known
 * one is taken for the one at its place, else for the nearest, since lines shift with every edit.
 */
function surplus(places: readonly string[], known: readonly string[]): readonly string[] {
  const wanted = places.length - known.length;
  if (wanted <= 0) return [];
  const fresh = without(places, known);
  const lost = without(known, places);
  const moved = new Set(nearestPairs(fresh, lost));
  return fresh.filter((_, index) => !moved.has(index)).slice(0, wanted);
}

/** Those of `places` that are not among `others`; of equal ones as many as there are more of. */
function without(places: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const place of others) counts.set(place, (counts.get(place) ?? 0) + 1);
  return places.filter((place) => {
    const left = counts.get(place) ?? 0;
    if (left > 0) counts.set(place, left - 1);
    return left === 0;
  });
}

/** Comparing each with each grows with the square; of so many nobody looks for the very one. */
const COMPARED = 10_000;

/** Indexes of the places that those which are lost have most likely moved to. */
function nearestPairs(fresh: readonly string[], lost: readonly string[]): readonly number[] {
  if (lost.length === 0 || fresh.length * lost.length > COMPARED) return [];
  const there = fresh.map(readPlace);
  const pairs = lost.map(readPlace).flatMap((from, gone) =>
    there.map((to, at) => ({
      ...{ gone, at, isOther: from.column !== to.column },
      distance: Math.abs(from.line - to.line),
    })),
  );
  pairs.sort((a, b) => Number(a.isOther) - Number(b.isOther) || a.distance - b.distance);
  const taken = new Map<number, number>();
  const done = new Set<number>();
  for (const { gone, at } of pairs) {
    if (done.has(gone) || taken.has(at)) continue;
    done.add(gone);
    taken.set(at, gone);
  }
  return [...taken.keys()];
}

function readPlace(place: string): { readonly line: number; readonly column: number } {
  const [line, column] = place.split(':').map(Number);
  return { line: line ?? 0, column: column ?? 0 };
}

function byKey(list: ProblemList): ReadonlyMap<string, ProblemGroup> {
  return new Map(list.groups.map((group) => [group.key, group]));
}

function openPaths(list: ProblemList): ReadonlySet<string> {
  return new Set(list.files.filter((file) => file.hasTab).map((file) => file.path));
}

function placeCount(list: ProblemList): number {
  return list.groups.reduce((sum, group) => sum + group.places.length, 0);
}
