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

/** An output as text: a picture by its kind and size, an error by its name, message and trace. */
export function outputText(items: readonly OutputItem[]): string {
  const error = items.find(({ mime }) => mime === ERROR);
  if (error) return errorText(error);
  const stream = items.filter(({ mime }) => STREAMS.has(mime));
  if (stream.length > 0) return plainText(stream.map(textOf).join(''));
  const pictures = items.filter(({ mime }) => mime.startsWith('image/'));
  const text = READ.flatMap((wanted) => items.filter(({ mime }) => mime === wanted)).at(0);
  const named = pictures.slice(0, 1).map(sizeOf);
  if (text) return [...named, plainText(textOf(text))].join(' ');
  if (named.length > 0) return named.join(' ');
  return items.slice(0, 1).map(sizeOf).join('');
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
