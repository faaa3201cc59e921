/** One replacement, by UTF-16 offsets into the text before it. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** The one change that makes `after` of `before`: what both begin and end with stays. */
export function changeBetween(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < most - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  return {
    offset: head,
    length: before.length - head - tail,
    text: after.slice(head, after.length - tail),
  };
}
