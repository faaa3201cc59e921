import * as l10n from '@vscode/l10n';
import os from 'node:os';
import path from 'node:path';
import type { Disposable } from '../base/disposable';
import { UserFacingError } from '../base/errors';
import { createCliSession, type CliSession } from '../cli/cliSession';
import { cliVersion, supportsManifests } from '../cli/cliVersion';
import type { ControlHandlers } from '../cli/controlChannel';
import { declareServers, needsConfigRestart, type ServerDeclaration } from '../cli/declareServers';
import { childEnvironment } from '../cli/environment';
import { launchArguments } from '../cli/launchArguments';
import type { CliExit } from '../cli/lineTransport';
import { locateCli, type LocatedCli } from '../cli/locateCli';
import { readPersonServers, writeMcpConfig } from '../cli/personServers';
import { spawnCli } from '../cli/spawnCli';
import { manifestOf } from '../mcp/manifest';
import type { InitializeResult } from '../protocol/controlResults';
import { tryParseMode } from '../rules/modes';
import type { ConversationPorts } from './conversationPorts';
import { editGuardHooks } from './editGuardHook';
import { readOnlyTools } from './toolTitles';

/** How long the CLI may take to answer `initialize`, in milliseconds; plug-ins can make it slow. */
const INITIALIZE_WITHIN_MS = 120_000;

export interface LaunchOptions {
  readonly handlers: ControlHandlers;
  /** Session id of a conversation to go on with. */
  readonly resume: string | undefined;
  /** Empty for the CLI's own default. */
  readonly mode: string;
  readonly model: string;
  readonly signal: AbortSignal;
}

/** A CLI that has answered `initialize`. `dispose` removes what was written for it. */
export interface LaunchedAgent extends Disposable {
  readonly session: CliSession;
  readonly initialized: InitializeResult;
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
  const settings = ports.settings();
  const env = childEnvironment({ inherited: ports.hostEnvironment, own: settings.cliEnvironment });
  const cli = locate(ports, settings.cliPath, env);
  const version = await cliVersion(cli.path, env);
  ports.log.info(`Starting ${cli.why}; version ${version ?? 'unknown'}`);
  const servers = ports.registry.list().map((server) => ({
    name: server.name,
    version: server.version,
    manifest: manifestOf(server),
  }));
  const start = (declaration: ServerDeclaration): Promise<LaunchedAgent> =>
    startOnce(ports, options, { cli, env, declaration, cwd: ports.folder?.path ?? '' });

  const declaration = declareServers(servers, supportsManifests(version));
  const agent = await start(declaration);
  if (!needsConfigRestart(declaration, agent.initialized)) return agent;
  ports.log.info('This CLI does not know manifests; it is started again without them');
  await agent.session.dispose();
  agent.dispose();
  return start(declareServers(servers, 'no'));
}

interface Start {
  readonly cli: LocatedCli;
  readonly env: Readonly<Record<string, string>>;
  readonly declaration: ServerDeclaration;
  readonly cwd: string;
}

async function startOnce(
  ports: ConversationPorts,
  options: LaunchOptions,
  { cli, env, declaration, cwd }: Start,
): Promise<LaunchedAgent> {
  const { log } = ports;
  options.signal.throwIfAborted();
  const person = readPersonServers({ env, home: homeOf(env), cwd, log });
  const config = await writeMcpConfig({ own: declaration.mcpConfig, person }, os.tmpdir());
  const removeConfig = (): void => {
    config?.dispose().catch((error: unknown) => {
      log.error('The temporary server configuration could not be removed', error);
    });
  };
  try {
    const args = launchArguments({
      trusted: ports.isTrusted(),
      allowedTools: readOnlyTools(ports.registry),
      mcpConfigFile: config?.path,
      permissionMode: tryParseMode(options.mode),
      model: options.model === '' ? undefined : options.model,
      resume: options.resume,
      addDirs: ports.workspaceRoots().filter((root) => root !== cwd),
    });
    const transport = await spawnCli({ command: cli.path, args, cwd, env, log });
    const session = createCliSession({ transport, handlers: options.handlers, log });
    const initialized = await initialize(session, declaration, options.signal);
    return { session, initialized, dispose: removeConfig };
  } catch (error) {
    removeConfig();
    throw error;
  }
}

async function initialize(
  session: CliSession,
  declaration: ServerDeclaration,
  signal: AbortSignal,
): Promise<InitializeResult> {
  try {
    return await session.initialize(
      { ...declaration.initialize, hooks: editGuardHooks },
      { signal, timeoutMs: INITIALIZE_WITHIN_MS },
    );
  } catch (error) {
    // Ends it where it hangs; where it has ended by itself this tells how.
    const exit = await session.dispose();
    if (signal.aborted) throw error;
    throw startFailed(exit, error);
  }
}

function startFailed(exit: CliExit, cause: unknown): UserFacingError {
  const message =
    exit.kind === 'killed'
      ? l10n.t('The agent did not answer in time.')
      : l10n.t('The agent ended before it was ready (exit code {0}).', String(exit.code ?? '?'));
  return new UserFacingError(message, {
    kept: l10n.t('Your message is kept.'),
    next: l10n.t('Read its last lines below, then press Retry.'),
    details: exit.stderrTail === '' ? undefined : exit.stderrTail,
    cause,
  });
}

function locate(
  ports: ConversationPorts,
  configured: string,
  env: Readonly<Record<string, string>>,
): LocatedCli {
  const bundledIn =
    ports.developmentRoot === undefined
      ? undefined
      : path.join(ports.developmentRoot, 'node_modules');
  return locateCli({ configured, env, home: homeOf(env), bundledIn });
}

function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env.HOME ?? os.homedir();
}

function noFolder(): UserFacingError {
  return new UserFacingError(l10n.t('No folder is open, so the agent has nowhere to work.'), {
    kept: l10n.t('Your message is kept.'),
    next: l10n.t('Open a folder, then press Retry.'),
  });
}
