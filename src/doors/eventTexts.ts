/** Between two events of a stream. */
const BORDER = /(?:\r\n|\n|\r(?!\n)){2}/;
/** A border may be cut in two. */
const BORDER_LENGTH = 4;

/** Gathers the messages of a stream of events that comes in pieces, as text. */
export class EventTexts {
  #text = '';

  /** The texts of the events that end with this piece; empty of those that are no message. */
  push(piece: string): string[] {
    const near = this.#text.slice(1 - BORDER_LENGTH) + piece;
    this.#text += piece;
    // A long event comes in many pieces: it is not looked through with each of them.
    if (!BORDER.test(near)) return [];
    const events = this.#text.split(BORDER);
    this.#text = events.pop() ?? '';
    return events.map(dataOf);
  }
}

function dataOf(event: string): string {
  const lines = event.split(/\r\n|\n|\r/);
  // What is of another kind, such as a sign of life, is no message.
  if (lines.some((line) => /^event:(?! ?message$)/.test(line))) return '';
  return lines
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    .join('\n');
}
