import { isRecord } from '../mcp/wire';
import { count } from './resultBudget';
import { plainText } from './terminalText';

/** One form of an output, as the editor holds it. */
export interface OutputItem {
  readonly mime: string;
  readonly data: Uint8Array;
}

const ERROR = 'application/vnd.code.notebook.error';
const STREAMS = new Set([
  'application/vnd.code.notebook.stdout',
  'application/vnd.code.notebook.stderr',
]);
/** The forms of one output say the same: the first of these is read. */
const READ = ['text/plain', 'text/markdown', 'application/json', 'text/html', 'text/latex'];
/** Where there is none of these, any other that is text: tables, diagrams, data of a chart. */
const ALSO_TEXT = /^text\/|[/+]json$/u;
/** Bytes of one output that are read: the editor waits meanwhile, and far less of it is told. */
const READ_MOST = 100_000;
/** At the end of one that was not read to its end. */
export const MORE = '…';
const NAME_LIMIT = 400;
/** The plain form of what has a text in another one: `<IPython.core.display.Markdown object>`. */
const NAME_ONLY = /^\s*<[\w.]+ (?:object|(?:object )?at 0x[\da-f]+)>\s*$/iu;

/** An output as text: a picture by its kind and size, an error by its name, message and trace. */
export function outputText(items: readonly OutputItem[]): string {
  const error = items.find(({ mime }) => mime === ERROR);
  if (error) return errorText(error);
  const stream = items.filter(({ mime }) => STREAMS.has(mime));
  if (stream.length > 0) return beginningOf(stream);
  const pictures = items.filter(({ mime }) => mime.startsWith('image/'));
  const named = pictures.slice(0, 1).map(sizeOf);
  const known = READ.flatMap((wanted) => items.filter(({ mime }) => mime === wanted));
  const forms = [...known, ...items.filter(({ mime }) => ALSO_TEXT.test(mime))];
  const text = forms.find((form) => !isNameOnly(form)) ?? forms[0];
  if (text) return [...named, beginningOf([text])].join(' ');
  if (named.length > 0) return named.join(' ');
  return items.slice(0, 1).map(sizeOf).join('');
}

function isNameOnly(form: OutputItem): boolean {
  return form.data.byteLength < NAME_LIMIT && NAME_ONLY.test(textOf(form));
}

/** The text of the items together, as far as it is read. */
function beginningOf(items: readonly OutputItem[]): string {
  let text = '';
  for (const { data } of items) {
    const room = READ_MOST - text.length;
    text += new TextDecoder().decode(data.subarray(0, room));
    if (data.byteLength > room) return `${plainText(text)}${MORE}`;
  }
  return plainText(text);
}

export function isError(items: readonly OutputItem[]): boolean {
  return items.some(({ mime }) => mime === ERROR);
}

function errorText(item: OutputItem): string {
  const told = textOf(item);
  let parsed: unknown;
  try {
    parsed = JSON.parse(told);
  } catch {
    return `error: ${plainText(told)}`;
  }
  if (!isRecord(parsed)) return `error: ${plainText(told)}`;
  const part = (key: string): string => {
    const value = parsed[key];
    return typeof value === 'string' ? plainText(value) : '';
  };
  const title = [part('name'), part('message')].filter((text) => text !== '').join(': ');
  const stack = part('stack');
  return [`error: ${title}`, ...(stack === '' || stack === title ? [] : [stack])].join('\n');
}

function sizeOf({ mime, data }: OutputItem): string {
  return `(${mime}, ${count(data.byteLength, 'byte')})`;
}

function textOf({ data }: OutputItem): string {
  return new TextDecoder().decode(data);
}
