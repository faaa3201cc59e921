import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chat, assistantRow, resultRow, streamOf, toolUse, turnResult } from './chatHarness';

test('a prompt and its streamed answer become two items', () => {
  const chat = new Chat().prompt('hello');
  const stream = streamOf('m1');
  chat.cli(
    { type: 'system', subtype: 'init', model: 'claude-opus', permissionMode: 'default' },
    { type: 'system', subtype: 'status', status: 'requesting' },
  );
  assert.equal(chat.status, 'waitingForModel');
  chat.cli(stream.start(), stream.block(0, { type: 'text', text: '' }), stream.text(0, 'Hi '));
  assert.equal(chat.status, 'working');
  chat.cli(stream.text(0, 'there'));
  assert.deepEqual(chat.texts, ['Hi there']);
  chat.cli(
    assistantRow('m1', [{ type: 'text', text: 'Hi there' }]),
    stream.stopBlock(0),
    stream.stop(),
  );
  chat.cli(turnResult({ result: 'Hi there' }));
  assert.deepEqual(
    chat.items.map((item) => item.kind),
    ['user', 'assistant'],
  );
  assert.deepEqual(chat.texts, ['Hi there']);
  assert.equal(chat.blocks[0]?.kind === 'text' && chat.blocks[0].streaming, false);
  assert.equal(chat.status, 'idle');
});

test('many deltas between two frames are one patch, and a complete text is not sent again', () => {
  const chat = new Chat().prompt('x');
  const stream = streamOf('m1');
  chat.cli(stream.start(), stream.text(0, 'start '));
  chat.sync();
  for (let i = 0; i < 100; i += 1) chat.cli(stream.text(0, 'ab '));
  const patches = chat.model.takePatches();
  assert.deepEqual(
    patches.map(({ op }) => op),
    ['append'],
  );
  chat.cli(assistantRow('m1', [{ type: 'text', text: `start ${'ab '.repeat(100)}` }]));
  assert.deepEqual(
    chat.model.takePatches().map(({ op }) => op),
    ['finish'],
  );
});

test('listeners hear once when there is something to take', () => {
  const chat = new Chat();
  let heard = 0;
  chat.model.onDidChange(() => (heard += 1));
  chat.prompt('a').prompt('b');
  assert.equal(heard, 1);
  chat.model.takePatches();
  chat.prompt('c');
  assert.equal(heard, 2);
});

test('P08: text that was streamed and comes whole stands once, equal replies stand twice', () => {
  const chat = new Chat().prompt('x');
  for (const id of ['m1', 'm2']) {
    const stream = streamOf(id);
    chat.cli(stream.start(), stream.text(0, 'sa'), stream.text(0, 'me'), stream.text(0, ' reply'));
    chat.cli(stream.stop(), assistantRow(id, [{ type: 'text', text: 'same reply' }]));
  }
  assert.deepEqual(chat.texts, ['same reply', 'same reply']);
});

test('two equal texts in one message both stay', () => {
  const chat = new Chat().prompt('x');
  chat.cli(
    assistantRow('m1', [{ type: 'text', text: 'Look.' }]),
    assistantRow('m1', [toolUse('t1', 'Read', { file_path: '/ws/a' })]),
    assistantRow('m1', [{ type: 'text', text: 'Look.' }]),
  );
  assert.deepEqual(chat.texts, ['Look.', 'Look.']);
});

test('the whole text wins over a streamed one that differs', () => {
  const chat = new Chat().prompt('x');
  const stream = streamOf('m1');
  chat.cli(stream.start(), stream.text(0, 'tha answr'));
  chat.cli(assistantRow('m1', [{ type: 'text', text: 'the answer' }]));
  assert.deepEqual(chat.texts, ['the answer']);
  chat.cli(stream.text(0, ' late'));
  assert.deepEqual(chat.texts, ['the answer']);
});

