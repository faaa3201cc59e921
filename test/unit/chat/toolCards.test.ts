import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImageShelf } from '../../../src/chat/imageShelf';
import { resultTable } from '../../../src/chat/resultTable';
import { RESULT_TEXT_LIMIT, type ToolBlock } from '../../../src/chat/viewStateProtocol';
import { Chat, assistantRow, resultRow, toolUse } from './chatHarness';

function call(name: string, input: unknown, content: unknown, extra = {}): ToolBlock {
  const chat = new Chat().prompt('x').cli(assistantRow('m1', [toolUse('t1', name, input)]));
  return chat.cli(resultRow('t1', content, extra)).tool('t1');
}
const found = (tool_use_result: unknown) => ({ tool_use_result });

test('a command stands whole above its output, of which the end is kept', () => {
  const printed = Array.from({ length: 9000 }, (_, n) => `line ${n}`).join('\n');
  const long = call('Bash', { command: 'make\n  all', description: 'Builds' }, printed);
  assert.deepEqual(long.subject, { kind: 'command', text: 'make\n  all', detail: 'Builds' });
  assert.ok(long.result);
  assert.ok(long.result.text.endsWith('\nline 8999'));
  assert.match(long.result.text, /^line \d+\n/);
  assert.ok(long.result.text.length <= RESULT_TEXT_LIMIT);
  assert.deepEqual(
    [long.result.isEnd, long.result.lines, long.result.size],
    [true, 9000, printed.length],
  );
  // The CLI gives the model a preview of what is longer, and keeps more in its account.
  const kept = call('Bash', { command: 'x' }, '<persisted-output>\nOutput too large', {
    ...found({ stdout: `${'y'.repeat(200)}\nend` }),
  });
  assert.equal(kept.result?.text, `${'y'.repeat(200)}\nend`);
  const quiet = call('Bash', { command: 'grep x' }, '', {
    ...found({ stdout: '', returnCodeInterpretation: 'No matches found' }),
  });
  assert.deepEqual([quiet.figure, quiet.result?.ending], ['no output', 'No matches found']);
});

test('what hides in a command is made visible', () => {
  const tool = call('Bash', { command: 'echo \u202Ex' }, 'x');
  assert.equal(tool.subject?.text, 'echo \\u202Ex');
});

test('a file that was read is named with its range', () => {
  const file = { content: 'a\nb\n', numLines: 2, startLine: 10, totalLines: 300 };
  const input = { file_path: '/ws/src/a.ts', offset: 10, limit: 2 };
  const chat = new Chat().prompt('x').cli(assistantRow('m1', [toolUse('t1', 'Read', input)]));
  assert.deepEqual(chat.tool('t1').subject, {
    kind: 'file',
    text: 'src/a.ts',
    href: '/ws/src/a.ts:10',
    detail: 'lines 10–11',
  });
  chat.cli(resultRow('t1', '10\ta\n11\tb', found({ type: 'text', file })));
  assert.equal(chat.tool('t1').subject?.detail, 'lines 10–11 of 300');
  const whole = call(
    'Read',
    { file_path: '/ws/a' },
    'a',
    found({ file: { ...file, startLine: 1, totalLines: 2 } }),
  );
  assert.equal(whole.subject?.detail, undefined);
});

test('searches say their pattern, where they looked, and how much they found', () => {
  const grep = call(
    'Grep',
    { pattern: 'calc.*', path: '/ws/src', glob: '*.ts' },
    'src/a.ts:1:calc',
    {
      ...found({ mode: 'content', numFiles: 0, numLines: 12, content: '…', totalFiles: 5 }),
    },
  );
  assert.deepEqual(grep.subject, { kind: 'pattern', text: 'calc.*', detail: 'in src, *.ts' });
  assert.equal(grep.figure, '12 matches in 5 files');
  const figure = (name: string, data: unknown, text = 'x') =>
    call(name, { pattern: 'p' }, text, found(data)).figure;
  assert.equal(figure('Grep', { mode: 'files_with_matches', numFiles: 1 }), '1 file');
  assert.equal(figure('Grep', { mode: 'count', numMatches: 1, numFiles: 1 }), '1 match in 1 file');
  assert.equal(figure('Grep', { numFiles: 0, filenames: [] }), 'no matches');
  assert.equal(figure('Grep', undefined, 'Found 3 files\na\nb\nc'), '3 files');
  assert.equal(figure('Glob', { numFiles: 2, truncated: false }), '2 files');
  assert.equal(figure('Glob', { numFiles: 100, truncated: true }), 'more than 100 files');
  assert.equal(figure('Glob', { numFiles: 100, totalMatches: 412 }), '100 of 412 files');
  assert.equal(figure('Glob', undefined, 'No files found'), 'no matches');
});

