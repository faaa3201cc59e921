import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { TransportClosedError } from '../../src/cli/lineTransport';
import { IMPATIENT, withFakeCli } from '../harness/fakeCli/cliHarness';

const prompt = (content = 'go') => ({ uuid: randomUUID(), content });
const MEGABYTE = 1024 * 1024;

test('A hundred megabytes without a newline cost no memory beyond the cap, and the next turn works', () =>
  withFakeCli(
    { turns: [[{ flood: 100 * MEGABYTE }, { raw: '\n' }, { result: {} }], [{ result: {} }]] },
    async ({ session, log, results }) => {
      let peak = 0;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 20);
      const before = process.memoryUsage().rss;
      await session.sendPrompt(prompt());
      await results(1);
      clearInterval(watch);
      assert.ok(log.some((line) => line.includes(`A line of ${100 * MEGABYTE} bytes`)));
      assert.ok(peak - before < 200 * MEGABYTE, `${(peak - before) / MEGABYTE} MB`);
      await session.sendPrompt(prompt());
      await results(2);
    },
  ));

test('A CLI that does not read holds the writer back, and dispose kills it', () =>
  withFakeCli(
    {
      ignoreSigterm: true,
      ignoreStdinClose: true,
      turns: [[{ deaf: true }, { result: {} }, { hang: true }]],
    },
    async ({ session, results }) => {
      await session.sendPrompt(prompt());
      await results(1);
      let accepted = false;
      const writing = session.sendPrompt(prompt('x'.repeat(5 * MEGABYTE)));
      const outcome = writing.then(
        () => (accepted = true),
        (error: unknown) => error,
      );
      const asking = session.interrupt({ cancelQueued: true }).catch((error: unknown) => error);
      const exit = await session.dispose();
      assert.deepEqual([exit.kind, exit.signal], ['killed', 'SIGKILL']);
      assert.ok((await outcome) instanceof TransportClosedError);
      assert.equal(accepted, false);
      assert.ok((await asking) instanceof Error);
    },
    { closeLimits: IMPATIENT },
  ));

test('A CLI that exits while it is written to fails the write, and its exit is told once', () =>
  withFakeCli(
    { turns: [[{ deaf: true }, { result: {} }, { wait: 30 }, { exit: 7 }]] },
    async (running) => {
      const exits: unknown[] = [];
      running.session.onDidExit((exit) => exits.push(exit.code));
      await running.session.sendPrompt(prompt());
      await running.results(1);
      await assert.rejects(
        running.session.sendPrompt(prompt('x'.repeat(5 * MEGABYTE))),
        TransportClosedError,
      );
      assert.equal((await running.session.exited).code, 7);
      await assert.rejects(running.session.sendPrompt(prompt()), TransportClosedError);
      await running.session.dispose();
      assert.deepEqual(exits, [7]);
    },
  ));

test('A CLI that closes its output and goes on running is ended as one that crashed', () =>
  withFakeCli(
    { turns: [[{ result: {} }, { closeStdout: true }, { hang: true }]] },
    async (running) => {
      await running.session.sendPrompt(prompt());
      await running.results(1);
      const exit = await running.session.exited;
      assert.equal(exit.kind, 'crashed');
      const [start] = await running.fake.records('start');
      assert.ok(start && !existsSync(`/proc/${start.pid}`));
    },
  ));

test('A frozen CLI is killed by dispose', () =>
  withFakeCli(
    { turns: [[{ result: {} }, { kill: 'SIGSTOP' }]] },
    async ({ session, results }) => {
      await session.sendPrompt(prompt());
      await results(1);
      assert.equal((await session.dispose()).signal, 'SIGKILL');
    },
    { closeLimits: IMPATIENT },
  ));

test('An answer that cannot be written is told as an error, so that the CLI does not wait for ever', () => {
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  return withFakeCli(
    {
      turns: [
        [
          { id: 'q', ask: { subtype: 'elicitation', mcp_server_name: 'x', message: 'y' } },
          { answerTo: 'q' },
          { result: {} },
        ],
      ],
    },
    async ({ session, results, fake }) => {
      await session.sendPrompt(prompt());
      await results(1);
      const [answer] = await fake.records('answer');
      assert.equal(answer?.response.subtype, 'error');
    },
    { handlers: { elicitation: () => Promise.resolve(ring) } },
  );
});
