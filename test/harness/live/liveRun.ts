import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorMessage, UserFacingError } from '../../../src/base/errors';
import { silentLogger } from '../../../src/base/logger';
import { askLogin } from '../../../src/cli/askLogin';
import { prepareCli, type PreparedCli } from '../../../src/cli/prepareCli';
import type { ConversationPorts } from '../../../src/conversation/conversationPorts';
import {
  type HeadlessMessage,
  startHeadless,
} from '../../../src/conversation/headlessConversation';
import { SpareSeat } from '../../../src/conversation/spareSeat';
import { liveRegistry, outsideServer } from './liveServers';
import { liveScenes } from './liveScenes';

export interface LiveRunOptions {
  /** `patchbay.cli.path`; empty: found as the product finds it. */
  readonly cliPath: string;
  /** Name or alias of the model; empty for the CLI's own default. */
  readonly model: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The checkout that holds the development CLI. */
  readonly developmentRoot: string | undefined;
  readonly say: (line: string) => void;
  /** Asks the person whether it may cost money. */
  readonly confirm: () => Promise<boolean>;
}

/** `refused`: nothing was asked of the model, and nothing was spent. */
export type LiveOutcome = 'passed' | 'failed' | 'refused';

const NO_PROXY = { proxy: '', noProxy: [], support: 'override' } as const;

/**
 * Plays list, execute, mixed and error with the person's own login: the product's conversation, CLI
 * and servers, without an editor around them.
 */
export async function runLive(options: LiveRunOptions): Promise<LiveOutcome> {
  const { say } = options;
  const cli = await findCli(options);
  if (cli === undefined) return 'refused';
  say(`CLI: ${cli.why}`);
  const login = await askLogin(cli);
  if (login.state !== 'yes') {
    say(
      'No login was found: this needs your own. Log in with `claude auth login`, then try again.',
    );
    return 'refused';
  }
  say(
    `This asks the model ${liveScenes.length} short questions with your login. It costs money: a few cents with a small model, more with a large one.`,
  );
  if (!(await options.confirm())) {
    say('Nothing was asked.');
    return 'refused';
  }
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-live-')));
  try {
    return await play(options, folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function findCli(options: LiveRunOptions): Promise<PreparedCli | undefined> {
  const { cliPath, environment: hostEnvironment, developmentRoot, say } = options;
  const settings = { cliPath, cliEnvironment: {}, cliWrapper: [], proxy: NO_PROXY };
  try {
    return await prepareCli({ settings, hostEnvironment, developmentRoot });
  } catch (error) {
    say(`No CLI was found: ${errorMessage(error)}`);
    return undefined;
  }
}

async function play(options: LiveRunOptions, folder: string): Promise<LiveOutcome> {
  const { say, model } = options;
  const [first, ...others] = liveScenes;
  if (first === undefined) return 'passed';
  const conversation = startHeadless(portsFor(options, folder), {
    prompt: first.prompt,
    model,
    maxTurns: 10,
    permit: () => Promise.resolve(false),
  });
  for (const { prompt } of others) conversation.send(prompt);
  const waiting = [...liveScenes];
  let seen: HeadlessMessage[] = [];
  let failed = 0;
  let costUsd = 0;
  try {
    for await (const message of conversation) {
      seen.push(message);
      if (message.type !== 'result') continue;
      const scene = waiting.shift();
      const faults = message.isError
        ? [`the turn failed: ${message.text}`]
        : (scene?.faults(seen) ?? []);
      if (faults.length > 0) failed += 1;
      say(`${faults.length === 0 ? 'ok' : 'FAILED'} ${scene?.name ?? 'one turn too many'}`);
      for (const fault of faults) say(`  ${fault}`);
      costUsd = message.costUsd;
      seen = [];
    }
  } catch (error) {
    const details = error instanceof UserFacingError ? ` ${error.details ?? ''}` : '';
    say(`FAILED: ${errorMessage(error)}${details}`);
    failed += 1;
  }
  for (const { name } of waiting) say(`not played: ${name}`);
  say(`Cost, as the CLI counts it: ${costUsd.toFixed(4)} US dollars`);
  return failed === 0 && waiting.length === 0 ? 'passed' : 'failed';
}

function portsFor(options: LiveRunOptions, folder: string): ConversationPorts {
  const { cliPath, environment, developmentRoot } = options;
  const registry = liveRegistry();
  return {
    log: silentLogger,
    now: Date.now,
    clock: { now: Date.now, after: () => ({ dispose: () => undefined }) },
    spares: new SpareSeat(),
    settings: () => ({
      cliPath,
      cliEnvironment: {},
      cliArguments: [],
      cliWrapper: [],
      proxy: NO_PROXY,
      parkAfterMinutes: 0,
      initialPermissionMode: '',
      model: '',
      allowedTools: ['mcp__lab', 'mcp__calculator', 'mcp__outside'],
    }),
    isTrusted: () => true,
    folder: { name: path.basename(folder), path: folder },
    workspaceRoots: () => [folder],
    buffers: {
      dirtyFiles: () => [],
      save: () => Promise.resolve(false),
      discard: () => Promise.resolve(false),
      read: () => Promise.resolve(undefined),
    },
    registry,
    externalServers: outsideServer(registry, environment, silentLogger),
    developmentRoot,
    hostEnvironment: environment,
  };
}
