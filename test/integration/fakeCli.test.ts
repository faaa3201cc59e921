import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchArguments } from '../../src/cli/launchArguments';
import { ControlRequestError } from '../../src/cli/outboundCalls';
import type { ConversationMessage, CliMessage } from '../../src/protocol/messages';
import { createFakeCli } from '../harness/fakeCli/createFakeCli';
import { runCli, withFakeCli } from '../harness/fakeCli/cliHarness';

const uuid = 'aaaaaaaa-0000-4000-8000-000000000001';
const prompt = { uuid, content: 'hello' };

type Result = Extract<CliMessage, { type: 'result' }>;
const isResult = (message: ConversationMessage): message is Result => message.type === 'result';

test('A plain turn goes from the prompt to its result, with the uuid of the prompt', () =>
  withFakeCli({}, async ({ session, waitFor, messages, fake }) => {
    const answer = await session.initialize({});
    assert.equal(answer.claude_code_version, '2.1.332');
    await session.sendPrompt(prompt);
    const result = await waitFor(isResult);
    assert.equal(result.result, 'ok');
    await waitFor(
      (message): message is Extract<CliMessage, { type: 'command_lifecycle' }> =>
        message.type === 'command_lifecycle' && message.state === 'completed',
    );
    assert.deepEqual(
      messages.flatMap((message) =>
        message.type === 'command_lifecycle' ? [[message.command_uuid, message.state]] : [],
      ),
      [
        [uuid, 'queued'],
        [uuid, 'started'],
        [uuid, 'completed'],
      ],
    );
    const lines = await fake.records('line');
    assert.deepEqual(JSON.parse(lines[1]!.line), {
      type: 'user',
      message: { role: 'user', content: 'hello' },
      parent_tool_use_id: null,
      session_id: '',
      uuid,
    });
  }));

test('Noise on stdout is logged and counted, what is a message is delivered (T05)', () =>
  withFakeCli(
    {
      atStart: [
        {
          raw: '\uFEFF{"type":"system","subtype":"init"}\nNow using node v20.0.0\r\n[SandboxDebug] probe\n{"type":"assist\n[1,2]\nnull\n{"type":"result","subtype":"success"}\n',
          chunkBytes: 5,
        },
      ],
    },
    async ({ waitFor, messages, log }) => {
      await waitFor(isResult);
      assert.deepEqual(
        messages.map(({ type }) => type),
        ['system', 'result'],
      );
      const noise = log.filter((line) => line.includes('Not a message'));
      assert.equal(noise.length, 5);
      assert.match(noise[4]!, /line 5/);
    },
  ));

test('A line above the cap is named with its true size, and the next turn works', () =>
  withFakeCli(
    { turns: [[{ big: 300_000 }, { result: {} }]] },
    async ({ session, results, transport, log }) => {
      const faults: unknown[] = [];
      transport.onDidFault((fault) => faults.push(fault));
      await session.initialize({});
      await session.sendPrompt(prompt);
      await results(1);
      const [fault] = faults as { kind: string; bytes: number; maxBytes: number }[];
      assert.equal(fault?.kind, 'lineTooLong');
      assert.ok(fault.bytes > 300_000 && fault.bytes < 300_200);
      assert.ok(log.some((line) => line.includes(String(fault.bytes))));
      await session.sendPrompt({ ...prompt, uuid: 'next' });
      await results(2);
    },
    { maxLineBytes: 100_000 },
  ));

test('Twenty megabytes in one line arrive whole (T04)', () =>
  withFakeCli({ turns: [[{ big: 20 * 1024 * 1024 }, { result: {} }]] }, async (running) => {
    await running.session.initialize({});
    await running.session.sendPrompt(prompt);
    await running.results(1);
    const user = running.messages.find((message) => message.type === 'user');
    const block = Array.isArray(user?.message.content) ? user.message.content[0] : undefined;
    assert.ok(block?.type === 'tool_result' && typeof block.content === 'string');
    assert.equal(block.content.length, 20 * 1024 * 1024);
  }));

test('An interrupt has exactly its own bytes, and the same process takes the next prompt', () =>
  withFakeCli({ turns: [[{ deltas: 1 }, { hang: true }]] }, async (running) => {
    const { session, results, messages, fake } = running;
    await session.initialize({});
    await session.sendPrompt(prompt);
    await running.waitFor(
      (message): message is Extract<CliMessage, { type: 'stream_event' }> =>
        message.type === 'stream_event',
    );
    const answer = await session.interrupt({ cancelQueued: true });
    assert.deepEqual(answer, { still_queued: [], cancelled: [] });
    await results(1);
    const line = (await fake.records('line')).find((entry) => entry.line.includes('interrupt'));
    assert.equal(
      line?.line,
      '{"type":"control_request","request_id":"host-2","request":{"cancel_queued":true,"subtype":"interrupt"}}',
    );
    const pid = session.pid;
    await session.sendPrompt({ ...prompt, uuid: 'next' });
    await results(2);
    assert.equal(session.pid, pid);
    assert.deepEqual(
      messages.flatMap((message) => (message.type === 'result' ? [message.terminal_reason] : [])),
      ['aborted_streaming', 'completed'],
    );
  }));

test('A refused request carries the reason and the code of the CLI', () =>
  withFakeCli({}, async ({ session }) => {
    await assert.rejects(session.request('get_session_cost', {}), (error) => {
      assert.ok(error instanceof ControlRequestError);
      assert.equal(error.code, 'unsupported_request');
      assert.match(error.message, /get_session_cost/);
      return true;
    });
  }));

test('Unknown kinds are delivered, and logged once (T06)', () =>
  withFakeCli(
    {
      atStart: [
        { line: { type: 'zz_new', n: 1 } },
        { line: { type: 'zz_new', n: 2 } },
        { line: { type: 'system', subtype: 'zz' } },
        { result: {} },
      ],
    },
    async ({ results, messages, log }) => {
      await results(1);
      assert.equal(messages.filter(({ type }) => type === 'unknown').length, 2);
      assert.equal(log.filter((line) => line.includes('zz_new')).length, 1);
      assert.equal(log.filter((line) => line.includes('subtype zz')).length, 1);
    },
  ));

test('A second initialize lists the questions that are still open', () =>
  withFakeCli({ initialize: { pending: [{ request_id: 'p1' }] } }, async ({ session }) => {
    const answer = await session.initialize({});
    assert.deepEqual(answer.pending_permission_requests, [{ request_id: 'p1' }]);
  }));

test('The CLI gets its arguments, folder and environment as they were made', async () => {
  const fake = await createFakeCli({});
  const args = launchArguments({ trusted: true, model: 'a b"c', addDirs: ['/tmp/ü x'] });
  const running = await runCli({ command: fake.command, cwd: fake.folder, env: fake.env, args });
  try {
    await running.session.initialize({});
    const [start] = await fake.records('start');
    assert.deepEqual(start?.argv, args);
    assert.equal(start.cwd, fake.folder);
    assert.equal(start.env.MCP_TOOL_TIMEOUT, '86400000');
  } finally {
    await running.session.dispose();
    await fake.dispose();
  }
});
