import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { UserFacingError } from '../../src/base/errors';
import { createDeferred } from '../../src/base/deferred';
import { ControlRequestError } from '../../src/cli/outboundCalls';
import { spawnCli } from '../../src/cli/spawnCli';
import type { ConversationMessage, CliMessage } from '../../src/protocol/messages';
import { createFakeCli } from '../harness/fakeCli/createFakeCli';
import type { FakeStep } from '../harness/fakeCli/fakeCliScript';
import { IMPATIENT, listLogger, PATIENT, withFakeCli } from '../harness/fakeCli/cliHarness';
import { eventually } from '../harness/panelSandbox/eventually';
import { isRunning, untilGone } from '../harness/processes';

const uuid = 'aaaaaaaa-0000-4000-8000-000000000001';
const prompt = { uuid, content: 'hello' };

type Result = Extract<CliMessage, { type: 'result' }>;
const isResult = (message: ConversationMessage): message is Result => message.type === 'result';

async function isRefused(promise: Promise<unknown>, kind: ControlRequestError['kind']) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof ControlRequestError);
    assert.equal(error.kind, kind);
    return true;
  });
}

test('A missing program, a missing interpreter, a plain file and a missing folder are told apart', async () => {
  const fake = await createFakeCli({});
  const start = (command: string, cwd = fake.folder) =>
    spawnCli({ command, args: [], cwd, env: fake.env, log: listLogger([]) });
  const fails = async (promise: Promise<unknown>, words: RegExp) =>
    assert.rejects(promise, (error) => {
      assert.ok(error instanceof UserFacingError);
      assert.match(error.message, words);
      assert.ok(error.kept !== undefined && error.next !== undefined);
      return true;
    });
  try {
    const orphan = path.join(fake.folder, 'orphan');
    await writeFile(orphan, '#!/no/such/interpreter\n', { mode: 0o755 });
    const named = path.join(fake.folder, 'named');
    await writeFile(named, '#!/usr/bin/env no-such-runtime\n', { mode: 0o755 });
    const plain = path.join(fake.folder, 'plain.txt');
    await writeFile(plain, 'words', { mode: 0o644 });
    const gone = path.join(fake.folder, 'gone');
    await mkdir(gone);
    await rm(gone, { recursive: true });
    await fails(start(path.join(fake.folder, 'nothing')), /was not found/);
    await fails(start(orphan), /no\/such\/interpreter, which runs it/);
    await fails(start(plain), /not an executable file/);
    await fails(start(fake.command, gone), /working folder .*gone does not exist/);
    // `env` itself starts and then fails, with a code instead of an error.
    const running = await start(named);
    assert.equal((await running.exited).kind, 'crashed');
  } finally {
    await fake.dispose();
  }
});

test('A CLI that ends before it answers initialize fails the request and shows its last words', () =>
  withFakeCli(
    { atStart: [{ stderr: 'Claude configuration file is corrupted\n' }, { exit: 1 }] },
    async ({ session }) => {
      await isRefused(session.initialize({}), 'closed');
      const exit = await session.exited;
      assert.equal(exit.kind, 'crashed');
      assert.equal(exit.code, 1);
      assert.match(exit.stderrTail, /configuration file is corrupted/);
    },
  ));

test('A CLI that never answers initialize is given up by a signal or a time-out, and disposed in time', () =>
  withFakeCli({ initialize: { never: true } }, async ({ session }) => {
    const control = new AbortController();
    const waiting = session.initialize({}, { signal: control.signal });
    control.abort();
    await isRefused(waiting, 'aborted');
    await isRefused(session.initialize({}, { timeoutMs: 20 }), 'timedOut');
    // On a busy machine it has not begun to read when its time is over.
    assert.notEqual((await session.dispose()).kind, 'crashed');
  }));

test('A CLI that ends in mid-turn tells the exit after its last message', () =>
  withFakeCli(
    { turns: [[{ deltas: 3 }, { stderr: 'out of memory\n' }, { exit: 137 }]] },
    async ({ session, messages }) => {
      await session.initialize({});
      const waiting = session.request('get_context_usage', {}).catch((error: unknown) => error);
      await session.sendPrompt(prompt);
      const exit = await session.exited;
      assert.equal(exit.code, 137);
      assert.equal(messages.filter(({ type }) => type === 'stream_event').length, 3);
      assert.ok((await waiting) instanceof ControlRequestError);
      await assert.rejects(session.sendPrompt({ ...prompt, uuid: 'b' }), /no longer reads/);
      await isRefused(session.setModel(null), 'closed');
    },
  ));

test('A killed CLI is a crash with its signal', () =>
  withFakeCli({ turns: [[{ kill: 'SIGKILL' }]] }, async ({ session }) => {
    await session.initialize({});
    await session.sendPrompt(prompt);
    const exit = await session.exited;
    assert.deepEqual([exit.kind, exit.signal], ['crashed', 'SIGKILL']);
  }));

