import type { ImageRef } from './imageProtocol';
import type { TranscriptItem } from './viewStateProtocol';

/** Where a conversation is cut in two, so that a copy of its beginning can go on another way. */
export interface ForkPoint {
  /**
   * Prompts by the uuids that they were sent with, in their order. The copy ends before the first of
   * them that is on the disk; where none is, it holds all that was said.
   */
  readonly before: readonly string[];
  /** What the person said there; absent where the copy ends behind an answer. */
  readonly prompt?: string;
  /** Pictures that went with it. */
  readonly images?: readonly ImageRef[];
}

/** For a prompt: before it. For an answer: behind it. Undefined for what is neither, or is not there. */
export function forkPoint(items: readonly TranscriptItem[], itemId: string): ForkPoint | undefined {
  const at = items.findIndex(({ id }) => id === itemId);
  const item = items[at];
  if (item?.kind !== 'user' && item?.kind !== 'assistant') return undefined;
  const before = items.slice(at).flatMap((one) => (one.kind === 'user' ? (one.wireId ?? []) : []));
  if (item.kind === 'assistant') return { before };
  const { text, images } = item;
  return { before, prompt: text, ...(images && { images }) };
}

const NUMBERED = / \((?:fork|fork (\d{1,4}))\)$/;

/** `Prices (fork)`, of a fork `Prices (fork 2)`. The mark is not translated: other programs read it. */
export function forkTitle(title: string): string {
  if (title === '') return '';
  const mark = NUMBERED.exec(title);
  if (!mark) return `${title} (fork)`;
  const next = Number(mark[1] ?? '1') + 1;
  return `${title.slice(0, mark.index)} (fork ${next})`;
}
