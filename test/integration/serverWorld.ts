import assert from 'node:assert/strict';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { ServerBook } from '../../src/cli/serverBook';
import { WorkspaceApprovals } from '../../src/cli/workspaceApprovals';
import type { ServerRegistry } from '../../src/mcp/registry';
import { SwitchedServers } from '../../src/mcp/switchedServers';
import { ToolSwitches } from '../../src/mcp/toolSwitches';
import { listLogger } from '../harness/fakeCli/cliHarness';
import { message, say, type Script, toolUse } from '../harness/model/script';
import { inRoot } from '../harness/paths';
import {
  type BenchOptions,
  calculatorRegistry,
  type ConversationBench,
  createBench,
  isIdle,
  toolsOf,
} from './conversationBench';

/** What tests have started, to be ended by {@link endAll}, the last first. */
export const ends: (() => Promise<unknown>)[] = [];
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** A small server that the CLI starts. */
export const stdioServer = (name: string, env: object = {}, ...more: string[]) => ({
  command: process.execPath,
  args: [inRoot('test/harness/mcpServers/stdioServer.mjs'), name, ...more],
  env,
});

export interface World {
  readonly made: ConversationBench;
  readonly book: ServerBook;
  readonly approvals: WorkspaceApprovals;
  readonly switches: ToolSwitches;
  readonly settings: Record<string, unknown>;
  readonly log: string[];
  readonly asked: string[];
}

/** A conversation whose servers are what the settings, switches and files of the test say. */
export async function world(
  settings: Record<string, unknown>,
  script: Script,
  options: BenchOptions & { configFile?: string; all?: ServerRegistry } = {},
): Promise<World> {
  const log: string[] = [];
  const asked: string[] = [];
  const switches = new ToolSwitches();
  const registry = new SwitchedServers(options.all ?? calculatorRegistry(), switches);
  let stored: unknown;
  const approvals = new WorkspaceApprovals({
    memory: { get: () => stored, set: (value) => (stored = structuredClone(value)) },
    ask: ({ name, changed }) => {
      asked.push(`${name}${changed ? ' changed' : ''}`);
      return Promise.resolve(undefined);
    },
    onError: assert.ifError,
  });
  const book = new ServerBook({
    log: listLogger(log),
    settingServers: () => settings,
    configFile: () => options.configFile ?? '',
    secret: (name) => Promise.resolve(name === 'db' ? SECRET : undefined),
    isTrusted: () => options.trusted ?? true,
    reserved: () => ['probe'],
    isOff: (name) => switches.isServerOff(name),
    approvals,
  });
  const made = await createBench({
    model: { script },
    registry,
    externalServers: book,
    log: listLogger(log),
    ...options,
  });
  ends.push(() => made.dispose());
  return { made, book, approvals, switches, settings, log, asked };
}

/** The one that the settings may name as `db`. */
export const SECRET = 'hidden-in-storage-1';

/** Calls the named tools in one message, then says so. */
export const calls =
  (...names: readonly (string | readonly [string, object])[]): Script =>
  ({ step }) =>
    step === 0
      ? message(
          names.map((one) =>
            typeof one === 'string' ? toolUse(one) : toolUse(one[0], { ...one[1] }),
          ),
        )
      : say('done');

/** Plays a prompt to its end. */
export async function turn(made: ConversationBench, text: string): Promise<void> {
  await made.prompt(text);
  const isSaid = (view: ViewState): boolean =>
    view.items.some((item) => item.kind === 'user' && item.text === text);
  await made.until(`the end of ${text}`, (view) => isSaid(view) && isIdle(view));
}

/** The tools of the newest request to the model. */
export function offered(made: ConversationBench): string[] {
  const request = made.model.requests.filter((each) => !each.isSide).at(-1);
  return (request?.turn.tools ?? []).filter((name) => name.startsWith('mcp__'));
}

export const results = (view: ViewState): string[] =>
  toolsOf(view).map(({ name, state, result }) => `${name} ${state} ${JSON.stringify(result)}`);
