import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { object, string } from 'zod/mini';
import { type Logger, silentLogger } from '../../src/base/logger';
import { applyPatch } from '../../src/chat/patchProtocol';
import type { PermissionAnswerKind } from '../../src/chat/permissionAnswer';
import type {
  AssistantItem,
  Block,
  PermissionCard,
  ToolBlock,
  ViewState,
} from '../../src/chat/viewStateProtocol';
import type {
  BuffersPort,
  Conversation,
  ConversationPorts,
  KeptConversation,
  ConversationSettings,
  ExternalServersPort,
} from '../../src/conversation/conversationPorts';
import { createConversation } from '../../src/conversation/createConversation';
import { SpareSeat } from '../../src/conversation/spareSeat';
import { pumpClock } from '../../src/host/pumpClock';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { createFakeCli, type FakeCli } from '../harness/fakeCli/createFakeCli';
import type { FakeScript } from '../harness/fakeCli/fakeCliScript';
import { startModel, type ModelOptions, type ModelServer } from '../harness/model/modelServer';
import { createRealCliSandbox, type RealCliSandbox } from '../harness/model/realCli';
import type { TestClock } from '../unit/conversation/testClock';

/** A conversation and a view that follows its patches. */
export interface DrivenConversation {
  readonly conversation: Conversation;
  readonly buffers: MemoryBuffers;
  /** The state as a webview would hold it: rebuilt from patches only. */
  readonly view: ViewState;
  /** Waits until the view satisfies the condition. */
  until(what: string, condition: (view: ViewState) => boolean): Promise<void>;
  prompt(text: string): Promise<void>;
  /** What a host would have on its disk by now. */
  kept(): KeptConversation | undefined;
}

/** With the real CLI against a scripted model. */
export interface ConversationBench extends DrivenConversation {
  readonly model: ModelServer;
  readonly sandbox: RealCliSandbox;
  /** What another window, or the next one, makes of what was kept; the first one is left as it is. */
  again(kept: KeptConversation | undefined): DrivenConversation;
  dispose(): Promise<void>;
}

export interface BenchOptions {
  readonly model?: ModelOptions;
  readonly files?: Readonly<Record<string, string>>;
  readonly trusted?: boolean;
  readonly cliPath?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly registry?: ConversationPorts['registry'];
  /** Of the window; the sandbox's folder by default. */
  readonly workspaceRoots?: readonly string[];
  readonly externalServers?: ExternalServersPort;
  readonly log?: Logger;
  readonly mode?: string;
  /** A conversation of an earlier process. */
  readonly kept?: KeptConversation | undefined;
  /** Without one time goes by. */
  readonly clock?: TestClock;
  /** Shared by the conversations of one window. */
  readonly spares?: SpareSeat;
  /** Settings that differ from a fresh installation's. */
  readonly settings?: Partial<ConversationSettings>;
  /** What a message may mention of the editor. */
  readonly mentions?: ConversationPorts['mentions'];
  /** Whether a selection may be given to the agent. */
  readonly maySelect?: ConversationPorts['maySelect'];
  /** Where pictures of messages are kept. */
  readonly images?: ConversationPorts['images'];
  readonly onToolCall?: ConversationPorts['onToolCall'];
  readonly onEnded?: ConversationPorts['onEnded'];
  /** Keeps track of what the agent changes. */
  readonly changedFiles?: ConversationPorts['changedFiles'];
  readonly telemetry?: ConversationPorts['telemetry'];
  readonly hooks?: ConversationPorts['hooks'];
  readonly startCli?: ConversationPorts['startCli'];
}

/** Buffers in memory over the real disk. */
export class MemoryBuffers implements BuffersPort {
  readonly dirty = new Map<string, string>();
  readonly saved: string[] = [];

  dirtyFiles(): readonly string[] {
    return [...this.dirty.keys()];
  }

  save(file: string): Promise<boolean> {
    this.saved.push(file);
    return Promise.resolve(this.dirty.delete(file));
  }

  discard(file: string): Promise<boolean> {
    return Promise.resolve(this.dirty.delete(file));
  }

  read(file: string): Promise<string | undefined> {
    const text = this.dirty.get(file);
    return text === undefined
      ? readFile(file, 'utf8').catch(() => undefined)
      : Promise.resolve(text);
  }
}

export const PARK_AFTER_MINUTES = 10;

/** An upper bound for a loaded machine; every wait ends with its condition. */
const PATIENCE_MS = 120_000;

export async function createBench(options: BenchOptions = {}): Promise<ConversationBench> {
  const model = await startModel(options.model);
  const sandbox = await createRealCliSandbox({
    modelUrl: model.url,
    files: { 'src/a.ts': 'export const one = 1;\n', ...options.files },
    env: options.environment,
  });
  const drive = (kept: KeptConversation | undefined): DrivenConversation =>
    driveConversation({
      ...options,
      kept,
      cliPath: options.cliPath ?? sandbox.command,
      folder: sandbox.workspace,
      environment: sandbox.env,
    });
  const driven = drive(options.kept);
  const all = [driven];
  return {
    ...driven,
    model,
    sandbox,
    again: (kept) => {
      const next = drive(kept);
      all.push(next);
      return next;
    },
    dispose: async () => {
      await Promise.all(all.map(({ conversation }) => conversation.dispose()));
      await model.close();
      await sandbox.cleanup();
    },
  };
}

/** A conversation with the fake CLI, a real process that plays the script. */
export async function createFakeBench(
  script: FakeScript,
  options: BenchOptions = {},
): Promise<DrivenConversation & { readonly fake: FakeCli; dispose(): Promise<void> }> {
  const fake = await createFakeCli(script);
  const driven = driveConversation({
    ...options,
    cliPath: fake.command,
    folder: fake.folder,
    // Nothing of the person's own configuration is read.
    environment: { ...fake.env, CLAUDE_CONFIG_DIR: fake.folder, ...options.environment },
  });
  return {
    ...driven,
    fake,
    dispose: async () => {
      await driven.conversation.dispose();
      await fake.dispose();
    },
  };
}

