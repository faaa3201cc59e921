import * as l10n from '@vscode/l10n';
import type { ErrorFields } from '../chat/chatEvent';
import type { ErrorAction } from '../chat/viewStateProtocol';
import { type ProcessFailure, processFaultKind, type ProcessFaultKind } from './processFaultKind';

interface ProcessWords {
  /** What failed. */
  readonly message: string;
  /** What to do. */
  readonly next: string;
  readonly actions: readonly ErrorAction[];
}

/** What the alert says. `wasRunning`: a message was at the CLI, or on its way. */
export function processFaultError(failure: ProcessFailure, wasRunning: boolean): ErrorFields {
  const kind = processFaultKind(failure);
  const { message, next, actions } = processFaults[kind](failure);
  const { stderrTail } = failure.exit;
  return {
    message,
    kept: wasRunning
      ? l10n.t('The conversation and your message are kept.')
      : l10n.t('The conversation is kept.'),
    next: !wasRunning && Object.hasOwn(processEnds, kind) ? startsAgain() : next,
    ...(stderrTail === '' ? {} : { details: stderrTail }),
    // Of no message of its own it would send the one before once more.
    actions: wasRunning ? actions : actions.filter((action) => action !== 'retry'),
  };
}

function startsAgain(): string {
  return l10n.t('The next message starts it again.');
}

type ProcessTable = Readonly<Record<ProcessFaultKind, (failure: ProcessFailure) => ProcessWords>>;

/** The person's own files and arguments. */
const configurationFaults = {
  configBroken: ({ exit }) => ({
    message: l10n.t('The configuration file of the CLI is not valid JSON, so it does not start.'),
    next: l10n.t('Mend {0}, or put its backup back; then retry.', configPath(exit.stderrTail)),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  settingsArgument: () => ({
    message: l10n.t('The CLI cannot read the settings that --settings names.'),
    next: l10n.t('Correct --settings in patchbay.cli.arguments, then retry.'),
    actions: ['openSettings', 'retry', 'showLog'],
  }),
  serversArgument: () => ({
    message: l10n.t('The CLI cannot read the servers that --mcp-config names.'),
    next: l10n.t('Correct --mcp-config in patchbay.cli.arguments, then retry.'),
    actions: ['openSettings', 'retry', 'showLog'],
  }),
  argumentValue: () => ({
    message: l10n.t('The CLI does not take the value of one of its arguments.'),
    next: l10n.t(
      'The details name it. Correct it in patchbay.cli.arguments, or update the CLI; then retry.',
    ),
    actions: ['openSettings', 'retry', 'showLog'],
  }),
  argumentMissing: () => ({
    message: l10n.t('The CLI does not take its arguments together.'),
    next: l10n.t(
      'The details name them. Look at patchbay.cli.arguments and patchbay.cli.wrapper, then retry.',
    ),
    actions: ['openSettings', 'retry', 'showLog'],
  }),
  bypassAsRoot: () => ({
    message: l10n.t('The CLI does not skip permissions for the root user.'),
    next: l10n.t(
      'Take --dangerously-skip-permissions out of patchbay.cli.arguments, or work as another user; then retry.',
    ),
    actions: ['openSettings', 'retry', 'showLog'],
  }),
  sessionIdInvalid: () => ({
    message: l10n.t('The CLI does not take the name of this conversation.'),
    next: l10n.t('Go on in a new conversation; look for --resume in patchbay.cli.arguments.'),
    actions: ['newConversation', 'openSettings', 'showLog'],
  }),
  proxyInvalid: () => ({
    message: l10n.t('A proxy setting is not a whole address, so the CLI does not start.'),
    next: l10n.t('Correct http.proxy or the proxy variables, then retry.'),
    actions: ['openSettings', 'retry', 'doctor'],
  }),
} satisfies Partial<ProcessTable>;

/** The machine, and rules that somebody else made. */
const surroundingsFaults = {
  folderUnreadable: () => ({
    message: l10n.t('The CLI cannot work in the folder of this conversation.'),
    next: l10n.t('Check that the folder is there and can be read, then retry.'),
    actions: ['openFolder', 'retry', 'showLog'],
  }),
  sessionTaken: () => ({
    message: l10n.t('Another process has this conversation open.'),
    next: l10n.t('End it there, then retry; or begin a new conversation.'),
    actions: ['retry', 'newConversation', 'showLog'],
  }),
  temporaryFolder: () => ({
    message: l10n.t('The CLI cannot use its folder for temporary files.'),
    next: l10n.t('Check TMPDIR and its rights, then retry.'),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  shellMissing: () => ({
    message: l10n.t('The CLI found no shell for its commands.'),
    next: l10n.t('Install Git for Windows, which brings one, then retry.'),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  sandboxMissing: () => ({
    message: l10n.t('The CLI must work in a sandbox, and there is none.'),
    next: l10n.t('The details say what is missing. Install it, then retry.'),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  organizationRules: () => ({
    message: l10n.t('The rules of your organization do not let the CLI start.'),
    next: l10n.t('The details name the rule. Log in as it asks, or ask who manages it.'),
    actions: ['login', 'retry', 'showLog'],
  }),
  gatewayLogin: () => ({
    message: l10n.t('The gateway of your organization asks for a new login.'),
    next: l10n.t('Log in, then retry.'),
    actions: ['login', 'retry', 'showLog'],
  }),
  cliTooOld: () => ({
    message: l10n.t('This version of the CLI is too old to be used.'),
    next: l10n.t('Update the CLI, then retry.'),
    actions: ['retry', 'doctor', 'showLog'],
  }),
} satisfies Partial<ProcessTable>;

/** The process itself. */
const processEnds = {
  inputUnreadable: () => ({
    message: l10n.t('The CLI could not read what Patchbay sent, and ended.'),
    next: l10n.t(
      'Retry starts it again. If it stays, look for a program in patchbay.cli.wrapper that changes what passes through.',
    ),
    actions: ['retry', 'openSettings', 'showLog'],
  }),
  nothingSaid: () => ({
    message: l10n.t('The agent did not answer in time.'),
    next: l10n.t('Retry starts it again; the doctor looks at what it needs.'),
    actions: ['retry', 'doctor', 'showLog'],
  }),
  killed: ({ exit }) => ({
    message: l10n.t('The agent was ended by signal {0}.', exit.signal ?? '?'),
    next: l10n.t(
      'Retry starts it again and sends the message once more. A machine short of memory ends programs like this.',
    ),
    actions: ['retry', 'showLog'],
  }),
  ended: () => ({
    message: l10n.t('The agent ended without a word.'),
    next: l10n.t('Retry starts it again and sends the message once more.'),
    actions: ['retry', 'showLog'],
  }),
  unknown: ({ exit }) => ({
    message: l10n.t('The agent ended unexpectedly with exit code {0}.', String(exit.code ?? '?')),
    next: l10n.t(
      'Its last lines stand in the details. Retry starts it again and sends the message once more.',
    ),
    actions: ['retry', 'doctor', 'showLog'],
  }),
} satisfies Partial<ProcessTable>;

/** Every way in which the CLI ends by itself. A new kind fails to compile until it has words. */
export const processFaults: ProcessTable = {
  ...configurationFaults,
  ...surroundingsFaults,
  ...processEnds,
};

/** The file that the CLI names; its usual name where it names none. */
function configPath(stderr: string): string {
  return /onfiguration file at (.+?) is corrupted/.exec(stderr)?.[1] ?? '~/.claude.json';
}
