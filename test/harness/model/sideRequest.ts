import type { RequestBody } from './requestBody';
import { say, type Message, type Turn } from './script';

/**
 * The CLI's own requests: small ones (a title) carry no tools; the one that compacts a
 * conversation carries them all and is known by the summary that it asks for.
 */
export function isSideRequest(body: RequestBody, turn: Turn): boolean {
  return (body.tools ?? []).length === 0 || isSummaryRequest(turn);
}

/** A short answer that the CLI accepts. */
export function sideReply(body: RequestBody, turn: Turn): Message {
  if (isSummaryRequest(turn)) {
    return say(
      '<analysis>Scripted.</analysis>\n<summary>An earlier talk about the shop.</summary>',
    );
  }
  const wanted = JSON.stringify([body.system ?? '', body.output_config ?? '']);
  return say(/title/i.test(wanted) ? JSON.stringify({ title: titleOf(turn.prompt) }) : 'ok');
}

function isSummaryRequest(turn: Turn): boolean {
  return /\bRespond with TEXT ONLY\b/.test(turn.prompt) && turn.prompt.includes('<summary>');
}

/** The first five words of what the session is about. */
function titleOf(prompt: string): string {
  const about = /<session>\s*([\s\S]*?)\s*<\/session>/.exec(prompt)?.[1] ?? prompt;
  const words = about
    .replace(/[^\p{L}\p{N}\s._-]/gu, '')
    .split(/\s+/)
    .filter(Boolean);
  return words.slice(0, 5).join(' ') || 'Conversation';
}
