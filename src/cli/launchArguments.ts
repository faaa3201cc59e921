import type { PermissionMode } from '../protocol/permissions';
import { untrustedToolNames } from './untrustedTools';

export interface LaunchOptions {
  /** `patchbay.cli.arguments`. They come first, so that ours win where a flag stands twice. */
  readonly ownArguments?: readonly string[];
  readonly trusted: boolean;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Which settings files the CLI reads; absent: all. In an untrusted workspace always the person's own only. */
  readonly settingSources?: readonly ('user' | 'project' | 'local')[];
  /** A file, never JSON text: argv can be read by every process of the machine. */
  readonly mcpConfigFile?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  /** Lets the CLI take the mode `bypassPermissions`; as root it then ends, unless in a sandbox. */
  readonly allowBypass?: boolean;
  readonly model?: string | undefined;
  readonly resume?: string | undefined;
  /** A fresh uuid for a new conversation. Not beside `resume`: the CLI refuses both. */
  readonly sessionId?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly addDirs?: readonly string[];
  readonly replayUserMessages?: boolean;
}

/** Without these the CLI speaks another language or asks nobody; `--verbose` is required by stream-json. */
const ALWAYS = [
  '--output-format',
  'stream-json',
  '--input-format',
  'stream-json',
  '--verbose',
  '--include-partial-messages',
  '--permission-prompt-tool',
  'stdio',
  // Else the CLI starts the commands of the workspace's .mcp.json without a question.
  '--strict-mcp-config',
] as const;

export const ALLOW_BYPASS_FLAG = '--allow-dangerously-skip-permissions';

/** The CLI's arguments. Pure: the same options give the same list. */
export function launchArguments(options: LaunchOptions): string[] {
  const sources = options.trusted ? options.settingSources : (['user'] as const);
  const disallowed = [
    ...(options.disallowedTools ?? []),
    ...(options.trusted ? [] : untrustedToolNames),
  ];
  return [
    // All behind a bare `--` would be a prompt, our own flags too.
    ...(options.ownArguments ?? []).filter((arg) => arg !== '--'),
    ...ALWAYS,
    ...pair('--setting-sources', sources?.join(',')),
    ...list('--allowedTools', options.allowedTools),
    ...list('--disallowedTools', disallowed),
    ...pair('--mcp-config', options.mcpConfigFile),
    ...(options.allowBypass === true && options.trusted ? [ALLOW_BYPASS_FLAG] : []),
    ...pair('--permission-mode', modeWord(options.permissionMode)),
    ...pair('--model', options.model),
    ...pair('--resume', options.resume),
    ...pair('--session-id', options.resume === undefined ? options.sessionId : undefined),
    ...pair('--max-turns', options.maxTurns?.toString()),
    ...(options.addDirs ?? []).flatMap((folder) => pair('--add-dir', folder)),
    ...(options.replayUserMessages === true ? ['--replay-user-messages'] : []),
  ];
}

/** As one argument, `--flag=value`: a value that starts with a dash must not be read as a flag. */
function pair(flag: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${flag}=${value}`];
}

/** Joined by commas, so that a flag that takes many words does not take the next flag's. */
function list(flag: string, values: readonly string[] | undefined): string[] {
  return values === undefined || values.length === 0 ? [] : [`${flag}=${values.join(',')}`];
}

/** The flag knows the default mode as `manual` only; the control request takes both. */
function modeWord(mode: PermissionMode | undefined): string | undefined {
  return mode === 'default' ? 'manual' : mode;
}
