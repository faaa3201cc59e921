import * as l10n from '@vscode/l10n';
import os from 'node:os';
import type { Disposable } from '../base/disposable';
import { UserFacingError } from '../base/errors';
import { topicLogger } from '../base/logger';
import { untilAborted } from '../base/untilAborted';
import { createCliSession, type CliSession } from '../cli/cliSession';
import {
  cliVersion,
  knownVersion,
  parseVersion,
  rememberVersion,
  supportsManifests,
} from '../cli/cliVersion';
import type { ExternalServer } from '../cli/collectServers';
import { configProblems } from '../cli/configHealth';
import type { ControlHandlers } from '../cli/controlChannel';
import {
  type DeclaredServer,
  declareServers,
  needsConfigRestart,
  type ServerDeclaration,
} from '../cli/declareServers';
import { ALLOW_BYPASS_FLAG, launchArguments } from '../cli/launchArguments';
import {
  describeDropped,
  fitArguments,
  flagOf,
  flagRefused,
  isOptionalFlag,
  refusedFlag,
  refusedFlags,
  rememberRefused,
  unknownFlags,
} from '../cli/launchFlags';
import type { CliExit } from '../cli/lineTransport';
import { ControlRequestError } from '../cli/outboundCalls';
import { writeMcpConfig } from '../cli/personServers';
import { homeOf, prepareCli, type PreparedCli } from '../cli/prepareCli';
import { spawnCli } from '../cli/spawnCli';
import type { WireSeat } from '../cli/wireSeat';
import { manifestOf } from '../mcp/manifest';
import type { InitializeResult } from '../protocol/controlResults';
import { type PermissionMode, tryParseMode } from '../rules/modes';
import { pathKey } from '../rules/pathShape';
import { type BypassState, mayBypass } from './bypass';
import type { StartFacts } from './checkup';
import type { ConversationPorts, ConversationSettings } from './conversationPorts';
import { AgentStartError, cliMissing } from './failures';
import { processFaultError } from './processFaults';
import { entriesForCli, externalServers, withoutSecrets } from './externalServers';
import { hookDeclaration } from './hookDesk';
import type { ServerSetOptions } from './serverSet';
import { readOnlyTools } from './toolTitles';

/** How long the CLI may take to answer `initialize`, in milliseconds; plug-ins can make it slow. */
const INITIALIZE_WITHIN_MS = 120_000;

/** Lines of stderr that are looked at for warnings of the start. */
const FIRST_LINES = 50;

export interface LaunchOptions {
  readonly handlers: ControlHandlers;
  /** Session id of a conversation to go on with. */
  readonly resume: string | undefined;
  /** Empty for the CLI's own default. */
  readonly mode: string;
  readonly model: string;
  readonly signal: AbortSignal;
  readonly maxTurns?: number | undefined;
  /** Added to the agent's own system prompt. */
  readonly systemPrompt?: string | undefined;
  readonly wire?: WireSeat | undefined;
}

/** A CLI that has answered `initialize`. `dispose` removes what was written for it. */
export interface LaunchedAgent extends Disposable {
  readonly session: CliSession;
  readonly initialized: InitializeResult;
  readonly bypass: BypassState;
  /** What it knows of servers, see {@link ServerSetOptions}. */
  readonly servers: Pick<ServerSetOptions, 'env' | 'declared' | 'external' | 'inFile' | 'wire'>;
  readonly facts: StartFacts;
}

/**
 * Finds the CLI, starts it and shakes hands. Where an unknown version does not take manifests it is
 * started once more with the servers in its configuration file.
 * @throws UserFacingError that says what failed and what to do
 */
export async function launchAgent(
  ports: ConversationPorts,
  options: LaunchOptions,
): Promise<LaunchedAgent> {
  if (!ports.folder) throw noFolder();
  const { settings, hostEnvironment, developmentRoot } = ports;
  // A login shell, or a CLI that does not tell its version, may take long: nobody waits for them
  // who wants the start no more.
  const wanted = <T>(step: Promise<T>): Promise<T> => untilAborted(step, options.signal);
  const looked = { settings: settings(), hostEnvironment, developmentRoot };
  const cli = await wanted(prepareCli(looked)).catch((error: unknown) => {
    if (error instanceof UserFacingError) throw cliMissing(error, ports.setUp);
    throw error;
  });
  const log = topicLogger(ports.log, 'start');
  log.debug(`Looked for the CLI:\n${cli.tried.join('\n')}`);
  const cwd = ports.folder.path;
  const external = await wanted(externalServers(ports, { env: cli.env, cwd }));
  const version = await wanted(versionForStart(cli, external));
  log.info(`Starting ${cli.why}; version ${version ?? 'not known yet'}`);
  const servers = ports.registry.all().map((server) => ({
    name: server.name,
    version: server.version,
    manifest: manifestOf(server),
  }));
  const unknown = new Set(
    version === undefined ? refusedFlags(cli) : await wanted(unknownFlags(cli, version, cli.env)),
  );
  const manifests = supportsManifests(version);
  const start = (declaration: ServerDeclaration): Promise<LaunchedAgent> =>
    startFitting(ports, options, {
      cli,
      unknown,
      declaration,
      cwd,
      external,
      declared: servers,
      // From the file a server could not be taken away again, and its tokens would lie on the disk.
      inFile: manifests !== 'yes',
    });

  const declaration = declareServers(servers, manifests);
  const agent = await start(declaration);
  log.info(`The CLI is version ${agent.initialized.claude_code_version ?? 'unknown'}`);
  rememberVersion(cli, agent.initialized.claude_code_version);
  ports.setUp?.started(!lacksLogin(agent.initialized));
  if (!needsConfigRestart(declaration, agent.initialized)) return agent;
  log.info('This CLI does not know manifests; it is started again without them');
  await agent.session.dispose();
  agent.dispose();
  return start(declareServers(servers, 'no'));
}

