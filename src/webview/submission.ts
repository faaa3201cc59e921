import { isSameList } from '../base/isSameList';

/** How long an unanswered submit blocks the same text from being sent again, in milliseconds. */
export const SUBMIT_WAIT_MS = 5000;

/** A prompt that was handed to the host and is not answered yet. */
export interface Submission {
  readonly promptId: string;
  readonly text: string;
  readonly images: readonly string[];
  readonly at: number;
}

/**
 * The id to send `text` with; undefined when it has just been sent and waits for its answer.
 * After the wait the same text goes out under the same id, so that the host takes it once.
 */
export function promptIdFor(
  { text, images }: Pick<Submission, 'text' | 'images'>,
  pending: readonly Submission[],
  now: number,
  newId: () => string,
): string | undefined {
  const same = pending.find((entry) => entry.text === text && isSameList(entry.images, images));
  if (!same) return newId();
  return now - same.at < SUBMIT_WAIT_MS ? undefined : same.promptId;
}

/**
 * What of a message is not on its way already: whoever types on behind Send, before its answer has
 * come, means the rest. One whose answer is overdue goes once more.
 */
export function unsentPart(
  message: Pick<Submission, 'text' | 'images'>,
  pending: readonly Submission[],
  now: number,
): Pick<Submission, 'text' | 'images'> {
  const awaited = pending.filter(({ at }) => now - at < SUBMIT_WAIT_MS);
  const sent = new Set(awaited.flatMap(({ images }) => images));
  const text = awaited.reduce((rest, one) => textAfterAccept(rest, one.text), message.text);
  const images = message.images.filter((id) => !sent.has(id));
  return { text, images };
}

/** What stays in the box once the host took `sent`: what was typed after it, untouched. */
export function textAfterAccept(box: string, sent: string): string {
  if (box === sent || box.trim() === sent) return '';
  // What is sent has no blanks around it.
  const text = box.trimStart();
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : box;
}

/** Text from outside goes after what is there, never over it. */
export function insertInto(box: string, text: string): string {
  if (box === '' || box.endsWith('\n') || box.endsWith(' ')) return box + text;
  return `${box}\n${text}`;
}
