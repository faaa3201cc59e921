/** Keys and indexes from the root of the arguments to a field. */
export type FieldPath = readonly PropertyKey[];

/** One thing that is wrong with the arguments of a call. */
export interface Problem {
  readonly path: FieldPath;
  readonly expected: string;
  readonly received: string;
}

const SHOWN_TEXT = 40;
const SHOWN_PROBLEMS = 20;
/** Of a line: a list of choices, and what the model wrote, may be as long as they like. */
const MAX_PART = 1_000;
const IDENTIFIER = /^[A-Za-z_$][\w$-]*$/;

/** `path: expected …, received …`, one line whatever the texts hold. */
export function problemLine({ path, expected, received }: Problem): string {
  const [place, wanted] = [showPath(path), expected].map((part) => cut(part, MAX_PART));
  return `${place}: expected ${wanted}, received ${received}`.replace(/\s+/g, ' ');
}

/** The lines of all problems; after twenty only their number is told. */
export function problemLines(problems: readonly Problem[]): string[] {
  const lines = [...new Set(problems.map(problemLine))];
  if (lines.length <= SHOWN_PROBLEMS) return lines;
  return [...lines.slice(0, SHOWN_PROBLEMS), `… and ${lines.length - SHOWN_PROBLEMS} more`];
}

/** `filters[2].range.end`; the root is `arguments`. */
export function showPath(path: FieldPath): string {
  let text = '';
  for (const key of path) {
    const name = String(key);
    if (typeof key === 'number') text += `[${name}]`;
    else if (IDENTIFIER.test(name)) text += text === '' ? name : `.${name}`;
    else text += `[${JSON.stringify(cut(name))}]`;
  }
  return text === '' ? 'arguments' : text;
}

/** Type and, when short, the value itself; a megabyte of text is told by its length. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') {
    return value.length <= SHOWN_TEXT
      ? `string ${JSON.stringify(value)}`
      : `string of ${value.length} characters`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  if (Array.isArray(value)) return `array of ${value.length}`;
  return typeof value;
}

/** Follows own keys only, so that `constructor` and `__proto__` lead nowhere. */
export function valueAt(root: unknown, path: FieldPath): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

export function cut(text: string, length = SHOWN_TEXT): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/** What one of several choices wants: of one that fails deeper down, what and where. */
export function expectedBelow(path: FieldPath, expected: string): string {
  const [first] = path;
  if (first === undefined) return expected;
  return `${typeof first === 'number' ? 'array' : 'object'} with ${showPath(path)}: ${expected}`;
}

/** The only one of which there is the least; undefined where two have as little. */
export function onlyLeast<T>(all: readonly T[], sizeOf: (one: T) => number): T | undefined {
  const least = Math.min(...all.map(sizeOf));
  const found = all.filter((one) => sizeOf(one) === least);
  return found.length === 1 ? found[0] : undefined;
}
