import * as l10n from '@vscode/l10n';
import { assertNever } from '../../base/assertNever';
import type { FrameKind, FrameRow } from '../../chat/frameRowProtocol';
import { duration } from '../words';

export function kindWord(kind: FrameKind): string {
  switch (kind) {
    case 'message':
      return l10n.t('Message');
    case 'stream':
      return l10n.t('Stream');
    case 'control':
      return l10n.t('Control');
    case 'mcp':
      return l10n.t('MCP');
    case 'noise':
      return l10n.t('Noise');
    default:
      return assertNever(kind, 'kind of frame');
  }
}

/** `14:03:22.120`, of this machine. */
export function clockTime(t: number): string {
  const date = new Date(t);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** `812 B`, `4.2 KB`, `1.3 MB`. */
export function byteCount(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilo = bytes / 1024;
  if (kilo < 1000) return `${kilo < 10 ? kilo.toFixed(1) : Math.round(kilo)} KB`;
  return `${(kilo / 1024).toFixed(1)} MB`;
}

/** What became of a request, and how long an answer took; empty for what is neither. */
export function pairWords({ role, state, ms }: FrameRow): string {
  if (ms !== undefined) return duration(ms);
  switch (state) {
    case 'waiting':
      return l10n.t('waiting');
    case 'takenBack':
      return l10n.t('taken back');
    case 'ended':
      return l10n.t('no answer');
    case 'answered':
    case undefined:
      return role === 'answer' ? l10n.t('request not seen') : '';
    default:
      return assertNever(state, 'state of a request');
  }
}

/** What stands in a row as a place or an arrow, for whoever hears it: `8, received, request`. */
export function spokenStart(row: FrameRow): string {
  const way = row.dir === 'in' ? l10n.t('received') : l10n.t('sent');
  const request = row.role === 'request' ? roleWord(row) : '';
  return [String(row.n), way, request].filter((part) => part !== '').join(', ');
}

export function roleWord({ role }: FrameRow): string {
  switch (role) {
    case 'request':
      return l10n.t('request');
    case 'answer':
      return l10n.t('answer');
    case 'cancel':
      return l10n.t('taken back');
    case undefined:
      return '';
    default:
      return assertNever(role, 'role of a frame');
  }
}