/**
 * The CLI tells its version when it answers; to ask it beforehand is a start of its own. That is
 * worth it only where something hangs on it that cannot be changed later: how it is told of servers.
 */
function versionForStart(
  cli: PreparedCli,
  external: readonly ExternalServer[],
): Promise<string | undefined> {
  const known = knownVersion(cli);
  const matters = Object.keys(entriesForCli(external)).length > 0;
  return known === undefined && matters ? cliVersion(cli, cli.env) : Promise.resolve(known);
}

interface Start {
  readonly cli: PreparedCli;
  /** Flags that this CLI does not take; grows with what it refuses. */
  readonly unknown: Set<string>;
  readonly declaration: ServerDeclaration;
  readonly cwd: string;
  readonly external: readonly ExternalServer[];
  /** Our servers, as they were before the start. */
  readonly declared: readonly DeclaredServer[];
  /** An older CLI gets external servers from its configuration file. */
  readonly inFile: boolean;
}

/** Starts it again without an optional flag that it refuses, and without what its help does not name. */
async function startFitting(
  ports: ConversationPorts,
  options: LaunchOptions,
  start: Start,
): Promise<LaunchedAgent> {
  for (;;) {
    try {
      return await startOnce(ports, options, start);
    } catch (error) {
      if (!(error instanceof FlagRefusedError)) throw error;
      const { flag } = error;
      const isOwn = ports.settings().cliArguments.some((arg) => flagOf(arg) === flag);
      if (isOwn || !isOptionalFlag(flag) || start.unknown.has(flag)) {
        throw flagRefused(flag, isOwn, error);
      }
      rememberRefused(start.cli, flag);
      const { cli } = start;
      const asked = cliVersion(cli, cli.env).then((version) => unknownFlags(cli, version, cli.env));
      const all = await untilAborted(asked, options.signal);
      for (const one of [flag, ...all]) start.unknown.add(one);
    }
  }
}

async function startOnce(
  ports: ConversationPorts,
  options: LaunchOptions,
  { cli, unknown, declaration, cwd, external, declared, inFile }: Start,
): Promise<LaunchedAgent> {
  const log = topicLogger(ports.log, 'cli');
  const { env } = cli;
  options.signal.throwIfAborted();
  const person = inFile ? entriesForCli(external) : {};
  const config = await writeMcpConfig({ own: declaration.mcpConfig, person }, os.tmpdir());
  const removeConfig = (): void => {
    config?.dispose().catch((error: unknown) => {
      log.error('The temporary server configuration could not be removed', error);
    });
  };
  try {
    const bypass = bypassState(ports, unknown);
    const wanted = wantedArguments(ports, options, { bypass, cwd, configFile: config?.path });
    const { args, dropped } = fitArguments(wanted, unknown);
    if (dropped.length > 0) log.warn(`This CLI does not know ${describeDropped(dropped)}`);
    const errorLines: string[] = [];
    const facts: StartFacts = {
      // Those that come later are told of by what brings them, see `ServerSet`.
      personServers: Object.keys(person),
      problems: [
        ...leftOut(ports.settings()),
        ...configProblems({ env, home: homeOf(env), cwd: ports.isTrusted() ? cwd : undefined }),
      ],
      errorLines: () => errorLines,
      mask: (text) => withoutSecrets(text, external),
    };
    const transport = await (ports.startCli ?? spawnCli)({
      command: cli.command,
      args: [...cli.args, ...args],
      cwd,
      env,
      log,
      onErrorLine: (line) => {
        if (errorLines.length < FIRST_LINES) errorLines.push(line);
      },
    });
    const { handlers, wire } = options;
    const session = createCliSession({ transport, handlers, log, wire });
    const initialized = await initialize(session, declaration, ports.hooks, options);
    const isInFile = inFile && !isNew(initialized, person);
    const servers = { env, declared, external, inFile: isInFile, wire };
    return { session, initialized, bypass, servers, facts, dispose: removeConfig };
  } catch (error) {
    removeConfig();
    throw error;
  }
}

/** What of the person's settings does not reach the CLI, a sentence each. */
function leftOut({ variablesLeftOut: names = [] }: ConversationSettings): readonly string[] {
  if (names.length === 0) return [];
  return [
    l10n.t(
      'These variables of patchbay.cli.environment are left out, since their values are no texts: {0}.',
      names.join(', '),
    ),
  ];
}

