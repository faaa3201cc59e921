import * as l10n from '@vscode/l10n';
import { formatTokens } from '../chat/toolResult';
import type { OffBy } from '../mcp/toolSwitches';
import type { LastCall } from './lastCalls';

export function tokensText(tokens: number): string {
  return l10n.t('≈{0} tok', formatTokens(tokens));
}

/** How an estimate is made, for whoever wonders about a figure. */
export function estimateText(): string {
  return l10n.t(
    'Estimated from name, description and schema: four characters a token, of scripts such as Chinese one.',
  );
}

export function offText(by: OffBy): string {
  switch (by) {
    case 'person':
      return l10n.t('off');
    case 'set':
      return l10n.t('off by the tool set');
    case 'setting':
      return l10n.t('off by {0}', 'patchbay.disabledTools');
  }
}

/** The time of day is enough of today's; it does not grow old while nobody draws the row anew. */
export function timeText(at: number, now: number): string {
  const date = new Date(at);
  return date.toDateString() === new Date(now).toDateString()
    ? date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' });
}

export function lastCallText({ at, outcome }: LastCall, now: number): string {
  const time = timeText(at, now);
  return outcome === 'error'
    ? l10n.t('last call {0}, failed', time)
    : l10n.t('last call {0}', time);
}

export function lastCallDetail({ at, outcome, durationMs, byPerson }: LastCall): string {
  const time = new Date(at).toLocaleString();
  const seconds = (durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0);
  const how = outcome === 'error' ? l10n.t('failed') : l10n.t('succeeded');
  return byPerson
    ? l10n.t('Last call: {0}, by you, {1} after {2} s', time, how, seconds)
    : l10n.t('Last call: {0}, {1} after {2} s', time, how, seconds);
}
