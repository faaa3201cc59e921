import { changeBetween } from '../base/changeBetween';

/** A longer text takes the browser too long to type, or to take away: of 3 MB, minutes. */
const LONGEST = 50_000;

/**
 * Makes a text box hold a text as if it were typed: then its Undo takes back just that, where a value that
 * is set would have it put older words into the new ones. The caret stays where it is in what stays.
 *
 * @returns whether it was done: a box without the focus cannot be typed into, and much text is not
 */
export function typeInto(box: HTMLTextAreaElement, text: string): boolean {
  if (document.activeElement !== box) return false;
  const { value, selectionEnd: caret } = box;
  const { offset, end, words } = wholeCharacters(value, text);
  if (Math.max(words.length, end - offset) > LONGEST) return false;
  box.setSelectionRange(offset, end);
  // The one way to change a text box that its Undo knows of.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand(words === '' ? 'delete' : 'insertText', false, words);
  const at = caret < offset ? caret : Math.max(caret - end, 0) + offset + words.length;
  box.setSelectionRange(at, at);
  return box.value === text;
}

/** What is to be typed over what; never over a half of a character. */
function wholeCharacters(before: string, after: string) {
  const { offset: head, length, text } = changeBetween(before, after);
  const isSplit = (all: string, at: number): boolean =>
    /^[\uDC00-\uDFFF]/u.test(all.slice(at, at + 1));
  const offset = isSplit(before, head) || isSplit(after, head) ? head - 1 : head;
  const rest = before.length - head - length;
  const end = before.length - rest;
  const more = isSplit(before, end) || isSplit(after, after.length - rest) ? 1 : 0;
  const words = `${after.slice(offset, head)}${text}${after.slice(after.length - rest).slice(0, more)}`;
  return { offset, end: end + more, words };
}
