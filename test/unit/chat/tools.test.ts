import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESULT_TEXT_LIMIT } from '../../../src/chat/viewStateProtocol';
import { Chat, assistantRow, resultRow, streamOf, toolUse, turnResult } from './chatHarness';

function call(name: string, input: unknown, content: unknown, extra = {}): Chat {
  const chat = new Chat({ toolTitles: new Map([['mcp__code__diagnostics', 'Problems']]) });
  chat.prompt('x').cli(assistantRow('m1', [toolUse('t1', name, input)]));
  return chat.cli(resultRow('t1', content, extra));
}

test('a call streams in, gets its whole input, then its result', () => {
  const chat = new Chat().prompt('x');
  const stream = streamOf('m1');
  chat.cli(stream.start(), stream.block(0, toolUse('t1', 'Bash')), stream.json(0, '{"comm'));
  assert.deepEqual([chat.tool('t1').input, chat.tool('t1').state], ['', 'running']);
  assert.equal(chat.tool('t1').title, 'Run a command');
  chat.cli(assistantRow('m1', [toolUse('t1', 'Bash', { command: 'echo hi\necho you' })]));
  assert.equal(chat.tool('t1').summary, 'echo hi echo you');
  assert.deepEqual(JSON.parse(chat.tool('t1').input), { command: 'echo hi\necho you' });
  chat.time += 250;
  chat.cli(resultRow('t1', 'hi\nyou', { tool_use_result: { stdout: 'hi\nyou' } }));
  const tool = chat.tool('t1');
  assert.deepEqual(
    [tool.state, tool.figure, tool.durationMs, tool.result?.text, tool.result?.size],
    ['done', '2 lines', 250, 'hi\nyou', 6],
  );
  assert.equal(chat.tools.length, 1);
});

test('rows say in words what a call was about and what it came to', () => {
  const edit = call('Edit', { file_path: '/ws/src/a.ts', old_string: 'a', new_string: 'b' }, 'ok', {
    tool_use_result: {
      structuredPatch: [
        { oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [' x', '-a', '+b', '+c'] },
      ],
    },
  }).tool('t1');
  assert.deepEqual([edit.title, edit.summary, edit.figure], ['Edit', 'src/a.ts', '+2 −1']);
  assert.deepEqual(edit.diff?.hunks[0]?.lines, [' x', '-a', '+b', '+c']);

  const created = call('Write', { file_path: '/ws/n.txt', content: 'a\nb\n' }, 'ok', {
    tool_use_result: { type: 'create', content: 'a\nb\n', structuredPatch: [], originalFile: null },
  }).tool('t1');
  assert.deepEqual([created.title, created.figure], ['Write a file', '+2 −0']);

  const read = call('Read', { file_path: '/ws/a.txt' }, '1\tone\n2\ttwo\n3\t', {
    tool_use_result: { type: 'text', file: { content: 'one\ntwo\n', numLines: 3 } },
  }).tool('t1');
  assert.deepEqual([read.summary, read.figure], ['a.txt', '2 lines']);

  const ours = call('mcp__code__diagnostics', {}, [
    { type: 'text', text: '2 errors in 1 file\nsrc/a.ts\n 1:2 error x' },
  ]).tool('t1');
  assert.deepEqual(
    [ours.title, ours.summary, ours.figure],
    ['Problems', '2 errors in 1 file', '≈10 tok'],
  );

  const foreign = call('mcp__my_db__run_query', { sql: 'select 1' }, 'one row').tool('t1');
  assert.deepEqual([foreign.title, foreign.summary], ['Run query (my db)', 'one row']);

  const answered = call(
    'AskUserQuestion',
    { questions: [{ question: 'Which color?' }] },
    'answered',
    { tool_use_result: { questions: [], answers: { 'Which color?': 'Blue', Sizes: ['S', 'L'] } } },
  ).tool('t1');
  assert.equal(answered.summary, 'Blue · S, L');
});

test('a tool named like a property of every object has a title and harms nothing', () => {
  for (const name of ['constructor', '__proto__', 'mcp__x__toString']) {
    assert.equal(typeof call(name, { a: 1 }, 'ok').tool('t1').title, 'string');
  }
});

test('inputs of the wrong type are shown as they are', () => {
  for (const input of [null, 5, 'text', [1], { file_path: 7 }]) {
    const tool = call('Edit', input, 'failed', { is_error: true }).tool('t1');
    assert.equal(tool.state, 'failed');
  }
});

test('failed commands show their exit code, other failures their first line', () => {
  const shell = call('Bash', { command: 'npm test' }, 'Exit code 254\nnpm error', {
    is_error: true,
  });
  assert.deepEqual(
    [shell.tool('t1').state, shell.tool('t1').figure, shell.tool('t1').summary],
    ['failed', 'exit 254', 'npm test'],
  );
  const edit = call(
    'Edit',
    { file_path: '/ws/a.ts' },
    '<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>',
    { is_error: true },
  ).tool('t1');
  assert.equal(edit.summary, 'a.ts: String to replace not found in file.');
  assert.equal(edit.result?.text.startsWith('String to replace'), true);
});