test('a changed cell of a notebook is a change', () => {
  const cell = { notebook_path: '/ws/a.ipynb', edit_mode: 'replace' };
  const tool = call('NotebookEdit', { notebook_path: '/ws/a.ipynb', new_source: 'b' }, 'ok', {
    ...found({ ...cell, old_source: 'a\nx', new_source: 'b\nx' }),
  });
  assert.deepEqual([tool.figure, tool.diff?.path], ['+1 −1', 'a.ipynb']);
  const added = call('NotebookEdit', { notebook_path: '/ws/a.ipynb' }, 'ok', {
    ...found({ ...cell, edit_mode: 'insert', old_source: 'other', new_source: 'new' }),
  });
  assert.equal(added.figure, '+1 −0');
});

test('what was found in the web are links, of the web only', () => {
  const content = [
    { title: 'Docs', url: 'https://example.com/docs' },
    { title: '', url: 'http://example.com/' },
    { title: 'Trap', url: 'javascript:alert(1)' },
    { title: 'Other', url: 'command:workbench.action.terminal.new' },
  ];
  const results = ['Some words', { tool_use_id: 'srv', content }];
  const tool = call('WebSearch', { query: 'preact signals' }, 'Links: …', found({ results }));
  assert.deepEqual(tool.links, [
    { title: 'Docs', url: 'https://example.com/docs' },
    { title: 'http://example.com/', url: 'http://example.com/' },
  ]);
  assert.equal(tool.figure, '4 results');
  const page = call('WebFetch', { url: 'https://example.com' }, '# Title', {
    ...found({ code: 200, bytes: 12_300, result: '# Title' }),
  });
  assert.deepEqual(page.subject, {
    kind: 'url',
    text: 'https://example.com',
    href: 'https://example.com',
  });
  assert.deepEqual([page.figure, page.result?.isMarkdown], ['200 · 12 KB', true]);
});

test('a list of to-dos is live: it stands at its latest row', () => {
  const chat = new Chat().prompt('x');
  const todos = (...states: string[]) => ({
    todos: states.map((status, n) => ({ content: `Do ${n}`, status, activeForm: `Doing ${n}` })),
  });
  chat.cli(assistantRow('m1', [toolUse('t1', 'TodoWrite', todos('in_progress', 'pending'))]));
  assert.deepEqual(chat.tool('t1').todos, {
    entries: [
      { text: 'Doing 0', state: 'active' },
      { text: 'Do 1', state: 'pending' },
    ],
    isLatest: true,
  });
  chat.cli(resultRow('t1', 'Todos have been modified'));
  assert.deepEqual(
    [chat.tool('t1').title, chat.tool('t1').summary, chat.tool('t1').figure],
    ['To-dos', 'Doing 0', '0 of 2 done'],
  );
  chat.cli(
    assistantRow('m2', [toolUse('t2', 'TodoWrite', todos('completed', 'in_progress'))]),
    resultRow('t2', 'ok'),
    // A subagent has a list of its own.
    assistantRow('m3', [toolUse('A', 'Agent', { description: 'look' })]),
    assistantRow('s1', [toolUse('t3', 'TodoWrite', todos('pending'))], { parent_tool_use_id: 'A' }),
  );
  assert.deepEqual(
    ['t1', 't2', 't3'].map((id) => chat.tool(id).todos?.isLatest),
    [false, true, true],
  );
  assert.equal(chat.tool('t2').figure, '1 of 2 done');
});

test('to-dos that are made and changed one by one make the same list', () => {
  const chat = new Chat().prompt('x');
  const step = (id: string, name: string, input: object, data: object) =>
    chat.cli(assistantRow(`m${id}`, [toolUse(id, name, input)]), resultRow(id, 'ok', found(data)));
  step('t1', 'TaskCreate', { subject: 'Read' }, { task: { id: '1', subject: 'Read' } });
  step('t2', 'TaskCreate', { subject: 'Write' }, { task: { id: '2', subject: 'Write' } });
  step('t3', 'TaskUpdate', { taskId: '1', status: 'completed' }, { success: true, taskId: '1' });
  assert.deepEqual(chat.tool('t3').todos?.entries, [
    { text: 'Read', state: 'done' },
    { text: 'Write', state: 'pending' },
  ]);
  assert.deepEqual([chat.tool('t3').summary, chat.tool('t3').figure], ['Read', '1 of 2 done']);
  assert.equal(chat.tool('t2').todos?.isLatest, false);
  step('t4', 'TaskUpdate', { taskId: '2', status: 'deleted' }, { success: true, taskId: '2' });
  assert.equal(chat.tool('t4').todos?.entries.length, 1);
  step('t5', 'TaskUpdate', { taskId: '9', status: 'completed' }, { success: true, taskId: '9' });
  assert.equal(chat.tool('t5').todos, undefined);
  const tasks = [{ id: '7', subject: 'Look', status: 'in_progress', blockedBy: [] }];
  step('t6', 'TaskList', {}, { tasks });
  assert.deepEqual(chat.tool('t6').todos?.entries, [{ text: 'Look', state: 'active' }]);
});

