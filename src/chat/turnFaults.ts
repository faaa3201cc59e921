import * as l10n from '@vscode/l10n';
import type { ErrorFields } from './chatEvent';
import { type TurnFailure, turnFaultKind, type TurnFaultKind } from './turnFaultKind';
import type { ErrorAction } from './viewStateProtocol';

interface FaultWords {
  /** What failed. */
  readonly message: string;
  /** What was kept, where that is more or less than message and transcript. */
  readonly kept?: string;
  /** What to do. */
  readonly next: string;
  readonly actions: readonly ErrorAction[];
}

/** The alert for a turn that failed: what failed, what was kept, what to do. */
export function turnFaultError(
  failure: TurnFailure,
  kind: TurnFaultKind = turnFaultKind(failure),
): ErrorFields {
  const { message, kept, next, actions } = turnFaults[kind](failure);
  return {
    message,
    kept: kept ?? l10n.t('Your message and everything above are kept.'),
    next,
    ...(failure.details ? { details: failure.details } : {}),
    actions,
  };
}

/** Faults of the account: the person logs in, pays or asks somebody. */
const accountFaults = {
  keyRejected: ({ status }) => ({
    message: l10n.t('The API did not accept your login or key (status {0}).', status ?? 401),
    next: l10n.t(
      'Log in again. If a key is set, correct it where it is set: in your shell, or in patchbay.cli.environment.',
    ),
    actions: ['login', 'retry', 'openSettings', 'showLog'],
  }),
  accessDenied: () => ({
    message: l10n.t('Your account may not use this API (status 403).'),
    next: l10n.t(
      'Log in with an account that may, or ask who manages it. A firewall or proxy can answer like this too.',
    ),
    actions: ['login', 'retry', 'showLog'],
  }),
  notLoggedIn: () => ({
    message: l10n.t('You are not logged in to Claude.'),
    next: l10n.t('Log in; this notice goes when that is done, and Retry sends your message.'),
    actions: ['login', 'retry', 'doctor'],
  }),
  organizationBlocked: () => ({
    message: l10n.t('The organization of your login does not allow this.'),
    next: l10n.t('Log in with another organization, or ask who manages yours.'),
    actions: ['login', 'retry', 'showLog'],
  }),
  accountOnHold: () => ({
    message: l10n.t('Your account is on hold.'),
    next: l10n.t('See the mail of your account, or log in with another one.'),
    actions: ['login', 'retry', 'showLog'],
  }),
  verificationNeeded: () => ({
    message: l10n.t('Your account has to be verified first.'),
    next: l10n.t('Verify it on the website, then retry.'),
    actions: ['retry', 'login', 'showLog'],
  }),
  cloudCredentials: () => ({
    message: l10n.t('The credentials of your cloud provider did not work.'),
    next: l10n.t('Renew them with the tools of that provider, then retry.'),
    actions: ['retry', 'openSettings', 'showLog'],
  }),
  creditEmpty: () => ({
    message: l10n.t('The account has no credit left.'),
    next: l10n.t('Add credit, or log in with another account, then retry.'),
    actions: ['retry', 'login', 'showLog'],
  }),
  rateLimited: () => ({
    message: l10n.t('The API takes no more requests from this account for now (status 429).'),
    next: l10n.t('Wait some minutes, then retry; another model may have a limit of its own.'),
    actions: ['retry', 'chooseModel', 'showLog'],
  }),
} satisfies Partial<FaultTable>;

