/** A stretch of terminal output in one look. */
export interface AnsiPart {
  readonly text: string;
  /** Of the sixteen colours of a terminal, 0 … 15; absent for the default. */
  readonly color?: number;
  readonly background?: number;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  /** Text and ground change places. */
  readonly reverse?: boolean;
}

type Look = Omit<AnsiPart, 'text'>;

/**
 * Escape sequences of a terminal: CSI (colours, moves of the cursor), OSC (titles, links; ended by
 * BEL or ST), strings of other kinds, and two-character ones. A torn one at the end counts as well.
 */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)([0-9:;<=>?]*)[ -/]*([@-~]?)|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[PX^_][^\u001b\u009c]*(?:\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;

// eslint-disable-next-line no-control-regex
const HAS_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/**
 * Terminal output as it would stand on a screen: colours kept as looks, other sequences left out,
 * a line that was written over several times (a progress bar) as it was last.
 */
export function parseAnsi(text: string): AnsiPart[] {
  if (!HAS_CONTROL.test(text)) return text === '' ? [] : [{ text }];
  const parts: AnsiPart[] = [];
  let look: Look = {};
  let from = 0;
  const add = (to: number): void => {
    if (to > from) push(parts, { text: text.slice(from, to), ...look });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') look = applyCodes(look, match[1] ?? '');
  }
  add(text.length);
  return writtenOver(parts);
}

/** The words alone. */
export function stripAnsi(text: string): string {
  return HAS_CONTROL.test(text)
    ? parseAnsi(text)
        .map((part) => part.text)
        .join('')
    : text;
}

function push(parts: AnsiPart[], part: AnsiPart): void {
  if (part.text !== '') parts.push(part);
}

/** A carriage return goes back to the start of the line: what follows replaces what stood there. */
function writtenOver(parts: readonly AnsiPart[]): AnsiPart[] {
  const done: AnsiPart[] = [];
  let line: AnsiPart[] = [];
  // What stands until something is written over it: output often ends in a bare return.
  let isReturned = false;
  for (const part of parts) {
    for (const piece of part.text.replaceAll('\r\n', '\n').split(/(\n|\r)/)) {
      if (piece === '\r') isReturned = true;
      else if (piece === '\n') {
        done.push(...line, { ...part, text: '\n' });
        line = [];
        isReturned = false;
      } else if (piece !== '') {
        if (isReturned) line = [];
        isReturned = false;
        push(line, { ...part, text: withoutControls(piece) });
      }
    }
  }
  return joinAlike([...done, ...line]);
}

/** A backspace takes back a character; other controls that are left say nothing. */
function withoutControls(text: string): string {
  if (!HAS_CONTROL.test(text)) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (character === '\b') kept.pop();
    else if (!HAS_CONTROL.test(character)) kept.push(character);
  }
  return kept.join('');
}

function joinAlike(parts: readonly AnsiPart[]): AnsiPart[] {
  const joined: { part: AnsiPart; texts: string[]; key: string }[] = [];
  for (const part of parts) {
    const key = JSON.stringify({ ...part, text: '' });
    const last = joined.at(-1);
    if (last?.key === key) last.texts.push(part.text);
    else joined.push({ part, texts: [part.text], key });
  }
  return joined.map(({ part, texts }) => ({ ...part, text: texts.join('') }));
}

/** The parameters of `CSI … m`. */
function applyCodes(look: Look, codes: string): Look {
  const numbers = codes.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let next = look;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      const [color, used] = longColor(numbers.slice(at + 1));
      at += used;
      if (color !== undefined) next = { ...next, [code === 38 ? 'color' : 'background']: color };
    } else {
      next = applyCode(next, code);
    }
  }
  return next;
}

function applyCode(look: Look, code: number): Look {
  if (code === 0) return {};
  if (code >= 30 && code <= 37) return { ...look, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...look, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...look, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...look, background: code - 92 };
  const switched = SWITCHES.get(code);
  if (!switched) return look;
  const next: Record<string, unknown> = { ...look };
  for (const [key, isOn] of Object.entries(switched)) {
    if (isOn) next[key] = true;
    else Reflect.deleteProperty(next, key);
  }
  return next;
}

const SWITCHES = new Map<number, Readonly<Record<string, boolean>>>([
  [1, { bold: true }],
  [2, { dim: true }],
  [3, { italic: true }],
  [4, { underline: true }],
  [7, { reverse: true }],
  [9, { strike: true }],
  [22, { bold: false, dim: false }],
  [23, { italic: false }],
  [24, { underline: false }],
  [27, { reverse: false }],
  [29, { strike: false }],
  [39, { color: false }],
  [49, { background: false }],
]);

/** `5;n` or `2;r;g;b` behind 38 and 48: the nearest of the sixteen, and how many numbers it took. */
function longColor(numbers: readonly number[]): [color: number | undefined, used: number] {
  const [kind, first = 0, second = 0, third = 0] = numbers;
  if (kind === 5) return [fromPalette(first), 2];
  if (kind === 2) return [nearest(first, second, third), 4];
  return [undefined, 0];
}

function fromPalette(index: number): number | undefined {
  if (!(index >= 0 && index <= 255)) return undefined;
  if (index < 16) return index;
  if (index >= 232) {
    const gray = 8 + (index - 232) * 10;
    return nearest(gray, gray, gray);
  }
  const step = (place: number): number => [0, 95, 135, 175, 215, 255][place % 6] ?? 0;
  const cube = index - 16;
  return nearest(step(Math.floor(cube / 36)), step(Math.floor(cube / 6)), step(cube));
}

const SIXTEEN: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 188, 121],
  [229, 229, 16],
  [36, 114, 200],
  [188, 63, 188],
  [17, 168, 205],
  [200, 200, 200],
  [102, 102, 102],
  [241, 76, 76],
  [35, 209, 139],
  [245, 245, 67],
  [59, 142, 234],
  [214, 112, 214],
  [41, 184, 219],
  [255, 255, 255],
];

function nearest(red: number, green: number, blue: number): number {
  const distance = ([r, g, b]: readonly [number, number, number]): number =>
    (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  return SIXTEEN.reduce(
    (best, color, index) => (distance(color) < distance(SIXTEEN[best] ?? color) ? index : best),
    0,
  );
}
