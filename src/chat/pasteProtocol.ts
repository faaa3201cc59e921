import { withPlainEnds } from '../base/lineEnds';

/** A longer paste stays what it is, in characters. */
export const MAX_PASTED_CODE = 200_000;

/** Whether a paste may be code of an editor: of a few words in one line nobody wants the place. */
export function mayBeCode(text: string): boolean {
  return text.length <= MAX_PASTED_CODE && withPlainEnds(text).trim().includes('\n');
}

/** Whether two texts are one but for how their lines end: a text box knows one kind of them. */
export function isSameCode(one: string, other: string): boolean {
  return withPlainEnds(one) === withPlainEnds(other);
}
