import * as l10n from '@vscode/l10n';
import type { Suggestion } from '../chat/viewStateProtocol';

/** What the editor knows, as plain data. */
export interface SuggestionSource {
  readonly problemFiles: readonly {
    readonly path: string;
    readonly counts: { readonly error: number; readonly warning: number };
  }[];
  readonly dirtyFiles: readonly { readonly path: string }[];
}

/** How many offers the empty state makes. */
const MAX_SUGGESTIONS = 3;

/** The offers of the empty state: real problems and real changes, never stock phrases. */
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
  return [...problems, ...dirtySuggestion(source.dirtyFiles)].slice(0, MAX_SUGGESTIONS);
}

/** `2 errors, 1 warning` */
export function countWords(errors: number, warnings: number): string {
  const errorWords = errors === 1 ? l10n.t('1 error') : l10n.t('{0} errors', errors);
  const warningWords = warnings === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', warnings);
  if (warnings === 0) return errorWords;
  return errors === 0 ? warningWords : `${errorWords}, ${warningWords}`;
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

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
