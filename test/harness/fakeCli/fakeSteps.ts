import { spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeStep } from './fakeCliScript';
import type { FakeWire } from './fakeWire';

/** Nothing that hangs on purpose outlives a cut-off test run for long; longer than any test waits. */
export const LIFE_MS = 300_000;

/** What each step of a script does. `turn` numbers the running turn, so that ids stay unique. */
export function createFakeSteps(wire: FakeWire, turn: () => number) {
  let lastError = false;

  const sendResult = (fields: Record<string, unknown>): void => {
    lastError = fields.is_error === true;
    wire.send({ ...plainResult(), ...fields });
  };

  const play = async (step: FakeStep): Promise<unknown> => {
    if ('line' in step) return writePieces(`${JSON.stringify(step.line)}\n`, step.chunkBytes);
    if ('raw' in step) return writePieces(step.raw, step.chunkBytes);
    if ('base64' in step) return writePieces(Buffer.from(step.base64, 'base64'), step.chunkBytes);
    if ('big' in step) return writePieces(`${JSON.stringify(bigResult(step.big))}\n`, undefined);
    if ('stderr' in step) return writeErrors(step.stderr.repeat(step.times ?? 1));
    if ('wait' in step) return delay(step.wait);
    if ('gate' in step) return untilOpen(step.gate);
    if ('exit' in step) process.exit(step.exit);
    if ('kill' in step) return process.kill(process.pid, step.kill);
    if ('hang' in step) return new Promise(() => setTimeout(() => process.exit(1), LIFE_MS));
    if ('flood' in step) return flood(step.flood);
    if ('deaf' in step) return process.stdin.pause();
    if ('closeStdout' in step) {
      closeSync(1);
      return undefined;
    }
    if ('ask' in step) {
      void wire.ask(step.id, step.ask).then((response) => {
        wire.record({ kind: 'answer', id: step.id, response });
      });
      return undefined;
    }
    if ('cancel' in step) {
      wire.send({ type: 'control_cancel_request', request_id: step.cancel });
      return undefined;
    }
    if ('answerTo' in step) return wire.answerTo(step.answerTo);
    if ('deltas' in step) return streamDeltas(step.deltas, step.text ?? 'word ');
    if ('calls' in step) return callTools(wire, `call-${turn()}`, step);
    if ('grandchild' in step) return startGrandchild(wire, step.grandchild);
    if ('stray' in step) return leaveStray(wire, step.stray.ignoreSigterm === true);
    sendResult(step.result);
    return undefined;
  };

  return {
    play,
    sendResult,
    pause: (ms: number): Promise<void> => delay(ms),
    lastResultWasError: () => lastError,
  };
}

/** A file of the gate's name in the working folder opens it. */
async function untilOpen(gate: string): Promise<void> {
  const end = Date.now() + LIFE_MS;
  while (!existsSync(gate)) {
    if (Date.now() > end) process.exit(1);
    await delay(10);
  }
}

/** In pieces of the given size, each its own write, so that the reader sees each on its own. */
async function writePieces(content: string | Uint8Array, size: number | undefined): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (size === undefined) {
    process.stdout.write(bytes);
    return;
  }
  for (let at = 0; at < bytes.length; at += size) {
    process.stdout.write(bytes.subarray(at, at + size));
    await delay(0);
  }
}

async function flood(bytes: number): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024, 0x61);
  for (let left = bytes; left > 0; left -= piece.length) {
    await new Promise<void>((resolve) => {
      process.stdout.write(piece.subarray(0, left), () => resolve());
    });
  }
}

function writeErrors(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stderr.write(text, () => resolve());
  });
}

function bigResult(length: number): object {
  const content = [{ type: 'tool_result', tool_use_id: 'big', content: 'a'.repeat(length) }];
  return { type: 'user', message: { role: 'user', content } };
}

function plainResult(): object {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'ok',
    num_turns: 1,
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
    total_cost_usd: 0.01,
    usage: { input_tokens: 1, output_tokens: 1 },
    session_id: 'fake',
  };
}

async function streamDeltas(count: number, text: string): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const line = JSON.stringify({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      api_message_id: 'msg_1',
      parent_tool_use_id: null,
      session_id: 'fake',
      uuid: `e-${i}`,
    });
    if (!process.stdout.write(`${line}\n`)) {
      await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
    }
  }
}

type CallsStep = Extract<FakeStep, { calls: number }>;

async function callTools(wire: FakeWire, prefix: string, step: CallsStep): Promise<void> {
  const { calls, atOnce = false, server = 'editor', tool = 'ping' } = step;
  const call = (i: number): Promise<unknown> =>
    wire.ask(`${prefix}-${i}`, {
      subtype: 'mcp_message',
      server_name: server,
      message: {
        jsonrpc: '2.0',
        id: i,
        method: 'tools/call',
        params: { name: tool, arguments: { i }, _meta: { progressToken: i } },
      },
    });
  if (atOnce) await Promise.all(Array.from({ length: calls }, (_, i) => call(i)));
  else for (let i = 0; i < calls; i += 1) await call(i);
  wire.record({ kind: 'calls', number: calls });
}

/** By a shell in a session of its own, which ends at once. */
async function leaveStray(wire: FakeWire, ignoreSigterm: boolean): Promise<void> {
  const sleep = ignoreSigterm ? "(trap '' TERM; exec sleep 300)" : 'sleep 300';
  const shell = spawn('/bin/sh', ['-c', `${sleep} >/dev/null 2>&1 & echo $!`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  for await (const chunk of shell.stdout) output += String(chunk);
  wire.record({ kind: 'grandchild', pid: Number(output) });
}

type GrandchildOptions = Extract<FakeStep, { grandchild: object }>['grandchild'];

/** Resolves when the grandchild runs and has its signal handler in place. */
async function startGrandchild(wire: FakeWire, options: GrandchildOptions): Promise<void> {
  const handler = options.ignoreSigterm === true ? "process.on('SIGTERM',()=>{});" : '';
  // Not for ever, in case the test run is cut off; longer than any test waits for its end.
  const code = `${handler}setTimeout(()=>process.exit(),${LIFE_MS});process.send('up')`;
  const output = options.holdStdout === true ? 'inherit' : 'ignore';
  const child = spawn(process.execPath, ['-e', code], {
    stdio: ['ignore', output, 'ignore', 'ipc'],
    detached: options.detached === true,
  });
  await new Promise((resolve) => child.once('message', resolve));
  child.disconnect();
  child.unref();
  wire.record({ kind: 'grandchild', pid: child.pid ?? 0 });
}
