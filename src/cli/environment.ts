/**
 * The environment of the CLI. What it gets, the commands of the agent get too, so nothing of the
 * editor's own process may be in it: `ELECTRON_RUN_AS_NODE` alone breaks every Electron app that
 * the agent starts, and an inherited `CLAUDE_CODE_ENTRYPOINT=claude-vscode` makes the CLI ignore
 * `ANTHROPIC_API_KEY`.
 */

const DROPPED = new Set([
  'NODE_OPTIONS',
  // VS Code sets it to "production" for itself; a person's own value goes into the setting.
  'NODE_ENV',
  'NODE_CHANNEL_FD',
  'NODE_UNIQUE_ID',
  'APPLICATIONINSIGHTS_CONFIGURATION_CONTENT',
  // Marks of a CLI session in whose terminal the editor was started.
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS',
  'CLAUDE_PID',
  'CLAUDE_EFFORT',
  'AI_AGENT',
]);
const DROPPED_PREFIXES = ['VSCODE_', 'ELECTRON_', 'CLAUDE_CODE_MESSAGING_'];

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Second belts, in ms, and what the CLI tells only where it is asked to. Our own deadlines rule for in-process servers, so a call may take a day (a
 * person may sit before a card); a server that does not shake hands may hold a turn for 30 s.
 */
const DEFAULTS: Readonly<Record<string, string>> = {
  MCP_TIMEOUT: '30000',
  MCP_TOOL_TIMEOUT: String(DAY_MS),
  // A start that fails says why in a word of the protocol, and not on stderr alone.
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
};

const CONFIG_FOLDER = 'CLAUDE_CONFIG_DIR';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ChildEnvironmentOptions {
  /** The environment of this process. */
  readonly inherited: Environment;
  /** The person's setting; set last, so it may bring back what was dropped. Null removes. */
  readonly own?: Readonly<Record<string, string | null>>;
  readonly platform?: NodeJS.Platform;
}

/** The whole environment of the child. Proxy, certificate, `ANTHROPIC_*` and user variables pass. */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const ignoreCase = (options.platform ?? process.platform) === 'win32';
  const result = new Map<string, string>(Object.entries(DEFAULTS));
  for (const [name, value] of Object.entries(options.inherited)) {
    if (value !== undefined && !isDropped(ignoreCase ? name.toUpperCase() : name)) {
      result.set(name, value);
    }
  }
  if (isMarkOfParentSession(options.inherited)) result.delete('GIT_EDITOR');
  for (const [name, value] of Object.entries(options.own ?? {})) {
    if (ignoreCase) deleteIgnoringCase(result, name);
    if (value === null) result.delete(name);
    else result.set(name, value);
  }
  // Fact: the CLI takes an empty one for its working folder, and keeps conversations among the person's files.
  if (result.get(CONFIG_FOLDER) === '') result.delete(CONFIG_FOLDER);
  return Object.fromEntries(result);
}

function isDropped(name: string): boolean {
  return DROPPED.has(name) || DROPPED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The CLI sets `GIT_EDITOR=true` for its own commands; elsewhere it is the person's choice. */
function isMarkOfParentSession(inherited: Environment): boolean {
  return inherited.CLAUDECODE !== undefined && inherited.GIT_EDITOR === 'true';
}

function deleteIgnoringCase(map: Map<string, string>, name: string): void {
  for (const key of map.keys()) {
    if (key.toUpperCase() === name.toUpperCase()) map.delete(key);
  }
}
