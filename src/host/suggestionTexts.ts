import * as l10n from '@vscode/l10n';
import { ellipsize } from '../base/cutText';
import { mentionText } from '../chat/mentions';
import { CHANGES_MENTION } from '../chat/namedMentions';
import type { Suggestion } from '../chat/viewStateProtocol';
import type { FailedTests } from '../editor/testRuns';

/** What the editor knows, as plain data. */
export interface SuggestionSource {
  readonly problemFiles: readonly {
    readonly path: string;
    readonly counts: { readonly error: number; readonly warning: number };
  }[];
  readonly dirtyFiles: readonly { readonly path: string }[];
  /** How many files differ from the last commit; absent where nobody knows. */
  readonly changedFiles?: number | undefined;
  /** The last run of tests that failed and did not pass since. */
  readonly failedTests?: FailedTests | undefined;
}

/** How many offers the empty state makes. */
const MAX_SUGGESTIONS = 3;
/** Characters of a command in a title. */
const TITLE_COMMAND = 60;

/** The offers of the empty state: real problems, tests and changes, never stock phrases. */
export function makeSuggestions(source: SuggestionSource): readonly Suggestion[] {
  const problems = source.problemFiles.map(({ path, counts }) => {
    const count = counts.error + counts.warning;
    const name = baseName(path);
    return {
      id: `problems:${path}`,
      icon: 'warning',
      title:
        count === 1
          ? l10n.t('Fix 1 problem in {0}', name)
          : l10n.t('Fix {0} problems in {1}', count, name),
      detail: countWords(counts.error, counts.warning),
      prompt: `Fix the problems in ${path}.`,
    };
  });
  const others = [
    ...testsSuggestion(source.failedTests),
    ...dirtySuggestion(source.dirtyFiles),
    ...changesSuggestion(source.changedFiles ?? 0),
  ];
  // Each kind has its place: files with problems may be many, and have one at least.
  const room = Math.max(MAX_SUGGESTIONS - others.length, 1);
  return [...problems.slice(0, room), ...others].slice(0, MAX_SUGGESTIONS);
}

/** `2 errors, 1 warning` */
export function countWords(errors: number, warnings: number): string {
  const errorWords = errors === 1 ? l10n.t('1 error') : l10n.t('{0} errors', errors);
  const warningWords = warnings === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', warnings);
  if (warnings === 0) return errorWords;
  return errors === 0 ? warningWords : `${errorWords}, ${warningWords}`;
}

function testsSuggestion(failed: FailedTests | undefined): readonly Suggestion[] {
  if (failed === undefined) return [];
  const { kind, name, below, exitCode } = failed;
  const what = kind === 'task' ? `the task "${name}"` : name;
  const where = below === undefined ? '' : `, run in ${below}`;
  return [
    {
      id: 'tests',
      icon: 'beaker',
      title: l10n.t('Fix the failing test run: {0}', ellipsize(name, TITLE_COMMAND)),
      detail:
        below === undefined
          ? l10n.t('exit code {0}', exitCode)
          : l10n.t('exit code {0}, in {1}', exitCode, below),
      prompt: `Fix the failing test run: ${what} (exit code ${exitCode}${where}).`,
    },
  ];
}

function dirtySuggestion(files: SuggestionSource['dirtyFiles']): readonly Suggestion[] {
  const [first] = files;
  if (first === undefined) return [];
  const names = files.map((file) => baseName(file.path)).join(', ');
  return [
    {
      id: 'dirty',
      icon: 'edit',
      title: l10n.t('Review my unsaved changes'),
      detail: names,
      prompt: `Review my unsaved changes in ${files.map((file) => file.path).join(', ')}.`,
    },
  ];
}

function changesSuggestion(count: number): readonly Suggestion[] {
  if (count === 0) return [];
  return [
    {
      id: 'changes',
      icon: 'source-control',
      title: l10n.t('Review what I changed since the last commit'),
      detail: count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count),
      prompt: `Review what I changed since the last commit: ${mentionText(CHANGES_MENTION)}`,
    },
  ];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
