/** A symbol as a model writes it: `total`, `Cart.total`, `cart::add`, `.button`, `Cart#add()`. */
export interface SymbolName {
  /** The last part, as it stands in the text. */
  readonly name: string;
  /** What it lies in, outermost first; empty for a plain name. */
  readonly containers: readonly string[];
  /** Characters of `name` before its last part, which is what is meant: 5 of `cart.total`. */
  readonly before: number;
}

/** No name is longer; looking for how a text is to be read takes the square of its length. */
const LONGEST = 500;
const SEPARATOR = /\.|::|->|#/u;
const CALL = /\s*\([^()]*\)$/u;
const LETTER = /[\p{L}\p{M}\p{N}_$]/u;

/**
 * The ways to read a name, the likeliest first: as a whole, since a selector or a key has dots of
 * its own, then as a name in containers. Empty for a blank text.
 */
export function readSymbolName(text: string): readonly SymbolName[] {
  const whole = text.trim().slice(0, LONGEST).replace(CALL, '').trim();
  if (whole === '') return [];
  const parts = whole.split(SEPARATOR).filter((part) => part.trim() !== '');
  const name = parts.at(-1);
  if (name === undefined || name === whole) return [{ name: whole, containers: [], before: 0 }];
  // A selector or a private name starts with its mark and is one.
  const before = LETTER.test(whole[0] ?? '') ? whole.lastIndexOf(name) : 0;
  return [
    { name: whole, containers: [], before },
    { name, containers: parts.slice(0, -1), before: 0 },
  ];
}

/** The name as an outline or a search gives it, without `(…)`, `#` of a heading and the like. */
export function bareName(name: string): string {
  const plain = name.replace(/^#+\s+/u, '').trim();
  const bare = plain.replace(/\s*(?:<[^<>]*>)?\(.*\)$/u, '');
  return bare === '' ? plain : bare;
}

/** Whether the wanted containers are among those that a symbol lies in, in their order. */
export function liesIn(wanted: readonly string[], containers: readonly string[]): boolean {
  const known = containers.flatMap((name) => bareName(name).split(SEPARATOR));
  let from = 0;
  for (const name of wanted) {
    const at = known.indexOf(name, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

/** Where what a name means stands in one line; 0-based columns. */
export function columnsMeant({ name, before }: SymbolName, line: string): readonly number[] {
  return columnsOf(name, line).map((column) => column + before);
}

/** Where a name stands as a whole in one line; 0-based columns. */
export function columnsOf(name: string, line: string): readonly number[] {
  if (name === '') return [];
  const columns: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    if (isWhole(name, line, at)) columns.push(at);
  }
  return columns;
}

/** Names, as programs have them, of a text; each once, as many as `limit`. */
export function namesIn(text: string, limit: number): readonly string[] {
  const names = new Set<string>();
  for (const [name] of text.matchAll(/[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu)) {
    names.add(name);
    if (names.size >= limit) break;
  }
  return [...names];
}

/** A letter next to the name makes it a part of another one, and so does `-` in names that may have it. */
function isWhole(name: string, line: string, at: number): boolean {
  const first = name[0] ?? '';
  const last = name.at(-1) ?? '';
  return !joins(name, first, line[at - 1]) && !joins(name, last, line[at + name.length]);
}

function joins(name: string, edge: string, next: string | undefined): boolean {
  if (next === undefined || !(LETTER.test(edge) || edge === '-')) return false;
  return LETTER.test(next) || (next === '-' && /^[.#]|-/u.test(name));
}
