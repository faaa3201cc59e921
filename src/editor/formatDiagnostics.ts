import { count, fillPage, RESULT_LIMIT, RESULT_MAX, type PageItem } from './resultBudget';
import {
  countSeverities,
  describeCounts,
  type Problem,
  type Severity,
  severityRank,
} from './problem';

/** The problems of one file, as they stood when the list was made. */
export interface FileProblems {
  readonly path: string;
  /** 0 for the active file, small for other open files, larger the farther away. */
  readonly nearness: number;
  /** Whether the file is shown in a tab; problems of a file that loses its tab are not "fixed". */
  readonly hasTab: boolean;
  readonly problems: readonly Problem[];
}

/** Equal problems of one file, merged; `places` in the order of the document. */
export interface ProblemGroup extends PageItem {
  readonly key: string;
  readonly severity: Severity;
  readonly code: string;
  readonly places: readonly string[];
}

/** A list of problems as a snapshot that pages and later calls are made from. */
export interface ProblemList {
  readonly files: readonly FileProblems[];
  readonly minimum: Severity;
  /** The listed ones, worst first, then nearest, then by place. */
  readonly groups: readonly ProblemGroup[];
}

const MERGED_PLACES = 20;
/** Room for the first and last lines of a result. */
const FRAME = 500;

/** Merges and orders problems; those below `minimum` are kept for counting only. */
export function listProblems(files: readonly FileProblems[], minimum: Severity): ProblemList {
  const lowest = severityRank(minimum);
  const near = [...files].sort((a, b) => a.nearness - b.nearness || compare(a.path, b.path));
  const groups = near.flatMap((file) =>
    mergeProblems(file).filter((group) => severityRank(group.severity) <= lowest),
  );
  // Array.sort is stable: nearness and place stay as they are within a severity.
  groups.sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
  return { files: near, minimum, groups };
}

export interface PageRequest {
  readonly from: number;
  readonly full: boolean;
  /** Makes the cursor for the rest of the list. */
  readonly cursor: (offset: number) => string;
  /** Lines below the first one, such as what is known about freshness. */
  readonly notes?: readonly string[];
  /** The first line; by default the counts of the whole list. */
  readonly title?: string;
}

/** One page: counts of the whole, notes, problems by file, and what is left with its cursor. */
export function formatProblems(list: ProblemList, request: PageRequest): string {
  const notes = request.notes ?? [];
  const budget = (request.full ? RESULT_MAX : RESULT_LIMIT) - FRAME - notes.join('\n').length;
  const { lines, end } = fillPage(list.groups, request.from, {
    chars: Math.max(budget, 1_000),
    items: request.full ? Infinity : 30,
  });
  const title = request.title ?? describeList(list);
  return [title, ...notes, ...lines, ...describeRest(list.groups.slice(end), end, request)].join(
    '\n',
  );
}

/** The files that a page may name, to be told with `tellNamed`: also those that problems are also about. */
export function pathsOf(files: readonly FileProblems[]): readonly string[] {
  return files.flatMap(({ path, problems }) => [
    path,
    ...problems.flatMap(({ relatedPath }) => relatedPath ?? []),
  ]);
}

/** `26 errors, 16 warnings, 8 hints in 1 file (hints not listed)`. */
export function describeList(list: ProblemList): string {
  const all = list.files.flatMap((file) => file.problems);
  const counts = describeCounts(countSeverities(all));
  if (all.length === 0) return counts;
  const files = list.files.filter((file) => file.problems.length > 0).length;
  const lowest = severityRank(list.minimum);
  const left = all
    .filter((problem) => severityRank(problem.severity) > lowest)
    .map((p) => p.severity);
  const kinds = [...new Set(left)].sort((a, b) => severityRank(a) - severityRank(b));
  const hidden =
    kinds.length > 0 ? ` (${kinds.map((kind) => `${kind}s`).join(', ')} not listed)` : '';
  return `${counts} in ${count(files, 'file')}${hidden}`;
}

function describeRest(
  rest: readonly ProblemGroup[],
  offset: number,
  request: PageRequest,
): readonly string[] {
  if (rest.length === 0) return [];
  const problems = rest.flatMap((group) => group.places.map(() => ({ severity: group.severity })));
  const files = new Set(rest.map((group) => group.group)).size;
  return [
    `left: ${describeCounts(countSeverities(problems))} in ${count(files, 'file')}`,
    `next: cursor=${request.cursor(offset)}`,
  ];
}

/** Equal for problems that are merged, and for one problem in two lists: the place is no part of it. */
export function problemKey(path: string, problem: Problem): string {
  const { severity, source, code, message } = problem;
  return [path, severity, source, code, message].join('\0');
}

/** Merged ones; there is one at least. */
type Equal = [Problem, ...Problem[]];

function mergeProblems(file: FileProblems): readonly ProblemGroup[] {
  const byKey = new Map<string, Equal>();
  const inOrder = [...file.problems].sort((a, b) => a.line - b.line || a.column - b.column);
  for (const problem of inOrder) {
    const key = problemKey(file.path, problem);
    const same = byKey.get(key);
    if (same) same.push(problem);
    else byKey.set(key, [problem]);
  }
  return [...byKey].map(([key, problems]) => toGroup(file.path, key, problems));
}

function toGroup(path: string, key: string, problems: Equal): ProblemGroup {
  const places = problems.map((problem) => `${problem.line}:${problem.column}`);
  const [first] = problems;
  const code = [first.source, first.code].filter((part) => part !== undefined).join(' ');
  return {
    group: path,
    key,
    severity: first.severity,
    code,
    places,
    text: groupLine(problems, places, code),
  };
}

function groupLine(problems: Equal, places: readonly string[], code: string): string {
  const [first] = problems;
  const tag = code === '' ? '' : ` [${code}]`;
  const what = `${first.severity} ${first.message}${tag}`;
  const related = describeRelated(problems);
  if (places.length === 1) return ` ${places[0] ?? ''} ${what}${movedMark(first)}${related}`;
  const more = places.length - MERGED_PLACES;
  const shown = problems
    .slice(0, MERGED_PLACES)
    .map((problem, index) => `${places[index] ?? ''}${movedMark(problem)}`)
    .join(' ');
  return ` ${what} ×${places.length} at ${shown}${more > 0 ? ` …+${more}` : ''}${related}`;
}

function movedMark({ reportedLine }: Problem): string {
  return reportedLine === undefined ? '' : ` (reported at line ${reportedLine})`;
}

/** What the first of them is also about; what else the others are about is counted. */
function describeRelated(problems: Equal): string {
  const [first, ...more] = new Set(problems.flatMap(({ related }) => related ?? []));
  if (first === undefined) return '';
  return ` (see ${first}${more.length > 0 ? ` +${more.length}` : ''})`;
}

/** By code units: the same on every machine, unlike a locale's order. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
