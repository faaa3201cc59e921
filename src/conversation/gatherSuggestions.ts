import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import { SUGGEST_LIMIT, type SuggestAnswer } from '../chat/suggestProtocol';
import type { SuggestPart, SuggestSource } from './conversationPorts';
import { withDeadline } from './withDeadline';

/** How long one source may take, in milliseconds; then its place stays empty and that is said. */
const SOURCE_WITHIN_MS = 5_000;
/** What comes within this goes out as one answer, so that a list does not grow under the eye. */
const TOGETHER_MS = 40;

/**
 * Asks all sources at once and tells what is there, as often as something came; the last time with
 * `isPending` false. A source that fails or is slow is named in a note and holds up nobody.
 */
export async function gatherSuggestions(
  sources: readonly SuggestSource[],
  signal: AbortSignal,
  tell: (answer: SuggestAnswer) => void,
): Promise<void> {
  const parts: (SuggestPart | undefined)[] = sources.map(() => undefined);
  const notes: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const now = (isPending: boolean): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!signal.aborted) tell(answerOf(parts, notes, isPending));
  };
  const all = sources.map(async (source, index) => {
    try {
      const late = l10n.t('no answer within {0} s', SOURCE_WITHIN_MS / 1000);
      parts[index] = await withDeadline(source.rows(signal), SOURCE_WITHIN_MS, late);
      timer ??= setTimeout(() => now(true), TOGETHER_MS);
    } catch (error) {
      notes.push(l10n.t('{0} could not be asked: {1}', source.name, errorMessage(error)));
    }
  });
  await Promise.all(all);
  now(false);
}

function answerOf(
  parts: readonly (SuggestPart | undefined)[],
  notes: readonly string[],
  isPending: boolean,
): SuggestAnswer {
  const given = parts.filter((part) => part !== undefined);
  const rows = given
    .flatMap((part) => part.rows)
    .sort((a, b) => b.score - a.score)
    .slice(0, SUGGEST_LIMIT)
    .map(({ score: _score, ...row }) => row);
  const hint = given.find((part) => part.hint !== undefined)?.hint;
  return {
    rows,
    notes: [...notes, ...given.flatMap(({ note }) => note ?? [])],
    isPending,
    ...(hint === undefined || hint === '' ? {} : { hint }),
    ...(given.some((part) => part.isOptional === true) ? { isOptional: true } : {}),
  };
}
