import { type RequestBody } from './requestBody';
import { message, say, text, type Message } from './script';

/** The CLI's own small requests carry no tools; a conversation always does. */
export function isSideRequest(body: RequestBody): boolean {
  return (body.tools ?? []).length === 0;
}

/** A short answer that any of them accepts: a title as JSON where JSON is asked for. */
export function sideReply(body: RequestBody): Message {
  const wanted = JSON.stringify([body.system ?? '', body.output_config ?? '']);
  if (/title/i.test(wanted)) return message([text(JSON.stringify({ title: 'Shop questions' }))]);
  return say('ok');
}