test('U07: the answer stays when the whole message has another id, no block, or comes twice', () => {
  const otherId = new Chat().prompt('x');
  const stream = streamOf('m1');
  otherId.cli(stream.start(), stream.text(0, 'kept'), stream.stopBlock(0), stream.stop());
  otherId.cli(assistantRow('m-other', [{ type: 'text', text: 'kept' }]), turnResult());
  assert.deepEqual(otherId.texts, ['kept']);

  const noBlock = new Chat().prompt('x');
  noBlock.cli(stream.start(), stream.text(0, 'kept'), stream.stop());
  noBlock.cli(assistantRow('m1', []), turnResult({ result: 'kept' }));
  assert.deepEqual(noBlock.texts, ['kept']);

  const empty = new Chat().prompt('x');
  empty.cli(
    stream.start(),
    stream.text(0, 'kept'),
    assistantRow('m1', [{ type: 'text', text: '' }]),
  );
  assert.deepEqual(empty.texts, ['kept']);

  const twice = new Chat().prompt('x');
  const row = assistantRow('m1', [{ type: 'text', text: 'kept' }]);
  twice.cli(stream.start(), stream.text(0, 'kept'), stream.stop(), row, row);
  twice.cli(assistantRow('m1', [{ type: 'text', text: 'kept' }]), turnResult());
  assert.deepEqual(twice.texts, ['kept']);
  assert.equal(twice.assistants.length, 1);
});

test('U10: text between tool calls is prose, thinking is thinking', () => {
  const chat = new Chat().prompt('x');
  const stream = streamOf('m1');
  chat.cli(stream.start(), stream.block(0, { type: 'thinking', thinking: '' }));
  chat.cli(stream.thinking(0, 'hm'), stream.stopBlock(0));
  chat.cli(assistantRow('m1', [{ type: 'thinking', thinking: 'hm' }], { thinking_duration_ms: 7 }));
  const parts = [
    { type: 'text', text: 'one' },
    toolUse('t1', 'Read', { file_path: '/ws/a' }),
    { type: 'text', text: 'two' },
    toolUse('t2', 'Read', { file_path: '/ws/b' }),
    { type: 'text', text: 'three' },
  ];
  for (const part of parts) chat.cli(assistantRow('m1', [part]));
  assert.deepEqual(
    chat.blocks.map((block) => block.kind),
    ['thinking', 'text', 'tool', 'text', 'tool', 'text'],
  );
  assert.deepEqual(chat.texts, ['one', 'two', 'three']);
  assert.equal(chat.blocks[0]?.kind === 'thinking' && chat.blocks[0].durationMs, 7);
});

test('a streamed block for which no row came does not shift the ones after it', () => {
  const chat = new Chat().prompt('x');
  const stream = streamOf('m1');
  chat.cli(stream.start(), stream.block(0, { type: 'redacted_thinking', data: 'x' }));
  chat.cli(stream.text(1, 'answer'), assistantRow('m1', [{ type: 'text', text: 'answer' }]));
  assert.deepEqual(chat.texts, ['answer']);
});

test('T06: what is not known is skipped and what stands beside it is shown', () => {
  const chat = new Chat().prompt('x');
  chat.cli(
    { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } },
    { type: 'tool_progress', tool_use_id: 't1' },
    { type: 'zz_new' },
    { type: 'system', subtype: 'zz' },
    {
      type: 'assistant',
      message: { id: 'm2', content: [{ type: 'zz_block' }, { type: 'text', text: 'ok' }] },
    },
    {
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 9, delta: { type: 'zz_delta' } },
    },
    { type: 'stream_event', event: { type: 'zz_event' } },
  );
  assert.deepEqual(chat.texts, ['ok']);
  assert.equal(chat.items.length, 2);
});

test('a stream that was cut is thrown away when the CLI tries again', () => {
  const chat = new Chat().prompt('x');
  const cut = streamOf('m1');
  chat.cli(cut.start(), cut.text(0, 'partial '), cut.block(1, toolUse('t1', 'Bash', {})));
  chat.cli(cut.stopBlock(0), cut.stop());
  assert.equal(chat.blocks.length, 2);
  chat.cli({ type: 'system', subtype: 'api_retry', attempt: 1, retry_delay_ms: 500 });
  assert.deepEqual(
    chat.items.map((item) => item.kind),
    ['user'],
  );
  const reason = 'The connection to the API was lost.';
  const retry = { at: 1_000_500, reason, attempt: 1 };
  assert.deepEqual(chat.state.status, { kind: 'retrying', retry });
  const again = streamOf('m2');
  chat.cli(again.start(), again.text(0, 'partial and whole'));
  chat.cli(assistantRow('m2', [{ type: 'text', text: 'partial and whole' }]), turnResult());
  assert.deepEqual(chat.texts, ['partial and whole']);
  assert.equal(chat.status, 'idle');
});

