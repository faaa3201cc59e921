import { type Message, say, type ToolResult } from './script';

/** The model says what went wrong, in the tool's own words. */
export function failed(what: string, result: ToolResult): Message {
  return say(`${what} The answer was:\n\n${quote(result.text)}`);
}

const QUOTE_LIMIT = 2000;

/** The real result in a code block, cut so that an answer stays readable. */
export function quote(words: string): string {
  const cut = words.length > QUOTE_LIMIT ? `${words.slice(0, QUOTE_LIMIT)}\n…` : words;
  // A fence longer than any inside, since a tool may well return Markdown.
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${cut}\n${fence}`;
}
