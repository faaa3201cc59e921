import { isKeyOf } from '../base/isKeyOf';
import type { CliExit } from '../cli/lineTransport';

/**
 * Why the CLI ended by itself, at its start or later, from `startup_failure_reason`, its last words
 * and how it ended (facts, section 13, launch and stdin faults). Each kind has its own words and
 * actions in `processFaults`.
 */
export type ProcessFaultKind =
  | 'configBroken'
  | 'settingsArgument'
  | 'serversArgument'
  | 'argumentValue'
  | 'argumentMissing'
  | 'bypassAsRoot'
  | 'sessionTaken'
  | 'sessionIdInvalid'
  | 'folderUnreadable'
  | 'inputUnreadable'
  | 'organizationRules'
  | 'gatewayLogin'
  | 'proxyInvalid'
  | 'temporaryFolder'
  | 'shellMissing'
  | 'sandboxMissing'
  | 'cliTooOld'
  | 'nothingSaid'
  | 'killed'
  | 'ended'
  | 'unknown';

/** By `startup_failure_reason` of the result that some starts end in. A test holds it to the SDK's list. */
export const kindByStartupReason = {
  config_file_invalid: 'configBroken',
  bypass_root: 'bypassAsRoot',
  cwd_unavailable: 'folderUnreadable',
  session_held_by_background: 'sessionTaken',
  worktree_resume_refused: 'folderUnreadable',
  worktree_unverified: 'folderUnreadable',
  initialize_not_first: 'inputUnreadable',
  initialize_fields_not_delivered: 'inputUnreadable',
  managed_settings_not_delivered: 'inputUnreadable',
  org_pin_api_key_conflict: 'organizationRules',
  provider_not_allowed: 'organizationRules',
  org_verify_failed: 'organizationRules',
  org_pin_mismatch: 'organizationRules',
  org_config_required_unavailable: 'organizationRules',
  org_config_refused: 'organizationRules',
  managed_settings_invalid: 'organizationRules',
  remote_settings_required_unavailable: 'organizationRules',
  sideload_flags_disabled: 'organizationRules',
  gateway_signin_required: 'gatewayLogin',
  gateway_access_denied: 'gatewayLogin',
  proxy_invalid: 'proxyInvalid',
  temp_dir_unusable: 'temporaryFolder',
  shell_tool_missing: 'shellMissing',
  sandbox_required_unavailable: 'sandboxMissing',
  cli_version_too_old: 'cliTooOld',
} as const satisfies Readonly<Record<string, ProcessFaultKind>>;

/** By what stands in its last words. The first that fits. */
const kindByWords: readonly (readonly [RegExp, ProcessFaultKind])[] = [
  [/onfiguration file at .* is corrupted/, 'configBroken'],
  [/Settings file not found/, 'settingsArgument'],
  [/Invalid MCP configuration|MCP config file not found/, 'serversArgument'],
  [/option '.*' argument '.*' is invalid/, 'argumentValue'],
  [/requires --verbose|needs --fork-session/, 'argumentMissing'],
  [/cannot be used with root\/sudo/, 'bypassAsRoot'],
  [/Session ID .* is already in use/, 'sessionTaken'],
  [/Invalid session ID|requires a valid session ID/, 'sessionIdInvalid'],
  [/Error parsing streaming input line|Expected message role/, 'inputUnreadable'],
];

export interface ProcessFailure {
  readonly exit: CliExit;
  /** `startup_failure_reason` of a result that came before the end. */
  readonly startupReason: string | undefined;
  /** It was our own patience that ended: the CLI had not said that it is ready. */
  readonly timedOut: boolean;
}

export function processFaultKind({
  exit,
  startupReason,
  timedOut,
}: ProcessFailure): ProcessFaultKind {
  const byReason = reasonKind(startupReason);
  if (byReason) return byReason;
  const said = kindByWords.find(([words]) => words.test(exit.stderrTail));
  if (said) return said[1];
  if (timedOut) return 'nothingSaid';
  if (exit.signal !== null) return 'killed';
  return exit.code === 0 ? 'ended' : 'unknown';
}

function reasonKind(reason: string | undefined): ProcessFaultKind | undefined {
  if (reason === undefined || !isKeyOf(kindByStartupReason, reason)) return undefined;
  return kindByStartupReason[reason];
}
