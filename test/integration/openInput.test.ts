import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControlHandlers } from '../../src/cli/controlChannel';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { withFakeCli, type RunningFake } from '../harness/fakeCli/cliHarness';

/** The CLI's input is open until its conversation is disposed, whatever has ended meanwhile. */

const prompt = (uuid: string) => ({ uuid, content: 'hello' });
const question = (id: string): FakeStep => ({
  id,
  ask: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'x' } },
});
const handlers: ControlHandlers = {
  mcp_message: () => ({ mcp_response: { jsonrpc: '2.0', id: 0, result: {} } }),
  can_use_tool: ({ input }) => ({ behavior: 'allow', updatedInput: input }),
};

function withTurns(
  turns: FakeStep[][],
  body: (running: RunningFake) => Promise<void>,
  more: { handlers?: ControlHandlers; script?: FakeScript } = {},
): Promise<void> {
  return withFakeCli(
    { ...more.script, turns },
    async (running) => {
      await running.session.initialize({});
      await running.session.sendPrompt(prompt('one'));
      await body(running);
      assert.deepEqual(await running.fake.records('stdinClosed'), []);
    },
    { handlers: more.handlers ?? handlers },
  );
}

test('After a result the input stays open: a tool that the last prompt brings is answered (C01)', () =>
  withTurns([[{ result: {} }], [{ calls: 2 }, { result: {} }]], async (running) => {
    await running.results(1);
    await running.session.sendPrompt(prompt('two'));
    await running.results(2);
    assert.deepEqual(await running.fake.records('calls'), [{ kind: 'calls', number: 2 }]);
  }));

test('Servers that are first asked long after the prompt are answered (C02)', () => {
  const ask = (method: string): FakeStep => ({
    id: method,
    ask: { subtype: 'mcp_message', server_name: 'editor', message: { method, id: 1 } },
  });
  const steps = ['initialize', 'notifications/initialized', 'tools/list'].flatMap((method) => [
    { wait: 300 },
    ask(method),
    { answerTo: method },
  ]);
  return withTurns([[...steps, { result: {} }]], async ({ results, fake }) => {
    await results(1);
    assert.equal((await fake.records('answer')).length, 3);
  });
});

test('With no hook and no server a question still reaches the person, and the answer the CLI (C03)', () =>
  withTurns(
    [[question('q'), { answerTo: 'q' }, { result: {} }]],
    async ({ results, fake }) => {
      await results(1);
      const [answer] = await fake.records('answer');
      assert.equal(answer?.response.response?.behavior, 'allow');
    },
    { handlers: { can_use_tool: handlers.can_use_tool! } },
  ));

test('A question of a background task long after the result is asked and answered (C04)', () =>
  withTurns(
    [[{ result: {} }, { wait: 500 }, question('late'), { answerTo: 'late' }, { result: {} }]],
    async ({ results, fake }) => {
      await results(2);
      const [answer] = await fake.records('answer');
      assert.equal(answer?.response.response?.behavior, 'allow');
    },
  ));