test('who said no decides between denied, cancelled and failed', () => {
  const meta = (kind: string | undefined, decision?: object) => ({
    is_error: true,
    tool_result_meta: [{ id: 't1', non_execution_kind: kind, permission_decision: decision }],
  });
  const stateOf = (extra: object): string => call('Bash', {}, 'no', extra).tool('t1').state;
  assert.equal(
    stateOf(meta('permission-rule', { decision: 'reject', source: 'user_reject' })),
    'denied',
  );
  assert.equal(stateOf(meta(undefined, { decision: 'reject', source: 'hook' })), 'denied');
  assert.equal(stateOf(meta('user-rejected')), 'cancelled');
  assert.equal(
    stateOf(meta(undefined, { decision: 'reject', source: 'permission_updated_input_invalid' })),
    'failed',
  );
  assert.equal(stateOf({ is_error: true }), 'failed');
});

test('a call that the person denied says so at once, with the reason, and stays denied', () => {
  const chat = new Chat()
    .prompt('x')
    .cli(assistantRow('m1', [toolUse('t1', 'Bash', { command: 'rm' })]));
  chat.apply({
    type: 'permissionSettled',
    cardId: 'c',
    toolUseId: 't1',
    outcome: 'denied',
    reason: 'not now',
  });
  assert.deepEqual([chat.tool('t1').state, chat.tool('t1').result?.text], ['denied', 'not now']);
  chat.cli(
    resultRow('t1', 'STOP', {
      is_error: true,
      tool_result_meta: [{ id: 't1', non_execution_kind: 'user-rejected' }],
    }),
  );
  assert.equal(chat.tool('t1').state, 'denied');
});

test('a refusal of which nobody was asked marks the call as denied', () => {
  const chat = new Chat().prompt('x').cli(assistantRow('m1', [toolUse('t1', 'Write', {})]));
  chat.cli({
    type: 'system',
    subtype: 'permission_denied',
    tool_name: 'Write',
    tool_use_id: 't1',
    message: 'The mode refuses it.',
  });
  assert.equal(chat.tool('t1').state, 'denied');
  chat.cli(resultRow('t1', 'The mode refuses it.', { is_error: true }));
  assert.equal(chat.tool('t1').state, 'denied');
});

test('time waited for the person is not the time of the call', () => {
  const chat = new Chat().prompt('x').cli(assistantRow('m1', [toolUse('t1', 'Bash', {})]));
  chat.time += 60_000;
  chat.apply({ type: 'permissionSettled', cardId: 'c', toolUseId: 't1', outcome: 'allowed' });
  chat.time += 40;
  chat.cli(resultRow('t1', 'ok'));
  assert.equal(chat.tool('t1').durationMs, 40);
});

test('results and inputs are bounded, and say how large the whole was', () => {
  const text = '😀'.repeat(RESULT_TEXT_LIMIT);
  const tool = call('Write', { file_path: '/ws/a', content: 'x'.repeat(2_000_000) }, text).tool(
    't1',
  );
  assert.equal(tool.result?.size, RESULT_TEXT_LIMIT * 2);
  assert.ok(tool.result.text.length <= RESULT_TEXT_LIMIT);
  assert.doesNotMatch(tool.result.text, /[\uD800-\uDBFF]$/);
  assert.ok(tool.input.length < 10_000);
  assert.ok(JSON.stringify(tool).length < 60_000);
});

test('pictures that a page can draw are pictures, other parts a line each', () => {
  const tool = call('mcp__x__img', {}, [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(4000) } },
    {
      type: 'image',
      source: { type: 'base64', media_type: 'image/svg+xml', data: 'A'.repeat(40) },
    },
    { type: 'text', text: 'seen' },
    { type: 'zz' },
  ]).tool('t1');
  assert.equal(tool.result?.text, 'seen');
  assert.deepEqual(tool.result.images, [{ mediaType: 'image/png', bytes: 3000 }]);
  assert.deepEqual(tool.result.attachments, [
    'image/svg+xml, 30 B',
    'A part that cannot be shown here',
  ]);
});

test('actions can be offered on a refused write and taken back', () => {
  const chat = call('Edit', { file_path: '/ws/a.ts' }, 'unsaved', { is_error: true });
  chat.apply({
    type: 'toolActions',
    toolUseId: 't1',
    actions: ['saveAndRetry', 'discardAndRetry'],
  });
  assert.deepEqual(chat.tool('t1').actions, ['saveAndRetry', 'discardAndRetry']);
  chat.apply({ type: 'toolActions', toolUseId: 't1', actions: [] });
  assert.equal(chat.tool('t1').actions, undefined);
});

