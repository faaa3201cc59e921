import * as l10n from '@vscode/l10n';
import { UserFacingError } from '../base/errors';
import { askCliOnce, cliKey, type CliCommand } from './askCli';
import { compareVersions, SEEN_WITH } from './cliVersion';
import { ALLOW_BYPASS_FLAG } from './launchArguments';

/**
 * Flags that an older CLI may not know: it ends at once and names the first of them. Its help then
 * tells the others; but some versions hide flags from their help, so only what can be done without
 * is left out for that.
 */

/** What the conversation works without, and what is lost then. Any other flag is needed. */
const OPTIONAL: Readonly<Record<string, string>> = {
  '--include-partial-messages': 'text comes in whole blocks',
  '--allowedTools': 'tools that only read ask as well',
  '--model': 'the conversation starts in the default model',
  '--session-id': 'the CLI names the conversation itself',
  '--add-dir': 'the other folders of the workspace ask',
  '--replay-user-messages': 'prompts are not confirmed',
  [ALLOW_BYPASS_FLAG]: 'the mode that bypasses permissions cannot be chosen',
};

/** Flags that a CLI refused, by the state of its file. */
const refused = new Map<string, Set<string>>();

/** The flags that this CLI has refused before. */
export function refusedFlags(cli: CliCommand): ReadonlySet<string> {
  const key = cliKey(cli);
  return (key === undefined ? undefined : refused.get(key)) ?? new Set();
}

/** The flags that this CLI is known not to take. Reads its help once, where its version does not tell. */
export async function unknownFlags(
  cli: CliCommand,
  version: string | undefined,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlySet<string>> {
  const known = refusedFlags(cli);
  if (version !== undefined && compareVersions(version, SEEN_WITH) >= 0) return known;
  const { stdout } = await askCliOnce(cli, ['--help'], env);
  const listed = parseHelpFlags(stdout);
  const missing =
    listed === undefined ? [] : Object.keys(OPTIONAL).filter((flag) => !listed.has(flag));
  return new Set([...known, ...missing]);
}

/** Keeps what the CLI said of a flag, for the next start of the same file. */
export function rememberRefused(cli: CliCommand, flag: string): void {
  const key = cliKey(cli);
  if (key === undefined) return;
  const flags = refused.get(key) ?? new Set();
  refused.set(key, flags.add(flag));
}

/** The flags in the text of `--help`; undefined when it is not that text. */
export function parseHelpFlags(help: string): ReadonlySet<string> | undefined {
  const flags = new Set(help.match(/(?<![\w-])--[A-Za-z][\w-]*/g));
  // Every version lists it; a wrapper that prints its own help does not.
  return flags.has('--output-format') ? flags : undefined;
}

/**
 * The flag that the CLI did not know or did not take, from what it wrote to stderr.
 * Fact: as root it ends on the one that allows to bypass permissions, unless `IS_SANDBOX` is set.
 */
export function refusedFlag(stderr: string): string | undefined {
  if (stderr.includes('dangerously-skip-permissions cannot be used')) return ALLOW_BYPASS_FLAG;
  return /unknown option '(--?[\w-]+)/.exec(stderr)?.[1];
}

export function isOptionalFlag(flag: string): boolean {
  return Object.hasOwn(OPTIONAL, flag);
}

export interface FittedArguments {
  readonly args: readonly string[];
  /** The flags left out, each once. */
  readonly dropped: readonly string[];
}

/** Leaves out the optional flags that the CLI does not know. Each must hold its value as `--flag=value`. */
export function fitArguments(
  args: readonly string[],
  unknown: ReadonlySet<string>,
): FittedArguments {
  const isDropped = (arg: string): boolean =>
    isOptionalFlag(flagOf(arg)) && unknown.has(flagOf(arg));
  return {
    args: args.filter((arg) => !isDropped(arg)),
    dropped: [...new Set(args.filter(isDropped).map(flagOf))],
  };
}

/** For the log. */
export function describeDropped(dropped: readonly string[]): string {
  return dropped.map((flag) => `${flag} (${OPTIONAL[flag] ?? 'needed'})`).join(', ');
}

export function flagOf(arg: string): string {
  return arg.split('=', 1)[0] ?? '';
}

/** A flag that the CLI must know, or that the person's own setting adds. */
export function flagRefused(flag: string, isOwn: boolean, cause: unknown): UserFacingError {
  const message = isOwn
    ? l10n.t('The CLI does not know {0}, which the setting patchbay.cli.arguments adds.', flag)
    : l10n.t('The CLI does not know {0}, which Patchbay needs.', flag);
  const next = isOwn
    ? l10n.t('Correct the setting, then press Retry.')
    : l10n.t('Update the CLI, then press Retry.');
  return new UserFacingError(message, {
    kept: l10n.t('Your message is kept.'),
    next,
    remedies: isOwn ? ['openSettings'] : ['doctor'],
    cause,
  });
}