/** Faults of the service and of the way to it. */
const serviceFaults = {
  serverFailed: ({ status }) => ({
    message: l10n.t('The API had an error of its own (status {0}).', status ?? 500),
    next: l10n.t('Retry in a moment. If it stays, see the status page of the service.'),
    actions: ['retry', 'showLog'],
  }),
  overloaded: () => ({
    message: l10n.t('The API is overloaded.'),
    next: l10n.t('Retry in some minutes, or choose another model.'),
    actions: ['retry', 'chooseModel', 'showLog'],
  }),
  connectionLost: () => ({
    message: l10n.t('The connection to the API was lost.'),
    next: l10n.t('Check network and proxy, then retry.'),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  offline: () => ({
    message: l10n.t('The API cannot be reached. Is this machine offline?'),
    next: l10n.t(
      'Check the network, the VPN and the proxy; Retry then sends your message. The service itself said nothing.',
    ),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  modelNotFound: () => ({
    message: l10n.t('The selected model does not exist, or your account may not use it.'),
    next: l10n.t('Choose another model, then retry.'),
    actions: ['chooseModel', 'retry', 'showLog'],
  }),
  modelFailed: () => ({
    message: l10n.t('The model failed in the middle of the turn.'),
    next: l10n.t('Retry, or choose another model.'),
    actions: ['retry', 'chooseModel', 'showLog'],
  }),
  requestRefused: ({ status }) => ({
    message: l10n.t('The API refused the request (status {0}).', status ?? 400),
    next: l10n.t(
      'The details say why. Retry once; if it stays, a new conversation leaves out what it does not take.',
    ),
    actions: ['retry', 'newConversation', 'showLog'],
  }),
} satisfies Partial<FaultTable>;

/** Faults of what was said: too much of it, or not wanted. */
const contentFaults = {
  promptTooLong: () => ({
    message: l10n.t('The conversation is too long for the model.'),
    next: l10n.t(
      'Compact it, then retry. If your message alone is that long, put the text into a file and name the file.',
    ),
    actions: ['compact', 'retry', 'newConversation'],
  }),
  requestTooLarge: () => ({
    message: l10n.t('The message is too large for the API (at most 32 MB).'),
    next: l10n.t('Leave out attachments or large files. A new conversation begins without them.'),
    actions: ['newConversation', 'retry', 'showLog'],
  }),
  imageRejected: () => ({
    message: l10n.t('An image in the conversation is not accepted.'),
    next: l10n.t('Send a smaller one, as PNG or JPEG. A new conversation begins without it.'),
    actions: ['newConversation', 'retry', 'showLog'],
  }),
  answerTooLong: () => ({
    message: l10n.t('The answer was longer than the model can write in one turn.'),
    kept: l10n.t('What it wrote so far and everything above are kept.'),
    next: l10n.t('Ask for a shorter answer, or for one part of it.'),
    actions: ['retry', 'chooseModel', 'showLog'],
  }),
  declined: () => ({
    message: l10n.t('The model declined to answer.'),
    next: l10n.t('Say it in other words, or choose another model.'),
    actions: ['chooseModel', 'retry', 'newConversation'],
  }),
  contextFull: () => ({
    message: l10n.t('The context of the model is full.'),
    next: l10n.t('Compact the conversation, then retry.'),
    actions: ['compact', 'retry', 'newConversation'],
  }),
  contextRefills: () => ({
    message: l10n.t('The conversation was compacted and was full again at once.'),
    next: l10n.t('Go on in a new conversation, with less read at a time.'),
    actions: ['newConversation', 'retry', 'showLog'],
  }),
} satisfies Partial<FaultTable>;

/** Faults of the agent's own work, and limits that somebody set. */
const agentFaults = {
  brokenToolCalls: () => ({
    message: l10n.t('The model called tools in a form that cannot be read, several times.'),
    next: l10n.t('Retry, or choose another model.'),
    actions: ['retry', 'chooseModel', 'showLog'],
  }),
  toolUnavailable: () => ({
    message: l10n.t('A tool that the model waited for is no longer there.'),
    next: l10n.t('Retry; the log names the tool.'),
    actions: ['retry', 'showLog'],
  }),
  hookStopped: () => ({
    message: l10n.t('A hook stopped the turn.'),
    next: l10n.t('The details give its reason. Hooks stand in the settings of the CLI.'),
    actions: ['retry', 'showLog'],
  }),
  setupFailed: () => ({
    message: l10n.t('The agent could not set up the turn.'),
    next: l10n.t('Retry; the doctor looks at what the agent needs.'),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  maxTurns: () => ({
    message: l10n.t('Stopped at the limit of steps for one message.'),
    kept: l10n.t('What was done so far is kept.'),
    next: l10n.t('Send another message to go on. The limit stands in patchbay.cli.arguments.'),
    actions: ['openSettings'],
  }),
  maxBudget: () => ({
    message: l10n.t('Stopped at the cost limit that was set for this session.'),
    kept: l10n.t('What was done so far is kept.'),
    next: l10n.t(
      'Raise the limit in patchbay.cli.arguments, or go on in a new conversation, which counts anew.',
    ),
    actions: ['openSettings', 'newConversation'],
  }),
  wrongForm: () => ({
    message: l10n.t('Stopped: the answer did not take the asked form after several tries.'),
    kept: l10n.t('What was done so far is kept.'),
    next: l10n.t('Ask for a simpler form, or choose another model, then retry.'),
    actions: ['retry', 'chooseModel'],
  }),
  unknown: () => ({
    message: l10n.t('The turn ended with an error.'),
    next: l10n.t('The details and the log say more. Retry sends your message again.'),
    actions: ['retry', 'showLog'],
  }),
} satisfies Partial<FaultTable>;

type FaultTable = Readonly<Record<TurnFaultKind, (failure: TurnFailure) => FaultWords>>;

/** Every kind of fault and what the person reads of it. A new kind fails to compile until it has words. */
export const turnFaults: FaultTable = {
  ...accountFaults,
  ...serviceFaults,
  ...contentFaults,
  ...agentFaults,
};