export interface DriveOptions extends BenchOptions {
  readonly folder: string;
}

/** The world around a conversation, for whoever drives it in another way. */
export function portsOf(options: DriveOptions, buffers: BuffersPort): ConversationPorts {
  return {
    log: options.log ?? silentLogger,
    now: Date.now,
    settings: () => ({
      cliPath: options.cliPath ?? '',
      cliEnvironment: {},
      cliArguments: [],
      cliWrapper: [],
      proxy: { proxy: '', noProxy: [], support: 'override' },
      parkAfterMinutes: PARK_AFTER_MINUTES,
      ...options.settings,
      initialPermissionMode: options.mode ?? '',
      model: '',
    }),
    clock: options.clock ?? pumpClock,
    spares: options.spares ?? new SpareSeat(),
    isTrusted: () => options.trusted ?? true,
    folder: { name: path.basename(options.folder), path: options.folder },
    workspaceRoots: () => options.workspaceRoots ?? [options.folder],
    buffers,
    mentions: options.mentions,
    images: options.images,
    maySelect: options.maySelect,
    registry: options.registry ?? calculatorRegistry(),
    externalServers: options.externalServers,
    onToolCall: options.onToolCall,
    onEnded: options.onEnded,
    changedFiles: options.changedFiles,
    telemetry: options.telemetry,
    hooks: options.hooks,
    startCli: options.startCli,
    developmentRoot: undefined,
    hostEnvironment: options.environment ?? {},
  };
}

function driveConversation(options: DriveOptions): DrivenConversation {
  const buffers = new MemoryBuffers();
  let kept: KeptConversation | undefined;
  const conversation = createConversation({
    ...portsOf(options, buffers),
    kept: options.kept,
    keep: (next) => {
      // As through a file.
      kept = structuredClone(next);
    },
  });
  const view = conversation.snapshot();
  const waiting = new Set<() => void>();
  const pull = (): void => {
    for (const patch of conversation.takePatches()) applyPatch(view, patch);
    for (const check of [...waiting]) check();
  };
  conversation.onDidChange(() => setImmediate(pull));
  return {
    conversation,
    buffers,
    view,
    kept: () => kept,
    until: (what, condition) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`waited for ${what}; the view is ${JSON.stringify(view, null, 1)}`));
        }, PATIENCE_MS);
        const check = (): void => {
          if (!condition(view)) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    async prompt(text) {
      const outcome = await conversation.submit(randomUUID(), text);
      if (!outcome.accepted) throw new Error(outcome.reason);
    },
  };
}

export const isIdle = (view: ViewState): boolean =>
  view.status.kind === 'idle' && view.items.length > 0 && view.items.at(-1)?.kind !== 'user';

/** Answers every card until the turn is over; returns them. */
export async function answerAllCards(
  made: ConversationBench,
  answer: PermissionAnswerKind,
): Promise<PermissionCard[]> {
  const cards: PermissionCard[] = [];
  for (;;) {
    const isNew = (card: PermissionCard): boolean => !cards.some((seen) => seen.id === card.id);
    await made.until('a card or the end', (view) => isIdle(view) || view.permissions.some(isNew));
    const card = made.view.permissions.find(isNew);
    if (!card) return cards;
    cards.push(card);
    made.conversation.answerPermission(card.id, answer);
  }
}

export function blocksOf(view: ViewState): Block[] {
  return view.items
    .filter((item): item is AssistantItem => item.kind === 'assistant')
    .flatMap((item) => item.blocks);
}

export function toolsOf(view: ViewState): ToolBlock[] {
  return blocksOf(view).filter((block) => block.kind === 'tool');
}

/** The text that the model has said, all turns joined. */
export function saidIn(view: ViewState): string {
  return blocksOf(view)
    .map((block) => (block.kind === 'text' ? block.text : ''))
    .join('');
}

/** A server with a tool that reads, one that writes, one that fails and one that waits for others. */
export function calculatorRegistry(): ServerRegistry {
  const server = createServer({ name: 'probe' });
  const input = object({ value: string() });
  server.registerTool(
    defineTool({
      name: 'echo',
      title: 'Echo',
      description: 'Says it again.',
      input,
      annotations: { readOnlyHint: true },
      alwaysLoad: true,
      run: ({ value }) => `echo ${value}`,
    }),
  );
  server.registerTool(
    defineTool({
      name: 'store',
      title: 'Store a value',
      description: 'Writes it down.',
      input,
      alwaysLoad: true,
      run: ({ value }) => `stored ${value}`,
    }),
  );
  server.registerTool(
    defineTool({
      name: 'fail',
      title: 'Fail',
      description: 'Fails.',
      input,
      annotations: { readOnlyHint: true },
      // Of a tool that is not loaded the CLI appends the schema to the error.
      alwaysLoad: true,
      run: ({ value }) => {
        throw new Error(`no ${value}`);
      },
    }),
  );
  const arrived = new Set<string>();
  let release: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  server.registerTool(
    defineTool({
      name: 'meet',
      title: 'Meet',
      description: 'Answers once three calls are there.',
      input,
      annotations: { readOnlyHint: true },
      run: async ({ value }) => {
        arrived.add(value);
        if (arrived.size === 3) release();
        await all;
        return `met ${[...arrived].sort().join(' ')}`;
      },
    }),
  );
  const registry = new ServerRegistry();
  registry.add(server);
  return registry;
}
