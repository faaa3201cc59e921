import * as l10n from '@vscode/l10n';
import type { PermissionCard } from '../chat/viewStateProtocol';

/** The notification cuts a long text: nothing is allowed there that cannot be seen as a whole. */
const MAX_BODY = 160;
/** What these ask cannot be answered by leave to go on. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** What would happen and where: `Permission request: Run this command in shop: npm test`. */
export function notificationText(card: PermissionCard, remoteName: string | undefined): string {
  const what = card.what ?? card.title;
  const where = remoteName === undefined ? what : l10n.t('{0} on {1}', what, remoteName);
  const body = oneLineOf(card);
  // The sentence of a file names its path.
  const isSaid = body === '' || what.includes(body);
  const facts = (card.facts ?? []).map((fact) => ` · ${fact}`).join('');
  const text = l10n.t('Permission request: {0}', where);
  return isSaid ? `${text}${facts}` : `${text}${facts}: ${shorten(body)}`;
}

/** Whether all that would be allowed can be read in the notification. */
export function canAnswerHere(card: PermissionCard): boolean {
  const { body, bodyKind, diff, facts = [], toolName } = card;
  if (diff !== undefined || QUESTIONS.has(toolName)) return false;
  // In one line a comment would seem to go on over what is run behind it.
  if (bodyKind !== 'json' && body.trim().includes('\n')) return false;
  return oneLineOf(card).length + facts.join('').length <= MAX_BODY;
}

function oneLineOf({ body }: PermissionCard): string {
  return body.replace(/\s+/g, ' ').trim();
}

function shorten(body: string): string {
  return body.length > MAX_BODY ? `${body.slice(0, MAX_BODY - 1)}…` : body;
}
