import type { FileProblems } from './formatDiagnostics';
import type { ChangeKind } from './freshnessLog';
import { count } from './resultBudget';

/** The problems of one file together with how far they can be trusted. */
export interface FileReport extends FileProblems {
  /** A report came after the last edit, opening or showing, and then quiet. */
  readonly settled: boolean;
  /** TypeScript was asked directly, for the text as it is now. */
  readonly asked: boolean;
  readonly since: ChangeKind;
  readonly disk: 'same' | 'unsaved' | 'diskNewer' | 'removed';
}

const NAMED_FILES = 5;

/** Whether anything is known about the file as it is now: only then may "no problems" be said. */
export function isKnown(report: FileReport): boolean {
  return report.asked || (report.hasTab && report.settled);
}

/** What is to be said about one file before its problems; nothing where all is plain. */
export function describeFile(report: FileReport): readonly string[] {
  return [...describeReport(report), ...describeDisk(report)];
}

/** The same for several files: the unknown ones are named, five at most, by what is unknown. */
export function describeFiles(reports: readonly FileReport[]): readonly string[] {
  const unknown = reports.filter((report) => !isKnown(report));
  const silent = unknown.filter((report) => report.hasTab);
  return [
    ...nameFiles(
      'no report since the edit',
      silent.filter(({ since }) => since === 'edit'),
    ),
    ...nameFiles(
      'no report since opening',
      silent.filter(({ since }) => since === 'open'),
    ),
    ...nameFiles(
      'not analysed',
      unknown.filter((report) => !report.hasTab),
    ),
    ...nameFiles(
      'changed on disk, not yet in the editor',
      reports.filter(({ disk }) => disk === 'diskNewer'),
    ),
  ];
}

function describeReport(report: FileReport): readonly string[] {
  const { hasTab, settled, asked, problems, path, since } = report;
  if (hasTab && settled) return [];
  if (asked) {
    return [
      hasTab
        ? '(TypeScript asked directly)'
        : '(not open in a tab: TypeScript asked, no other checker)',
    ];
  }
  const old = problems.length > 0 ? '; these may be old' : '';
  if (!hasTab) return [`not analysed: ${path} is not open in a tab${old}`];
  return [`no report since ${since === 'edit' ? 'the edit' : 'opening'}: ${path}${old}`];
}

function describeDisk({ disk }: FileReport): readonly string[] {
  switch (disk) {
    case 'same':
      return [];
    case 'unsaved':
      return ['(of the unsaved text)'];
    case 'diskNewer':
      return ['the file on disk is newer than the text in the editor: these are of the old text'];
    case 'removed':
      return ['(the file was removed from the disk)'];
  }
}

function nameFiles(what: string, reports: readonly FileReport[]): readonly string[] {
  if (reports.length === 0) return [];
  const names = reports.slice(0, NAMED_FILES).map(({ path }) => path);
  const more = reports.length - names.length;
  return [`${what}: ${names.join(', ')}${more > 0 ? ` and ${count(more, 'more file')}` : ''}`];
}
