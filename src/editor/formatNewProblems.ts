import { ellipsize } from '../base/cutText';
import type { FileReport } from './describeFreshness';
import { describeFiles, isKnown } from './describeFreshness';
import { listProblems, type ProblemGroup } from './formatDiagnostics';
import { compareProblems } from './problemChanges';
import { linesWithRest } from './resultBudget';

/** A file's problems before a change and after it; `before` is undefined where nobody had looked. */
export interface ReportPair {
  readonly before: FileReport | undefined;
  readonly after: FileReport | undefined;
}

const LISTED = 10;
/** Characters for all of it: the lines of the changed files stand above. */
const ROOM = 2_500;

/**
 * Which problems a change has brought, warnings and worse: counts, then the new ones by file. Files
 * about which nothing is known are named, since silence is not "none".
 */
export function formatNewProblems(pairs: readonly ReportPair[]): readonly string[] {
  const after = pairs.flatMap((pair) => (pair.after ? [pair.after] : []));
  const told = after.filter(hasAnswer);
  const lines: string[] = [];
  const compared = pairs.filter(
    (pair) => isTold(pair.after) && (isTold(pair.before) || pair.after.problems.length === 0),
  );
  if (compared.length > 0) lines.push(...describeNew(compared));
  const unmatched = pairs.filter((pair) => isTold(pair.after) && !compared.includes(pair));
  if (unmatched.length > 0) {
    const list = listProblems(
      unmatched.flatMap((pair) => pair.after ?? []),
      'warning',
    );
    lines.push('problems now (before the change they were not known):', ...listed(list.groups));
  }
  const unknown = after.filter((report) => !told.includes(report));
  const silent = describeFiles(unknown).map((line) =>
    ellipsize(`problems not known: ${line}`, 500),
  );
  const room = ROOM - silent.join('\n').length;
  return [...linesWithRest(lines, room, 'and more: see diagnostics'), ...silent];
}

function describeNew(pairs: readonly ReportPair[]): readonly string[] {
  const before = pairs.flatMap((pair) => pair.before ?? []);
  const after = pairs.flatMap((pair) => pair.after ?? []);
  const { added, addedCount, fixed, remaining } = compareProblems(
    listProblems(before, 'warning'),
    listProblems(after, 'warning'),
  );
  const counts = `${fixed.length} fixed, ${remaining} remain`;
  if (addedCount === 0) {
    return [fixed.length + remaining === 0 ? 'no problems' : `no new problems (${counts})`];
  }
  return [
    `${addedCount} new problem${addedCount === 1 ? '' : 's'}, ${counts}`,
    ...listed(added.groups),
  ];
}

function listed(groups: readonly ProblemGroup[]): readonly string[] {
  const lines: string[] = [];
  let heading = '';
  for (const { group, text } of groups.slice(0, LISTED)) {
    if (group !== heading) lines.push(ellipsize(group, 200));
    heading = group;
    lines.push(text);
  }
  const rest = groups.length - LISTED;
  return rest > 0 ? [...lines, `and ${rest} more: see diagnostics`] : lines;
}

function isTold(report: FileReport | undefined): report is FileReport {
  return report !== undefined && hasAnswer(report);
}

function hasAnswer(report: FileReport): boolean {
  return isKnown(report);
}
