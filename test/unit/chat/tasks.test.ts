import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chat, assistantRow, toolUse, turnResult } from './chatHarness';

const system = (subtype: string, extra: object) => ({ type: 'system', subtype, ...extra });
const started = (id: string, extra: object = {}) =>
  system('task_started', {
    task_id: id,
    tool_use_id: `t-${id}`,
    description: `run ${id}`,
    task_type: 'local_bash',
    is_backgrounded: true,
    ...extra,
  });
const listed = (chat: Chat) => chat.state.tasks ?? [];
const titles = (chat: Chat) => listed(chat).map(({ title }) => title);

test('what runs in the background is listed from its start to its end, also between turns', () => {
  const chat = new Chat().prompt('x');
  chat.cli(assistantRow('m1', [toolUse('t-b1', 'Bash', { command: 'serve' })]), started('b1'));
  assert.deepEqual(chat.state.tasks, [
    { id: 'b1', kind: 'command', title: 'run b1', toolUseId: 't-b1', startedAt: chat.time },
  ]);
  chat.cli(turnResult(), started('a1', { task_type: 'local_agent' }));
  chat.cli(system('task_progress', { task_id: 'a1', description: 'Writing sub.txt' }));
  assert.deepEqual(
    listed(chat).map(({ kind, progress }) => [kind, progress]),
    [
      ['command', undefined],
      ['agent', 'Writing sub.txt'],
    ],
  );
  chat.cli(system('task_updated', { task_id: 'b1', patch: { status: 'killed' } }));
  chat.cli(system('task_notification', { task_id: 'a1', status: 'completed' }));
  assert.deepEqual(titles(chat), []);
});

test('the whole list of the CLI counts, and one in the foreground is not in it', () => {
  const chat = new Chat().prompt('x').cli(started('f1', { is_backgrounded: false }));
  assert.deepEqual(titles(chat), []);
  chat.cli(system('task_updated', { task_id: 'f1', patch: { is_backgrounded: true } }));
  assert.deepEqual(titles(chat), ['run f1']);
  const tasks = [{ task_id: 'n1', description: 'late' }, { task_id: 'n2' }];
  chat.cli(system('background_tasks_changed', { tasks }));
  assert.deepEqual(titles(chat), ['late', 'Background task']);
  chat.cli(system('background_tasks_changed', { tasks: [] }));
  assert.deepEqual(titles(chat), []);
});

test('with its process a task is gone, and what hides in its name is made visible', () => {
  const chat = new Chat().prompt('x').cli(started('b1', { description: 'a\u202Eb\nc' }));
  assert.deepEqual(titles(chat), ['a\\u202Eb c']);
  chat.apply({ type: 'cliExited' });
  assert.deepEqual(titles(chat), []);
});