test('an odd list of to-dos is shown as far as it goes', () => {
  for (const todos of [null, 'x', [null, 5, {}], [{ content: 7, status: 'zz' }]]) {
    assert.equal(call('TodoWrite', { todos }, 'ok').state, 'done');
  }
  const many = Array.from({ length: 500 }, (_, n) => ({ content: `${n}`, status: 'pending' }));
  const { todos } = call('TodoWrite', { todos: many }, 'ok');
  assert.deepEqual([todos?.entries.length, todos?.more], [100, 400]);
});

test('a list of flat records is a table, everything else is text', () => {
  const rows = [
    { name: 'a', size: 1, ok: true },
    { name: 'b\nc', size: null, extra: 'x' },
  ];
  const text = JSON.stringify(rows);
  assert.deepEqual(call('mcp__shop__list', {}, text).result?.table, {
    columns: ['name', 'size', 'ok', 'extra'],
    rows: [
      ['a', '1', 'true', ''],
      ['b c', '', '', 'x'],
    ],
  });
  assert.equal(call('mcp__shop__list', {}, text, { is_error: true }).result?.table, undefined);
  for (const none of [
    '[]',
    '[1]',
    '{"a":1}',
    '[{"a":[1]}]',
    '[{"a":1',
    '[{"a":1},2]',
    '[{}]',
    'x',
    '[{"id":9007199254740993}]',
    '[{"id":-12345678901234567890}]',
  ]) {
    assert.equal(resultTable(none), undefined, none);
  }
  const long = resultTable(JSON.stringify(Array.from({ length: 300 }, (_, a) => ({ a }))));
  assert.deepEqual([long?.rows.length, long?.moreRows], [100, 200]);
  const wide = JSON.stringify([Object.fromEntries(Array.from({ length: 13 }, (_, n) => [n, n]))]);
  assert.equal(resultTable(wide), undefined);
  const table = '2 files\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |';
  assert.equal(call('mcp__shop__list', {}, table).result?.isMarkdown, true);
  assert.equal(call('mcp__shop__list', {}, 'a | b').result?.isMarkdown, undefined);
});

test('pictures are kept beside the state, the oldest go when it is too much', () => {
  const data = 'QUJD'.repeat(10);
  const part = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const chat = new Chat().prompt('x').cli(assistantRow('m1', [toolUse('t1', 'Read', {})]));
  chat.cli(resultRow('t1', [part, part]));
  assert.ok(!JSON.stringify(chat.state).includes(data));
  assert.deepEqual(chat.model.image('t1', 1), { mediaType: 'image/png', data });
  assert.equal(chat.model.image('t1', 2), undefined);
  assert.equal(chat.model.image('t2', 0), undefined);
  const shelf = new ImageShelf(100);
  shelf.put('a', [{ mediaType: 'image/png', data: 'x'.repeat(60) }]);
  shelf.put('b', [{ mediaType: 'image/png', data: 'x'.repeat(60) }]);
  assert.deepEqual([shelf.get('a', 0), shelf.get('b', 0)?.data.length], [undefined, 60]);
});

test('a call has the time of its beginning for as long as it runs', () => {
  const chat = new Chat()
    .prompt('x')
    .cli(assistantRow('m1', [toolUse('t1', 'Bash', { command: 'x' })]));
  assert.equal(chat.tool('t1').startedAt, chat.time);
  chat.time += 60_000;
  chat.apply({ type: 'permissionSettled', cardId: 'c', toolUseId: 't1', outcome: 'allowed' });
  assert.equal(chat.tool('t1').startedAt, chat.time);
  chat.cli(resultRow('t1', 'ok'));
  assert.equal(chat.tool('t1').startedAt, undefined);
});

test('300 calls in a turn and a result of 5 MB leave the state small', () => {
  const chat = new Chat().prompt('x');
  for (let n = 0; n < 300; n += 1) {
    chat.cli(
      assistantRow(`m${n}`, [toolUse(`t${n}`, 'Bash', { command: `run ${n}` })]),
      resultRow(`t${n}`, n === 299 ? 'z'.repeat(5_000_000) : `out ${n}`),
    );
  }
  assert.equal(chat.tools.length, 300);
  assert.equal(chat.tool('t299').result?.size, 5_000_000);
  assert.ok(JSON.stringify(chat.state).length < 250_000);
});
