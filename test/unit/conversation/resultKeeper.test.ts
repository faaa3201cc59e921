import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '../../../src/conversation/clock';
import { ResultKeeper } from '../../../src/conversation/resultKeeper';
import type { ConversationMessage } from '../../../src/protocol/messages';

function keeper() {
  const given: string[] = [];
  let due: (() => void) | undefined;
  const clock: Clock = {
    now: () => 0,
    after: (_ms, fn) => {
      due = fn;
      return { dispose: () => (due = undefined) };
    },
  };
  const made = new ResultKeeper<{ text: string; turns: number; durationMs: number }>(
    clock,
    ({ text, turns }) => given.push(`${text} ${turns}`),
  );
  // What it looks at of the CLI's messages.
  const receive = (message: object): void => made.receive(message as ConversationMessage);
  return {
    given,
    late: () => due?.(),
    begins: () => receive({ type: 'system', subtype: 'init' }),
    runs: (...ids: string[]) => {
      const tasks = ids.map((id) => ({ task_id: id, task_type: id.replace(/\d/, '') }));
      receive({ type: 'system', subtype: 'background_tasks_changed', tasks });
    },
    ends: (id: string, status: string) =>
      receive({ type: 'system', subtype: 'task_notification', task_id: id, status }),
    result: (text: string, isUnasked = false) => {
      receive({ type: 'result' });
      made.ended({ text, turns: 1, durationMs: 1 }, isUnasked);
    },
    made,
  };
}

describe('A result', () => {
  test('is given at once where no agent runs, whatever else does', () => {
    const { given, begins, runs, result } = keeper();
    begins();
    runs('local_bash1');
    result('one');
    result('of the command', true);
    assert.deepEqual(given, ['one 1']);
  });

  test('waits for each agent and for the turn that tells of it, and counts all turns', () => {
    const { given, begins, runs, ends, result } = keeper();
    begins();
    runs('local_agent1', 'local_agent2');
    result('begun');
    ends('local_agent1', 'completed');
    runs('local_agent2');
    begins();
    // While that is told.
    ends('local_agent2', 'failed');
    runs();
    result('the first', true);
    assert.deepEqual(given, []);
    begins();
    result('both', true);
    assert.deepEqual(given, ['both 3']);
  });

  test('does not wait for a turn that does not come', () => {
    const stopped = keeper();
    stopped.begins();
    stopped.runs('local_agent1');
    stopped.result('begun');
    stopped.ends('local_agent1', 'stopped');
    assert.deepEqual(stopped.given, ['begun 1']);
    const told = keeper();
    told.begins();
    told.runs('local_agent1');
    told.ends('local_agent1', 'completed');
    told.result('told in the same turn');
    assert.deepEqual(told.given, []);
    told.late();
    assert.deepEqual(told.given, ['told in the same turn 1']);
    assert.equal(told.made.isKeeping, false);
  });
});
