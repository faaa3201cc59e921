import { cutText } from '../base/cutText';
import type { PlanCard, PlanComment } from './askProtocol';

const NOTHING_SAID =
  'The user wants to keep planning and has not said what to change. Stay in plan mode, and ask the user what the plan should do differently.';
const WHAT_TO_DO =
  'The user has not approved the plan yet and wants to keep planning. Stay in plan mode, change the plan as said below, and then ask for approval again.';

/** Characters of the commented lines that are quoted; the model has the plan. */
const QUOTE_LIMIT = 2000;

/** What the model reads when the person keeps planning: never empty, and never taken for approval. */
export function keepPlanningMessage(card: PlanCard, words: string): string {
  const parts = feedbackParts(card, words);
  return parts.length === 0 ? NOTHING_SAID : [WHAT_TO_DO, ...parts].join('\n\n');
}

/** The person's words, comments and own version of the plan, each with its heading. */
export function feedbackParts(card: PlanCard, words: string): readonly string[] {
  const { comments, edited } = card;
  const said = words.trim();
  const parts: string[] = [];
  if (said !== '') parts.push(`What to change:\n${said}`);
  if (comments.length > 0) {
    const which = edited === undefined ? 'the plan' : 'the edited plan below';
    const sorted = [...comments].sort((a, b) => a.from - b.from || a.to - b.to);
    const list = sorted.map((comment, index) => commentPart(comment, index + 1));
    parts.push(`Comments on lines of ${which}:\n\n${list.join('\n\n')}`);
  }
  if (edited !== undefined) parts.push(editedPart(edited));
  return parts;
}

/** The person's version, whole: the agent's file still holds its own. */
export function editedPart(edited: string): string {
  const longest = (edited.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const end = edited.endsWith('\n') ? '' : '\n';
  return `The plan was edited by the user. Go on from this version:\n${fence}markdown\n${edited}${end}${fence}`;
}

function commentPart({ from, to, quote, text, isGone }: PlanComment, number: number): string {
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  const place =
    isGone === true ? `on text that the user has deleted since, near line ${from}` : lines;
  const short = cutText(quote, QUOTE_LIMIT);
  const quoted = (short === quote ? quote : `${short}…`)
    .split(/\r\n?|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
  return `${number}. ${place.charAt(0).toUpperCase()}${place.slice(1)}:\n${quoted}\n${text.trim()}`;
}