function wantedArguments(
  ports: ConversationPorts,
  { mode, model, resume, maxTurns }: LaunchOptions,
  start: {
    readonly bypass: BypassState;
    readonly cwd: string;
    readonly configFile: string | undefined;
  },
): string[] {
  return launchArguments({
    ownArguments: ports.settings().cliArguments,
    trusted: ports.isTrusted(),
    allowedTools: allowedTools(ports),
    mcpConfigFile: start.configFile,
    allowBypass: start.bypass === 'on',
    permissionMode: modeToStart(mode, start.bypass),
    model: model === '' ? undefined : model,
    resume,
    maxTurns,
    addDirs: ports.workspaceRoots().filter((root) => !isSame(root, start.cwd)),
  });
}

function bypassState(
  ports: Pick<ConversationPorts, 'settings' | 'isTrusted'>,
  unknown: ReadonlySet<string>,
): BypassState {
  if (!mayBypass(ports)) return 'off';
  return unknown.has(ALLOW_BYPASS_FLAG) ? 'refused' : 'on';
}

/** Fact: without the flag the CLI does not start in this mode either. */
function modeToStart(wanted: string, bypass: BypassState): PermissionMode | undefined {
  const mode = tryParseMode(wanted);
  return mode === 'bypassPermissions' && bypass !== 'on' ? 'default' : mode;
}

/** It takes servers while it runs, and none of them stands in its file. */
function isNew(initialized: InitializeResult, inFile: object): boolean {
  const version = parseVersion(initialized.claude_code_version ?? '');
  return supportsManifests(version) === 'yes' && Object.keys(inFile).length === 0;
}

function allowedTools({ registry, settings }: ConversationPorts): string[] {
  return [...new Set([...readOnlyTools(registry), ...(settings().allowedTools ?? [])])];
}

function isSame(a: string, b: string): boolean {
  return pathKey(a, process.platform) === pathKey(b, process.platform);
}

async function initialize(
  session: CliSession,
  declaration: ServerDeclaration,
  hooks: ConversationPorts['hooks'],
  { signal, systemPrompt }: LaunchOptions,
): Promise<InitializeResult> {
  try {
    return await session.initialize(
      {
        ...declaration.initialize,
        hooks: hookDeclaration(hooks),
        appendSystemPrompt: systemPrompt,
      },
      { signal, timeoutMs: INITIALIZE_WITHIN_MS },
    );
  } catch (error) {
    // Ends it where it hangs; where it has ended by itself this tells how.
    const exit = await session.dispose();
    if (signal.aborted) throw error;
    const flag = refusedFlag(exit.stderrTail);
    throw flag === undefined
      ? startFailed(session, exit, error)
      : new FlagRefusedError(flag, error);
  }
}

function startFailed(session: CliSession, exit: CliExit, cause: unknown): UserFacingError {
  if (cause instanceof ControlRequestError && cause.kind === 'refused') {
    return new UserFacingError(l10n.t('The agent refused to start.'), {
      kept: l10n.t('Your message is kept.'),
      next: l10n.t('Read its reason below, then press Retry.'),
      details: [cause.message, exit.stderrTail].filter((part) => part !== '').join('\n'),
      remedies: ['doctor'],
      cause,
    });
  }
  const timedOut = cause instanceof ControlRequestError && cause.kind === 'timedOut';
  const told = lastWords(session);
  const failure = { exit: withTold(exit, told?.errors), startupReason: told?.reason, timedOut };
  return new AgentStartError(processFaultError(failure, true), cause);
}

/** Some starts end in a `result` that says why. */
function lastWords(session: CliSession) {
  let told: { readonly reason: string | undefined; readonly errors: readonly string[] } | undefined;
  // What came before the first listener comes now, at once.
  session
    .onDidReceiveMessage((message) => {
      if (message.type !== 'result') return;
      told = { reason: message.startup_failure_reason, errors: message.errors ?? [] };
    })
    .dispose();
  return told;
}

/** Where stderr says nothing, what the `result` says stands in its place. */
function withTold(exit: CliExit, errors: readonly string[] | undefined): CliExit {
  return exit.stderrTail === '' && errors ? { ...exit, stderrTail: errors.join('\n') } : exit;
}

/** Fact: without a login it has neither token nor key; another provider needs none of them. */
function lacksLogin({ account }: InitializeResult): boolean {
  if (account?.tokenSource !== 'none') return false;
  const { apiKeySource = 'none', apiProvider = 'firstParty' } = account;
  return apiKeySource === 'none' && apiProvider === 'firstParty';
}

/** The CLI ended at once since it does not know a flag. Never leaves this file. */
class FlagRefusedError extends Error {
  readonly flag: string;

  constructor(flag: string, cause: unknown) {
    super(`unknown option ${flag}`, { cause });
    this.flag = flag;
  }
}

function noFolder(): UserFacingError {
  return new UserFacingError(l10n.t('No folder is open, so the agent has nowhere to work.'), {
    kept: l10n.t('Your message is kept.'),
    next: l10n.t('Open a folder, then press Retry.'),
    remedies: ['openFolder'],
  });
}
