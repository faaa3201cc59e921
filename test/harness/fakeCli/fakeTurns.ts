import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FakeScript, FakeStep } from './fakeCliScript';
import { createFakeSteps } from './fakeSteps';
import type { FakeWire } from './fakeWire';

export interface FakePrompt {
  readonly uuid?: string;
  readonly message: { readonly role: string; readonly content: unknown };
}

export interface FakeTurns {
  pause(ms: number): Promise<void>;
  play(steps: readonly FakeStep[], uuid: string): Promise<void>;
  /** Queues a prompt; its turn starts when `ready` has settled. */
  prompt(prompt: FakePrompt, ready: Promise<unknown>): void;
  interrupt(): void;
  cancel(uuid: string | undefined): boolean;
  /** Takes back all that waits; returns the ids. */
  cancelQueued(): string[];
  idle(): Promise<void>;
  lastResultWasError(): boolean;
}

const PLAIN_TURN: readonly FakeStep[] = [
  {
    line: {
      type: 'stream_event',
      event: { type: 'message_start', message: { id: 'msg_1' } },
      api_message_id: 'msg_1',
    },
  },
  { deltas: 1, text: 'ok' },
  {
    line: {
      type: 'assistant',
      message: { id: 'msg_1', role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
      parent_tool_use_id: null,
      uuid: 'a-$UUID',
    },
  },
  { result: {} },
];

/** Plays the turns that prompts bring, one at a time. */
export function createFakeTurns(script: FakeScript, wire: FakeWire): FakeTurns {
  const queue: { prompt: FakePrompt; ready: Promise<unknown> }[] = [];
  let idleWaiters: (() => void)[] = [];
  let running = false;
  let count = 0;
  let held = script.holdPrompts ?? 0;
  let interruption = createInterruption();
  const sessionId = script.sessionFile === true ? openSessionFile() : 'fake';
  const steps = createFakeSteps(wire, () => count);

  const lifecycle = (uuid: string | undefined, state: string): void => {
    if (uuid !== undefined) wire.send({ type: 'command_lifecycle', command_uuid: uuid, state });
  };

  const play = async (list: readonly FakeStep[], uuid: string): Promise<void> => {
    for (const step of list) {
      if (interruption.happened()) return;
      // The placeholder may stand anywhere in the step.
      const filled = JSON.parse(JSON.stringify(step).replaceAll('$UUID', uuid)) as FakeStep;
      await Promise.race([steps.play(filled), interruption.promise]);
    }
  };

  const runTurn = async (prompt: FakePrompt): Promise<void> => {
    count += 1;
    lifecycle(prompt.uuid, 'started');
    wire.send({
      type: 'system',
      subtype: 'init',
      session_id: sessionId,
      tools: [],
      model: 'scripted',
    });
    await play(script.turns?.[count - 1] ?? PLAIN_TURN, prompt.uuid ?? '');
    if (interruption.happened()) {
      interruption = createInterruption();
      steps.sendResult({
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_streaming',
      });
      lifecycle(prompt.uuid, 'cancelled');
    } else lifecycle(prompt.uuid, 'completed');
  };

  const runQueue = async (): Promise<void> => {
    running = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await next.ready;
      await runTurn(next.prompt);
    }
    running = false;
    for (const resolve of idleWaiters) resolve();
    idleWaiters = [];
  };

  return {
    pause: steps.pause,
    play,
    prompt: (prompt, ready) => {
      lifecycle(prompt.uuid, 'queued');
      queue.push({ prompt, ready });
      held -= 1;
      if (!running && held < 0) void runQueue();
    },
    interrupt: () => {
      if (running) interruption.fire();
    },
    cancel: (uuid) => {
      const at = queue.findIndex(({ prompt }) => prompt.uuid === uuid);
      if (at === -1) return false;
      queue.splice(at, 1);
      lifecycle(uuid, 'cancelled');
      return true;
    },
    cancelQueued: () => {
      const uuids = queue.splice(0).map(({ prompt }) => prompt.uuid ?? '');
      for (const uuid of uuids) lifecycle(uuid, 'cancelled');
      return uuids;
    },
    idle: () => (running ? new Promise((done) => idleWaiters.push(done)) : Promise.resolve()),
    lastResultWasError: steps.lastResultWasError,
  };
}

/** The session that is resumed, else a new one; its id. */
function openSessionFile(): string {
  const resumed = process.argv.find((arg) => arg.startsWith('--resume='))?.split('=', 2)[1];
  const id = resumed ?? randomUUID();
  const folder = path.join(process.env.CLAUDE_CONFIG_DIR ?? '', 'projects', 'fake');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${id}.jsonl`), '');
  return id;
}

function createInterruption() {
  let happened = false;
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return {
    promise,
    happened: () => happened,
    fire: () => {
      happened = true;
      resolve();
    },
  };
}
