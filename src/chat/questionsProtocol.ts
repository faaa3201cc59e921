import * as l10n from '@vscode/l10n';
import type { DraftValue, FormDraft } from '../base/formField';
import type { Question } from './askProtocol';

/**
 * How view and host agree on what is answered to the model's questions.
 * The keys under which a draft holds the parts of one question.
 */
export interface QuestionKeys {
  /** Indexes of the options that are chosen. */
  readonly chosen: string;
  /** Whether the person's own words count. */
  readonly usesOwn: string;
  readonly own: string;
  readonly notes: string;
}

export function questionKeys(index: number): QuestionKeys {
  return {
    chosen: `${index}`,
    usesOwn: `${index}/usesOwn`,
    own: `${index}/own`,
    notes: `${index}/notes`,
  };
}

export interface QuestionAnswer {
  /** Indexes of options, in their order. */
  readonly chosen: readonly number[];
  /** In the person's own words; empty where there are none. */
  readonly own: string;
  readonly notes: string;
}

export type CheckedQuestions =
  | { readonly ok: true; readonly answers: readonly QuestionAnswer[] }
  /** One readable line for each question without an answer, by its index as a key. */
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> };

/** Reads the answers. The view and the host check by the same function. */
export function checkQuestions(questions: readonly Question[], draft: FormDraft): CheckedQuestions {
  const problems = new Map<string, string>();
  const answers = questions.map((question, index) => {
    const answer = answerOf(question, index, draft);
    if (answer.chosen.length === 0 && answer.own === '') {
      problems.set(questionKeys(index).chosen, problemOf(question, usesOwn(index, draft)));
    }
    return answer;
  });
  return problems.size > 0 ? { ok: false, problems } : { ok: true, answers };
}

function problemOf({ multi, options }: Question, wantsOwn: boolean): string {
  if (wantsOwn || options.length === 0) return l10n.t('Write your answer.');
  return multi
    ? l10n.t('Choose at least one, or write your own answer.')
    : l10n.t('Choose one, or write your own answer.');
}

function answerOf({ options, multi }: Question, index: number, draft: FormDraft): QuestionAnswer {
  const keys = questionKeys(index);
  const own = usesOwn(index, draft) ? wordsAt(draft, keys.own) : '';
  const given = valueAt(draft, keys.chosen);
  const indexes = (typeof given === 'object' ? given : [])
    .map(Number)
    .filter((at) => Number.isInteger(at) && at >= 0 && at < options.length);
  const chosen = [...new Set(indexes)].sort((a, b) => a - b);
  const notes = wordsAt(draft, keys.notes);
  if (multi) return { chosen, own, notes };
  return { chosen: usesOwn(index, draft) ? [] : chosen.slice(0, 1), own, notes };
}

function usesOwn(index: number, draft: FormDraft): boolean {
  return valueAt(draft, questionKeys(index).usesOwn) === true;
}

function wordsAt(draft: FormDraft, key: string): string {
  const value = valueAt(draft, key);
  return typeof value === 'string' ? value.trim() : '';
}

function valueAt(draft: FormDraft, key: string): DraftValue | undefined {
  return Object.hasOwn(draft, key) ? draft[key] : undefined;
}
