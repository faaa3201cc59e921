import { cutText } from '../base/cutText';

const LIMIT = 60;

/** A title from the first prompt: its first line, at most 60 characters. */
export function conversationTitle(prompt: string): string {
  const line = (/^.*/.exec(prompt.trimStart())?.[0] ?? '').replace(/\s+/g, ' ').trim();
  return line.length <= LIMIT ? line : `${cutText(line, LIMIT - 1).trimEnd()}…`;
}
