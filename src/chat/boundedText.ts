import { cutText } from '../base/cutText';
import { jsonText } from '../base/jsonText';

/** One line for a row of the panel: white space collapsed, cut with an ellipsis. */
export function oneLine(text: string, limit = 120): string {
  // Cut first: a tool's result may be megabytes, and only its beginning is looked at.
  const line = cutText(text, limit * 8)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= limit ? line : `${cutText(line, limit - 1).trimEnd()}…`;
}

/** The first line that says something, as {@link oneLine}. */
export function firstLine(text: string, limit = 120): string {
  const head = cutText(text, 4000).trimStart();
  return oneLine(/^.*/.exec(head)?.[0] ?? '', limit);
}

/** How many characters of one string inside a tool's input are shown. */
const STRING_LIMIT = 4000;

/**
 * A value as indented JSON, bounded: long strings inside and the whole are cut. For a tool's input
 * as the panel shows it; what the tool gets is never cut.
 */
export function boundedJson(value: unknown, limit: number): string {
  if (value === undefined) return '';
  const json = jsonText(value, { limit, stringLimit: STRING_LIMIT });
  return json.length <= limit ? json : `${cutText(json, limit)}…`;
}

/** The lines of a text, without counting an empty one after the last newline. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.endsWith('\n') ? lines - 1 : lines;
}