test('a retry keeps blocks that a whole row confirmed', () => {
  const chat = new Chat().prompt('x');
  const stream = streamOf('m1');
  chat.cli(
    stream.start(),
    stream.text(0, 'sure'),
    assistantRow('m1', [{ type: 'text', text: 'sure' }]),
  );
  chat.cli(stream.text(1, 'unsure'), { type: 'system', subtype: 'api_retry', retry_delay_ms: 1 });
  assert.deepEqual(chat.texts, ['sure']);
});

test('one assistant item between two prompts, another for a turn that nobody asked for', () => {
  const chat = new Chat().prompt('one');
  chat.cli(
    assistantRow('m1', [{ type: 'text', text: 'a' }]),
    assistantRow('m2', [{ type: 'text', text: 'b' }]),
  );
  chat.cli(turnResult());
  chat.cli({ type: 'system', subtype: 'init' });
  assert.equal(chat.status, 'waitingForModel');
  chat.cli(assistantRow('m3', [{ type: 'text', text: 'by itself' }]), turnResult());
  chat.prompt('two');
  chat.cli(assistantRow('m4', [{ type: 'text', text: 'c' }]), turnResult());
  assert.deepEqual(
    chat.items.map((item) => item.kind),
    ['user', 'assistant', 'assistant', 'user', 'assistant'],
  );
  assert.deepEqual(
    chat.assistants.map((item) => item.blocks.length),
    [2, 1, 1],
  );
});

test('a prompt that is folded into the running turn splits the answer in two items', () => {
  const chat = new Chat().prompt('one');
  chat.cli(assistantRow('m1', [toolUse('t1', 'Bash', { command: 'true' })]));
  chat.apply({ type: 'promptSubmitted', id: 'q', text: 'and this' });
  chat.cli(
    resultRow('t1', 'done'),
    assistantRow('m2', [{ type: 'text', text: 'both' }]),
    turnResult(),
  );
  assert.deepEqual(
    chat.items.map((item) => item.kind),
    ['user', 'assistant', 'user', 'assistant'],
  );
  assert.equal(chat.tool('t1').state, 'done');
});

test('a prompt for the running turn waits until the CLI has taken it up', () => {
  const chat = new Chat().prompt('one');
  chat.apply({ type: 'promptSubmitted', id: 'q', text: 'and this', wireId: 'w', waits: true });
  assert.deepEqual(chat.state.items.at(-1), {
    ...{ kind: 'user', id: 'q', text: 'and this', wireId: 'w', waits: true },
  });
  chat.apply({ type: 'promptTaken', id: 'q' }, { type: 'promptTaken', id: 'gone' });
  assert.deepEqual(chat.state.items.at(-1), {
    ...{ kind: 'user', id: 'q', text: 'and this', wireId: 'w' },
  });
});

test('a prompt that is submitted twice stands once', () => {
  const chat = new Chat().prompt('one', 'id').prompt('one', 'id');
  assert.equal(chat.items.length, 1);
});

test('the first line of the first prompt is the title until the CLI names it', () => {
  const chat = new Chat().prompt(`\n  ${'word '.repeat(30)}\nsecond line`);
  assert.equal(chat.state.title.length <= 60, true);
  assert.ok(chat.state.title.startsWith('word word'));
  assert.ok(chat.state.title.endsWith('…'));
  chat.prompt('later');
  chat.cli({ type: 'system', subtype: 'session_title_changed', title: 'Named' });
  assert.equal(chat.state.title, 'Named');
  chat.apply({ type: 'cleared' });
  assert.equal(chat.state.title, '');
  assert.equal(chat.prompt('fresh').state.title, 'fresh');
});

