import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import type {
  ErrorAction,
  RetryWait,
  ToolState,
  TurnStatus,
  Usage,
} from '../chat/viewStateProtocol';

/** The state of the turn in words; `now` is in milliseconds since the epoch. */
export function statusWords(status: TurnStatus, now: number): string {
  switch (status.kind) {
    case 'idle':
      return l10n.t('Idle');
    case 'starting':
      return l10n.t('Starting');
    case 'waitingForModel':
      return l10n.t('Waiting for the model');
    case 'working':
      return l10n.t('Working');
    case 'retrying':
      return isDue(status, now)
        ? l10n.t('Waiting for the model')
        : l10n.t('Retrying in {0} s', secondsUntil(status.retry?.at, now));
    case 'waitingForPermission':
      return l10n.t('Waiting for permission');
    case 'waitingForAnswer':
      return l10n.t('Waiting for an answer');
    case 'stopping':
      return l10n.t('Stopping');
    case 'failed':
      return l10n.t('Failed');
    case 'notConnected':
      return l10n.t('Not connected');
    default:
      return assertNever(status.kind, 'status');
  }
}

/** The pause is over: the request is on its way. */
function isDue({ retry }: TurnStatus, now: number): boolean {
  return retry !== undefined && retry.at <= now;
}

/** `Trying again in 4 s.` */
export function retryCountdown({ at }: RetryWait, now: number): string {
  return at <= now
    ? l10n.t('Trying again now.')
    : l10n.t('Trying again in {0} s.', secondsUntil(at, now));
}

/** `Try 2 of 10.`; empty where the CLI does not count. */
export function retryTry({ attempt, most }: RetryWait): string {
  if (attempt === undefined) return '';
  return most === undefined
    ? l10n.t('Try {0}.', attempt)
    : l10n.t('Try {0} of {1}.', attempt, most);
}

/** Waits shorter than this are not worth a word, in milliseconds. */
const WAIT_SHOWN_MS = 5000;
const SILENCE_SHOWN_MS = 15_000;

/** How long nothing has come; `lastChange` is when the view last got something. */
export function waitWords(status: TurnStatus, lastChange: number, now: number): string | undefined {
  if (status.kind === 'working') {
    const quiet = now - lastChange;
    return quiet < SILENCE_SHOWN_MS ? undefined : l10n.t('nothing new for {0}', duration(quiet));
  }
  const since = status.retry?.at ?? status.since;
  if (since === undefined || now - since < WAIT_SHOWN_MS) return undefined;
  return duration(Math.floor((now - since) / 1000) * 1000);
}

function secondsUntil(at: number | undefined, now: number): number {
  return Math.max(0, Math.ceil(((at ?? now) - now) / 1000));
}

/** True while there is something to stop. */
export function isRunning(status: TurnStatus): boolean {
  return status.kind !== 'idle' && status.kind !== 'failed' && status.kind !== 'notConnected';
}

export function toolStateWord(state: ToolState): string {
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'done':
      return l10n.t('done');
    case 'failed':
      return l10n.t('failed');
    case 'denied':
      return l10n.t('denied');
    case 'cancelled':
      return l10n.t('cancelled');
    default:
      return assertNever(state, 'tool state');
  }
}

export function errorActionWords(action: ErrorAction): string {
  switch (action) {
    case 'retry':
      return l10n.t('Retry');
    case 'showLog':
      return l10n.t('Show log');
    case 'openSettings':
      return l10n.t('Open settings');
    case 'login':
      return l10n.t('Log in');
    case 'chooseModel':
      return l10n.t('Choose model');
    case 'compact':
      return l10n.t('Compact');
    case 'newConversation':
      return l10n.t('New conversation');
    case 'openFolder':
      return l10n.t('Open folder');
    case 'doctor':
      return l10n.t('Run doctor');
    default:
      return assertNever(action, 'error action');
  }
}

/** `950`, `6.2k`, `62k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))}${unit}`;
}

/** `1 line`, `1,204 lines`. */
export function lineCount(count: number): string {
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count.toLocaleString());
}

/** `$0.18`; below a cent the digits that matter: `$0.004`. */
export function cost(usd: number): string {
  if (usd === 0 || usd >= 0.01) return `$${usd.toFixed(2)}`;
  return `$${usd < 0.001 ? '<0.001' : usd.toFixed(3)}`.replace('$<', '<$');
}

/** What the usage button shows: tokens in the context where known, else of the last turn; cost. */
export function usageWords(usage: Usage): string {
  const tokens = usage.contextTokens ?? usage.inputTokens + usage.outputTokens;
  return `${shortCount(tokens)} · ${cost(usage.costUsd)}`;
}

/** `340 ms`, `4 s`, `2 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return l10n.t('{0} ms', Math.round(ms));
  if (ms < 10_000) return l10n.t('{0} s', (ms / 1000).toFixed(1).replace(/\.0$/, ''));
  if (ms < 90_000) return l10n.t('{0} s', Math.round(ms / 1000));
  return l10n.t('{0} min', Math.round(ms / 60_000));
}