test('actions that come before their call wait for it', () => {
  const chat = new Chat().prompt('x');
  chat.apply({ type: 'toolActions', toolUseId: 't1', actions: ['saveAndRetry'] });
  chat.cli(assistantRow('m1', [toolUse('t1', 'Edit', { file_path: '/ws/a.ts' })]));
  assert.deepEqual(chat.tool('t1').actions, ['saveAndRetry']);
});

test('P10: what subagents do stands under their calls, also when a call comes late', () => {
  const chat = new Chat().prompt('x');
  const inside = (parent: string, id: string, tool: string) =>
    assistantRow(id, [toolUse(tool, 'Read', { file_path: '/ws/a' })], {
      parent_tool_use_id: parent,
    });
  chat.cli(
    assistantRow('m1', [toolUse('A', 'Agent', { description: 'first' })]),
    inside('A', 's1', 'a1'),
    inside('B', 's2', 'b1'),
    assistantRow('m1', [{ type: 'text', text: 'main' }]),
    assistantRow('s3', [{ type: 'text', text: 'from B' }], { parent_tool_use_id: 'B' }),
    inside('A', 's4', 'a2'),
  );
  chat.prompt('next');
  chat.cli(assistantRow('m2', [toolUse('B', 'Agent', { description: 'second' })]));
  chat.cli(inside('B', 's5', 'b2'), resultRow('b1', 'ok', { parent_tool_use_id: 'B' }));
  const [first, second] = chat.assistants;
  const ids = (blocks: readonly { id: string; parentToolUseId?: string }[]) =>
    blocks.map((block) => block.parentToolUseId ?? '-').join(' ');
  assert.equal(ids(first?.blocks ?? []), '- A - A');
  assert.equal(ids(second?.blocks ?? []), '- B B B');
  assert.equal(chat.tool('b1').state, 'done');
  assert.equal(chat.tools.filter((tool) => tool.title === 'Agent').length, 2);
});

test('a subagent in the background runs past its turn and ends with its own report', () => {
  const chat = new Chat().prompt('x');
  chat.cli(
    assistantRow('m1', [toolUse('A', 'Agent', { description: 'look' })]),
    resultRow('A', 'launched', { tool_use_result: { isAsync: true, status: 'async_launched' } }),
    assistantRow('m2', [{ type: 'text', text: 'main end' }]),
    turnResult(),
  );
  assert.deepEqual([chat.tool('A').state, chat.tool('A').figure], ['running', 'in the background']);
  assert.equal(chat.status, 'idle');
  chat.cli(assistantRow('s1', [toolUse('a1', 'Write', {})], { parent_tool_use_id: 'A' }));
  assert.equal(chat.status, 'idle');
  chat.cli(
    {
      type: 'system',
      subtype: 'task_progress',
      task_id: 'k',
      tool_use_id: 'A',
      description: 'Writing sub.txt',
    },
    {
      type: 'system',
      subtype: 'task_notification',
      task_id: 'k',
      tool_use_id: 'A',
      status: 'completed',
      summary: 'all found',
    },
  );
  assert.deepEqual([chat.tool('A').state, chat.tool('A').result?.text], ['done', 'all found']);
  assert.equal(chat.tool('a1').state, 'cancelled');
  assert.equal(chat.assistants.length, 1);
});

test('a call that ran without a question says so and why, one that the person allowed does not (C20)', () => {
  const ran = (decision: object | undefined, allow = false): string | undefined => {
    const chat = new Chat().prompt('x');
    chat.cli(assistantRow('m1', [toolUse('t1', 'Write', { file_path: '/ws/a', content: '' })]));
    const settled = {
      cardId: 'c',
      outcome: 'allowed',
      toolUseId: 't1',
      reason: undefined,
    } as const;
    if (allow) chat.apply({ type: 'permissionSettled', ...settled });
    const meta = decision && { tool_result_meta: [{ id: 't1', permission_decision: decision }] };
    return chat.cli(resultRow('t1', 'ok', meta)).tool('t1').unasked;
  };
  const byItself = (reason_type?: string) => ({
    decision: 'accept',
    source: 'config',
    reason_type,
  });
  assert.equal(ran(byItself('rule')), 'Ran without a question: a rule allows it');
  assert.equal(ran(byItself('mode')), 'Ran without a question: the permission mode allows it');
  assert.equal(ran(byItself('subcommandResults')), 'Ran without a question');
  assert.equal(
    ran(undefined),
    'Ran without a question',
    'a CLI that asked nobody and tells nothing',
  );
  assert.equal(ran(undefined, true), undefined);
  assert.equal(ran({ decision: 'accept', source: 'user_temporary' }), undefined);
  const asked = call('AskUserQuestion', { questions: [] }, 'answered').tool('t1');
  assert.equal(asked.unasked, undefined, 'it is the question');
  const failed = call('Write', {}, 'no', { is_error: true }).tool('t1');
  assert.deepEqual([failed.state, failed.unasked], ['failed', undefined]);
});