test('cards, Stop and phase lie over each other and the topmost is shown', () => {
  const chat = new Chat().prompt('x');
  const card = {
    id: 'c1',
    toolName: 'Bash',
    title: 'Run',
    body: 'ls',
    bodyKind: 'command',
  } as const;
  chat.cli(assistantRow('m1', [toolUse('t1', 'Bash', { command: 'ls' })]));
  chat.apply({ type: 'permissionRequested', card: { ...card, toolUseId: 't1' } });
  assert.equal(chat.status, 'waitingForPermission');
  chat.apply({
    type: 'permissionRequested',
    card: { ...card, id: 'c2', toolName: 'AskUserQuestion' },
  });
  assert.equal(chat.state.permissions.length, 2);
  chat.apply({ type: 'permissionSettled', cardId: 'c1', outcome: 'allowed' });
  assert.equal(chat.status, 'waitingForAnswer');
  chat.apply({ type: 'stopRequested' });
  assert.equal(chat.status, 'stopping');
  chat.apply({ type: 'permissionSettled', cardId: 'c2', outcome: 'withdrawn' });
  assert.equal(chat.status, 'stopping');
  chat.apply({ type: 'stopFailed' });
  assert.equal(chat.status, 'working');
  chat.cli(turnResult());
  assert.equal(chat.status, 'idle');
  chat.apply({ type: 'stopRequested' });
  assert.equal(chat.status, 'idle');
});

test('a process that ends leaves what was shown, cancels what ran and says what failed', () => {
  const chat = new Chat();
  chat.apply({ type: 'cliStarting' });
  assert.equal(chat.status, 'starting');
  chat.apply({
    type: 'cliReady',
    models: [{ id: 'opus', label: 'Opus' }],
    model: 'opus',
    toolCount: 4,
  });
  assert.equal(chat.status, 'idle');
  assert.equal(chat.state.toolCount, 4);
  chat.prompt('x');
  const stream = streamOf('m1');
  chat.cli(assistantRow('m0', [toolUse('t1', 'Bash', { command: 'sleep 9' })]));
  chat.cli(stream.start(), stream.text(0, 'half an ans'));
  chat.apply({
    type: 'cliExited',
    error: { message: 'The CLI ended.', kept: 'All is kept.', actions: ['retry'] },
  });
  assert.deepEqual(chat.texts, ['half an ans']);
  assert.equal(chat.tool('t1').state, 'cancelled');
  assert.equal(chat.errors[0]?.message, 'The CLI ended.');
  assert.equal(chat.status, 'notConnected');
  assert.ok(chat.blocks.every((block) => block.kind === 'tool' || !block.streaming));
  chat.apply({ type: 'itemRemoved', id: chat.errors[0].id }, { type: 'cliStarting' });
  assert.equal(chat.errors.length, 0);
});

test('fields can become undefined on the way through JSON', () => {
  const chat = new Chat();
  chat.apply({ type: 'fields', fields: { notice: 'Offline model' } });
  assert.equal(chat.state.notice, 'Offline model');
  chat.apply({ type: 'fields', fields: { notice: undefined } });
  assert.equal(chat.state.notice, undefined);
});

test('a field that goes is told as such, since JSON has no word for it', () => {
  const chat = new Chat();
  const selection = { id: 's1', label: 'a:1', place: 'a:1', isOn: true, isLong: false };
  const some = {
    ...{ notice: 'x', selection, pins: ['a1'], folders: { folders: [] } },
    setUp: { lacks: 'cli', message: 'x' },
    side: [{ id: 'q1', question: 'x', state: 'asking' }],
  } as const;
  chat.apply({ type: 'fields', fields: some });
  chat.model.takePatches();
  const none = {
    ...{ notice: undefined, selection: undefined, pins: undefined, folders: undefined },
    ...{ setUp: undefined, side: undefined },
  };
  chat.apply({ type: 'fields', fields: none });
  const [patch] = chat.model.takePatches();
  assert.ok(patch?.op === 'set');
  assert.deepEqual([...(patch.unset ?? [])].sort(), Object.keys(some).sort());
});