test('A megabyte of stderr leaves its last lines, masked, and the turn goes on', () =>
  withFakeCli(
    {
      turns: [
        [
          { stderr: `${'x'.repeat(99)}\n`, times: 10_000 },
          { stderr: 'y'.repeat(1_000_000) },
          { stderr: '\nANTHROPIC_API_KEY=sk-ant-api03-abcdefghijkl was refused\n' },
          { result: {} },
        ],
      ],
    },
    async ({ session, waitFor }) => {
      await session.initialize({});
      await session.sendPrompt(prompt);
      await waitFor(isResult);
      const { stderrTail } = await session.dispose();
      assert.equal(stderrTail.split('\n').length, 200);
      assert.ok(stderrTail.length < 25_000);
      assert.match(stderrTail, /was refused/);
      assert.doesNotMatch(stderrTail, /sk-ant/);
    },
  ));

test('Code 1 after stdin was closed on an error result is no crash', () =>
  withFakeCli(
    { turns: [[{ result: { is_error: true } }]] },
    async ({ session, results }) => {
      await session.initialize({});
      await session.sendPrompt(prompt);
      await results(1);
      const exit = await session.dispose();
      assert.deepEqual([exit.kind, exit.code], ['ended', 1]);
    },
    { closeLimits: PATIENT },
  ));

const stubborn = [
  ['that ends when its input closes', {}, {}, null],
  ['that ignores the end of its input', { ignoreStdinClose: true }, {}, 'SIGTERM'],
  [
    'that ignores SIGTERM, with a grandchild that does too',
    { ignoreStdinClose: true, ignoreSigterm: true },
    { ignoreSigterm: true },
    'SIGKILL',
  ],
  [
    'whose grandchild left its process group and ignores SIGTERM',
    {},
    { detached: true, ignoreSigterm: true },
    null,
  ],
  [
    'that ignores SIGTERM, with such a grandchild',
    { ignoreStdinClose: true, ignoreSigterm: true },
    { detached: true, ignoreSigterm: true },
    'SIGKILL',
  ],
  ['whose grandchild holds its output open', {}, { holdStdout: true, ignoreSigterm: true }, null],
] as const;
/** Each gets all the time for what it does do, so that its end tells how far it had to go. */
const closeLimits = {
  ended: PATIENT,
  SIGTERM: { ...IMPATIENT, termMs: 60_000 },
  SIGKILL: IMPATIENT,
};
for (const [what, script, grandchild, signal] of stubborn) {
  test(`No process and no grandchild survives the dispose of a CLI ${what}`, () =>
    withFakeCli(
      { ...script, atStart: [{ grandchild }] },
      async ({ session, fake }) => {
        await session.initialize({});
        const started = async () => (await fake.records('grandchild')).map(({ pid }) => pid);
        await eventually(async () => (await started()).length > 0);
        const exit = await session.dispose();
        assert.deepEqual([exit.kind, exit.signal], [signal ? 'killed' : 'ended', signal]);
        await untilGone([session.pid!, ...(await started())]);
      },
      { closeLimits: closeLimits[signal ?? 'ended'] },
    ));
}

const leavings: readonly FakeStep[] = [
  { grandchild: { ignoreSigterm: true } },
  { grandchild: { detached: true, ignoreSigterm: true } },
  { stray: {} },
  { stray: { ignoreSigterm: true } },
];
for (const end of [{ exit: 3 }, { kill: 'SIGKILL' }] as const) {
  test(`What a CLI that ended by ${JSON.stringify(end)} has left running is ended too`, () =>
    withFakeCli({ atStart: [...leavings, end] }, async ({ session, fake }) => {
      assert.equal((await session.exited).kind, 'crashed');
      const pids = (await fake.records('grandchild')).map(({ pid }) => pid);
      assert.equal(pids.length, leavings.length);
      await untilGone(pids);
    }));
}

test('What a shell command has left behind is ended with the conversation', () =>
  withFakeCli(
    { turns: [[{ stray: {} }, { result: {} }]] },
    async ({ session, fake, results }) => {
      await session.sendPrompt(prompt);
      await results(1);
      const [stray] = await fake.records('grandchild');
      assert.ok(isRunning(stray!.pid));
      assert.equal((await session.dispose()).kind, 'ended');
      await untilGone([stray!.pid]);
    },
    { closeLimits: PATIENT },
  ));

test('Dispose in the middle of a tool call drops its answer and aborts it', () => {
  const started = createDeferred<AbortSignal>();
  return withFakeCli(
    { turns: [[{ calls: 1 }]] },
    async ({ session, fake }) => {
      await session.initialize({});
      await session.sendPrompt(prompt);
      const signal = await started.promise;
      await session.dispose();
      assert.ok(signal.aborted);
      const lines = (await fake.records('line')).map(({ line }) => line);
      assert.ok(!lines.some((line) => line.includes('control_response')));
    },
    {
      handlers: {
        mcp_message: (_request, { signal }) => {
          started.resolve(signal);
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
        },
      },
    },
  );
});
