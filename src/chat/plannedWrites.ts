import * as l10n from '@vscode/l10n';
import { oneLine } from './boundedText';
import { visibleText } from './visibleText';

/** A file that a call of one of our own tools would write. */
export interface PlannedFile {
  /** As shown. */
  readonly path: string;
  /** How many places of it would be changed; one where the tool does not say. */
  readonly places: number;
}

const NAMED = 6;
const PATH_LIMIT = 80;

/** `23 places in 12 files: src/a.ts (2), src/b.ts and 10 more`; undefined where there is nothing to say. */
export function plannedWords(files: readonly PlannedFile[]): string | undefined {
  if (files.length === 0) return undefined;
  const places = files.reduce((sum, file) => sum + file.places, 0);
  const named = files
    .slice(0, NAMED)
    .map(({ path, places: own }) => (own === 1 ? shown(path) : `${shown(path)} (${own})`));
  const more = files.length - named.length;
  const list = named.join(', ');
  const names = more > 0 ? l10n.t('{0} and {1} more', list, more) : list;
  if (files.length === 1) return l10n.t('In {0}', names);
  return places === files.length
    ? l10n.t('In {0} files: {1}', files.length, names)
    : l10n.t('{0} places in {1} files: {2}', places, files.length, names);
}

function shown(path: string): string {
  return visibleText(oneLine(path, PATH_LIMIT));
}
