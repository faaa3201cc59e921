import { count, fillPage, oneLine, type PageItem, RESULT_LIMIT } from './resultBudget';

/** A failed test as the editor's own tool describes it. Lines and columns are 1-based. */
export interface TestFailure {
  readonly name: string;
  /** Suites above it, ` > ` between; empty for none. */
  readonly suite: string;
  readonly message: string;
  /** Absolute path with place, or undefined where none was told. */
  readonly place:
    { readonly file: string; readonly line: number; readonly column: number } | undefined;
}

const BLOCK =
  /<testFailure name=("(?:[^"\\]|\\.)*") path=("(?:[^"\\]|\\.)*")>\n([\s\S]*?)<\/testFailure>/gu;
const MESSAGE = /<message>\n([\s\S]*?)\n<\/message>/u;
const EXPECTED = /<expectedOutput>\n([\s\S]*?)\n<\/expectedOutput>/u;
const ACTUAL = /<actualOutput>\n([\s\S]*?)\n<\/actualOutput>/u;
const OUTPUT = /<output>\n?([\s\S]*?)\n?(?:<\/output>\s*)?$/u;
const PLACE = /<(?:location|stackFrame) path="([^"\n]*)" line="(\d+)" col="(\d+)" \/>/gu;
const MESSAGE_LIMIT = 400;
const LISTED = 30;
/** Room for the first and last lines. */
const FRAME = 200;

/**
 * Reads what the editor's tool `testFailure` says: blocks of tags whose texts are not escaped.
 * @param isOurs of an absolute path: whether the file lies in the workspace
 * @returns undefined for a text of another shape
 */
export function tryReadFailures(
  text: string,
  isOurs: (file: string) => boolean = () => true,
): readonly TestFailure[] | undefined {
  const failures = [...text.matchAll(BLOCK)].map(([, name = '', path = '', body = '']) => ({
    name: unquote(name),
    suite: unquote(path),
    message: messageOf(body),
    place: placeOf(body, isOurs),
  }));
  // Without a failure it is empty, or the run's output.
  const isEmpty = text.trim() === '' || text.trimStart().startsWith('<output>');
  return failures.length > 0 || isEmpty ? failures : undefined;
}

/** The editor tells of failures only: what it does not tell is no success. */
const NO_FAILURE =
  'no failure was told of the last run. It need not be a success: the editor does not tell whether tests passed, were skipped or never ran';

/** What the run printed, where no test has failed with a message; undefined for nothing. */
export function tryReadOutput(text: string): string | undefined {
  return OUTPUT.exec(text)?.[1];
}

/**
 * One line for the test, one for its message.
 * @param shown the path as the model reads it
 * @param left failures that are kept back
 */
export function formatFailures(
  failures: readonly TestFailure[],
  shown: (file: string) => string,
  left = 0,
): string {
  const total = count(failures.length + left, 'failed test');
  if (failures.length === 0) return left === 0 ? NO_FAILURE : `${total}, all left out`;
  const items = failures.map(({ name, suite, message, place }): PageItem => {
    const where = place ? ` ${shown(place.file)}:${place.line}:${place.column}` : '';
    const whole = suite === '' ? name : `${suite} > ${name}`;
    const text = `${oneLine(whole, 200)}${where}\n ${oneLine(message, MESSAGE_LIMIT)}`;
    return { group: '', text };
  });
  const { lines, end } = fillPage(items, 0, { chars: RESULT_LIMIT - FRAME, items: LISTED });
  const more = items.length - end;
  return [
    total,
    // The first is the heading, which they have none of.
    ...lines.slice(1),
    ...(more > 0 ? [`left: ${count(more, 'failed test')}`] : []),
  ].join('\n');
}

function messageOf(body: string): string {
  const message = MESSAGE.exec(body)?.[1];
  if (message !== undefined) return message;
  const expected = EXPECTED.exec(body)?.[1];
  const actual = ACTUAL.exec(body)?.[1];
  if (expected === undefined || actual === undefined) return 'failed without a message';
  return `expected ${oneLine(expected, 150)}, got ${oneLine(actual, 150)}`;
}

/** The message's own place where it has one, else the innermost frame: of those that are ours, if any. */
function placeOf(body: string, isOurs: (file: string) => boolean): TestFailure['place'] {
  const all = [...body.matchAll(PLACE)];
  const isOwn = ([tag]: RegExpExecArray): boolean => tag.startsWith('<location');
  const order = [...all.filter(isOwn), ...all.filter((one) => !isOwn(one))];
  // An assertion of a library fails in the library.
  const [, file = '', line, column] = order.find((one) => isOurs(one[1] ?? '')) ?? order[0] ?? [];
  return line === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
