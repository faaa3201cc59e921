import assert from 'node:assert/strict';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readConversationFile } from '../../../src/sessions/conversationFile';
import { projectFolderName } from '../../../src/sessions/conversationPath';
import {
  answer,
  attachment,
  call,
  CWD,
  outline,
  prompt,
  read,
  result,
  session,
  SESSION,
} from './sessionFixture';

test('a folder is named by its letters and digits', () => {
  assert.equal(projectFolderName('/tmp/ws.dot_x é-5X'), '-tmp-ws-dot-x---5X');
});

test('the chain is followed through records of every kind, and branches beside it are left out', async (t) => {
  const stored = await read(t, [
    { type: 'queue-operation', operation: 'enqueue', content: 'one' },
    prompt('u1', null, 'one'),
    attachment('x1', 'u1'),
    { type: 'system', subtype: 'unheard_of', uuid: 's1', parentUuid: 'x1' },
    { type: 'a-kind-of-tomorrow', uuid: 'k1', parentUuid: 's1' },
    answer('a1', 'k1', 'first'),
    prompt('u2', 'a1', 'a branch'),
    answer('a2', 'u2', 'never drawn'),
    prompt('u3', 'a1', 'two'),
    answer('a3', 'u3', 'second'),
  ]);
  assert.deepEqual(outline(stored), [
    'user: one',
    'assistant: first',
    'user: two',
    'assistant: second',
  ]);
  assert.equal(stored?.isInterrupted, false);
});

test('a selection that went with a prompt is known by its place and its words', async (t) => {
  const block = (text: string) => ({ type: 'text', text });
  const attached = (marks: string, text: string) =>
    block(`<attached ${marks}>\n${text}\n</attached>`);
  const stored = await read(t, [
    prompt('u1', null, [
      attached('selection_in="src/a.ts" lines="3-4"', 'one\n</attached>\ntwo'),
      block('explain'),
    ]),
    answer('a1', 'u1', 'done'),
    prompt('u2', 'a1', [attached('file="src/a.ts" lines="1"', 'x'), block('and @src/a.ts:1')]),
    prompt('u3', 'u2', [attached('selection_in="b.ts" lines="7"', 'y'), block('this?')]),
  ]);
  assert.deepEqual(outline(stored), [
    'user: explain',
    'assistant: done',
    'user: and @src/a.ts:1',
    'user: this?',
  ]);
  const selections = stored?.messages.map((row) =>
    'selection' in row ? row.selection : undefined,
  );
  assert.deepEqual(selections, [
    { path: 'src/a.ts', from: 3, to: 4, text: 'one\n</attached>\ntwo' },
    undefined,
    undefined,
    { path: 'b.ts', from: 7, to: 7, text: 'y' },
  ]);
});

test('of two branches that two processes wrote, the one that the last mark names is drawn', async (t) => {
  const lines = [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', 'first'),
    prompt('u2', 'a1', 'mine'),
    answer('a2', 'u2', 'to me'),
    prompt('u3', 'a1', 'theirs'),
    answer('a3', 'u3', 'to them'),
  ];
  const mark = (leafUuid: string) => ({ type: 'last-prompt', leafUuid });
  assert.equal(outline(await read(t, lines)).at(-1), 'assistant: to them');
  assert.equal(outline(await read(t, [...lines, mark('a2')])).at(-1), 'assistant: to me');
  // A mark that lags behind on the same branch hides nothing.
  assert.equal(outline(await read(t, [...lines, mark('u3')])).at(-1), 'assistant: to them');
  assert.equal(outline(await read(t, [...lines, mark('nobody')])).at(-1), 'assistant: to them');
});

test('calls of one message that ran side by side are all there, with their results', async (t) => {
  const message = { id: 'm1' };
  const stored = await read(t, [
    prompt('u1', null, 'go'),
    answer('a1', 'u1', call('A'), message),
    answer('a2', 'a1', call('B'), message),
    answer('a3', 'a2', call('C'), message),
    result('r2', 'a2', 'B', 'b', { sourceToolAssistantUUID: 'a2' }),
    result('r3', 'a3', 'C', 'c', { sourceToolAssistantUUID: 'a3' }),
    result('r1', 'a1', 'A', 'a', { sourceToolAssistantUUID: 'a1' }),
    answer('a4', 'r1', 'done'),
  ]);
  assert.deepEqual(outline(stored), [
    'user: go',
    'assistant: call A',
    'assistant: call B',
    'assistant: call C',
    'user: result B',
    'user: result C',
    'user: result A',
    'assistant: done',
  ]);
});

test('a line torn by a kill is passed over, at the end and in the middle', async (t) => {
  const whole = [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', 'first'),
    attachment('x1', 'a1'),
    prompt('u2', 'x1', 'two'),
    answer('a2', 'u2', 'second'),
  ];
  const all = outline(await read(t, whole));
  assert.equal(all.length, 4);
  const torn = JSON.stringify(answer('a9', 'a2', 'torn')).slice(0, -7);
  const last = await read(t, [...whole, torn], '');
  assert.deepEqual([outline(last), last?.brokenLines], [all, 1]);
  const middle = await read(t, [
    ...whole.slice(0, 2),
    '{"type":"attachment","uuid":"x1","par',
    ...whole.slice(3),
  ]);
  assert.deepEqual([outline(middle), middle?.brokenLines], [all, 1]);
});

test('an empty file, one of rubbish and one of other things are conversations in which nothing was said', async (t) => {
  for (const lines of [
    [],
    ['not json', '7', 'null', '[]', '{}'],
    [{ type: 'mode', mode: 'normal' }],
  ]) {
    const stored = await read(t, lines, '');
    assert.deepEqual([stored?.messages, stored?.isInterrupted], [[], false]);
  }
});

test('a chain that runs in a circle ends', async (t) => {
  const stored = await read(t, [prompt('u1', 'a1', 'one'), answer('a1', 'u1', 'first')]);
  assert.deepEqual(outline(stored), ['user: one', 'assistant: first']);
});

test('rows that the CLI wrote for itself or for the model are not drawn', async (t) => {
  const filler = { model: '<synthetic>', stop_reason: 'stop_sequence' };
  const stored = await read(t, [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', 'No response requested.', filler),
    prompt('u2', 'a1', '<local-command-caveat>x</local-command-caveat>', { isMeta: true }),
    prompt('u3', 'u2', 'A summary of it all', { isCompactSummary: true }),
    prompt('u4', 'u3', 'two'),
    answer('a2', 'u4', 'second'),
    answer('a3', 'a2', 'some synthetic words', filler),
    answer('a4', 'a3', 'of a helper', {}),
    { ...answer('s1', 'a2', 'sidechain'), isSidechain: true },
  ]);
  assert.deepEqual(outline(stored), [
    'user: one',
    'interrupted',
    'user: two',
    'assistant: second',
    'assistant: of a helper',
  ]);
});

test('a turn whose answer never came is interrupted; one that was stopped or failed is not', async (t) => {
  const start = [prompt('u1', null, 'one')];
  const stop = '[Request interrupted by user for tool use]';
  const failed = {
    ...answer('a1', 'u1', 'No such model'),
    isApiErrorMessage: true,
    apiErrorStatus: 404,
  };
  const cases = [
    [start, true],
    [[...start, answer('a1', 'u1', call('A'))], true],
    [[...start, answer('a1', 'u1', call('A')), result('r1', 'a1', 'A', 'a')], true],
    [[...start, answer('a1', 'u1', 'all said')], false],
    [[...start, answer('a1', 'u1', call('A')), prompt('u2', 'a1', stop)], false],
    [[...start, failed], false],
  ] as const;
  for (const [lines, expected] of cases) {
    assert.equal((await read(t, lines))?.isInterrupted, expected, JSON.stringify(lines.at(-1)));
  }
});

test('of a message with what it names only the words of the person come back', async (t) => {
  const text = (words: string) => ({ type: 'text', text: words });
  const marks = '<command-name>/notes:plan</command-name>\n<command-args>id=milk</command-args>';
  const stored = await read(t, [
    prompt('u1', null, [
      text('<attached server="notes" uri="note://milk">\nBuy <b>milk</b>\n</attached>'),
      text('see @notes:note://milk'),
    ]),
    answer('a1', 'u1', 'seen'),
    prompt('u2', 'a1', [text(marks), text('Plan 8 hours around milk')]),
    // Of a file: its text is a row of its own.
    prompt('u3', 'u2', `<command-message>notes:plan</command-message>\n${marks}`),
    prompt('u4', 'u3', [text('Plan around milk')], { isMeta: true }),
  ]);
  assert.deepEqual(outline(stored), [
    'user: see @notes:note://milk',
    'assistant: seen',
    'user: /notes:plan id=milk',
    'user: /notes:plan id=milk',
  ]);
  assert.equal(stored?.isInterrupted, true, 'a prompt of a server waits for the model');
});

test('pictures of the person come back, those pasted in a terminal too, and none of a resource', async (t) => {
  const image = (data: string) => ({ type: 'image', source: { type: 'base64', data } });
  const words = (text: string) => ({ type: 'text', text });
  const stored = await read(t, [
    prompt('u1', null, [image('front'), words('ours'), image('of a resource')]),
    prompt('u2', 'u1', [words('a terminal’s'), image('one'), image('two')], {
      imagePasteIds: [4, 5],
    }),
    prompt('u3', 'u2', [words('@server:one'), image('of a resource')]),
    answer('a1', 'u3', 'seen'),
  ]);
  const pictures = stored?.messages.flatMap((message) =>
    'pictures' in message ? [message.pictures.map(({ data }) => data)] : [],
  );
  assert.deepEqual(pictures, [['front'], ['one', 'two']]);
});

test('commands, steering, compaction and reports of background tasks come back as they were said', async (t) => {
  const command = '<command-name>/usage</command-name>\n<command-args>week</command-args>';
  const report =
    '<task-notification><tool-use-id>T</tool-use-id><status>completed</status></task-notification>';
  const stored = await read(t, [
    prompt('u1', null, 'one'),
    {
      ...attachment('x1', 'u1'),
      attachment: {
        type: 'queued_command',
        prompt: 'also',
        source_uuid: 'wire',
        commandMode: 'prompt',
      },
    },
    answer('a1', 'x1', 'first'),
    prompt('u2', 'a1', report, { origin: { kind: 'task-notification' } }),
    prompt('u3', 'u2', command),
    {
      type: 'system',
      subtype: 'local_command',
      uuid: 's1',
      parentUuid: 'u3',
      content: '<local-command-stdout>3 $</local-command-stdout>',
    },
    {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 's2',
      parentUuid: null,
      logicalParentUuid: 's1',
      compactMetadata: { trigger: 'manual', preTokens: 9, postTokens: 3 },
    },
    prompt('u4', 's2', '<command-name>/compact</command-name>'),
    prompt('u5', 'u4', 'two'),
    answer('a2', 'u5', 'second'),
  ]);
  assert.deepEqual(outline(stored), [
    'user: one',
    'user: also',
    'assistant: first',
    'system',
    'user: /usage week',
    'assistant: 3 $',
    'user: /compact',
    'system',
    'user: two',
    'assistant: second',
  ]);
  const also = stored?.messages[1];
  assert.equal(also?.type === 'user' && also.uuid, 'wire', 'the id under which it was sent');
});

test('a file in a folder of the same name that tells another folder is somebody else’s', async (t) => {
  const lines = [prompt('u1', null, 'one', { cwd: '/tmp/ws-dot-x---5X' })];
  const { configFolder } = await session(t, lines);
  const key = { configFolder, cwd: CWD, sessionId: SESSION };
  assert.equal(await readConversationFile(key), undefined);
  assert.ok(await readConversationFile({ ...key, cwd: '/tmp/ws-dot-x---5X' }));
});

test('a conversation is found by its id where its folder has another name', async (t) => {
  const { configFolder, folder } = await session(t, [prompt('u1', null, 'one')]);
  await rename(folder, path.join(path.dirname(folder), '-a-name-cut-short-abc123'));
  const stored = await readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION });
  assert.deepEqual(outline(stored), ['user: one']);
});

test('what is no session id, no file or not there gives nothing', async (t) => {
  const { configFolder, folder } = await session(t, [prompt('u1', null, 'one')]);
  const key = { configFolder, cwd: CWD };
  await mkdir(path.join(folder, '99999999-2222-3333-4444-555555555555.jsonl'));
  for (const sessionId of ['../../etc/passwd', '', '99999999-2222-3333-4444-555555555555']) {
    assert.equal(await readConversationFile({ ...key, sessionId }), undefined);
  }
  assert.equal(
    await readConversationFile({ configFolder: '/nonexistent', cwd: CWD, sessionId: SESSION }),
    undefined,
  );
});

test('the last title wins', async (t) => {
  const title = (customTitle: string) => ({ type: 'custom-title', customTitle });
  const stored = await read(t, [prompt('u1', null, 'one'), title('Old'), title('New')]);
  assert.equal(stored?.title, 'New');
});

test('calls of a subagent stand behind the call that started it, without its own words', async (t) => {
  const { configFolder, folder } = await session(t, [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', call('T')),
    result('r1', 'a1', 'T', 'report'),
    answer('a2', 'r1', 'done'),
  ]);
  const agents = path.join(folder, SESSION, 'subagents');
  await mkdir(agents, { recursive: true });
  const rows = [
    prompt('p', null, 'Do it'),
    answer('b1', 'p', call('S')),
    result('b2', 'b1', 'S', 's'),
    answer('b3', 'b2', 'words'),
  ];
  const side = rows.map((row) => JSON.stringify({ ...row, isSidechain: true })).join('\n');
  await writeFile(path.join(agents, 'agent-1.jsonl'), side);
  await writeFile(path.join(agents, 'agent-1.meta.json'), '{"toolUseId":"T"}');
  await writeFile(path.join(agents, 'agent-2.meta.json'), '{"toolUseId":"T"}');
  await writeFile(path.join(agents, 'agent-3.meta.json'), 'torn');
  const stored = await readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION });
  assert.deepEqual(outline(stored), [
    'user: one',
    'assistant: call T',
    'assistant: call S',
    'user: result S',
    'user: result T',
    'assistant: done',
  ]);
  const inner = stored?.messages[2];
  assert.equal(inner?.type === 'assistant' && inner.parent_tool_use_id, 'T');
});

test('a long file, nearly all of it the CLI’s own records, is read in little memory', async (t) => {
  const lines = [prompt('u0', null, 'begin')];
  for (let i = 0; i < 1200; i += 1) {
    lines.push(attachment(`x${i}`, i === 0 ? 'u0' : `a${i - 1}`, 64_000));
    lines.push(answer(`a${i}`, `x${i}`, `answer ${i}`));
  }
  const { configFolder, file } = await session(t, lines);
  lines.length = 0;
  const before = process.memoryUsage();
  let peak = 0;
  const sample = setInterval(() => {
    const now = process.memoryUsage();
    peak = Math.max(peak, now.heapUsed + now.external - before.heapUsed - before.external);
  }, 2);
  const stored = await readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION });
  clearInterval(sample);
  assert.ok((stored?.size ?? 0) > 76_000_000, file);
  assert.equal(stored?.messages.length, 1201);
  assert.ok(peak < 60_000_000, `${peak} bytes at its peak`);
});

test('of a conversation with more than can be drawn the end is given, and that it is cut', async (t) => {
  const lines = [prompt('u0', null, 'begin')];
  for (let i = 0; i < 50; i += 1) {
    lines.push(answer(`a${i}`, i === 0 ? 'u0' : `a${i - 1}`, `${i} ${'y'.repeat(400)}`));
  }
  const { configFolder } = await session(t, lines);
  const key = { configFolder, cwd: CWD, sessionId: SESSION };
  const stored = await readConversationFile(key, 10_000);
  assert.equal(stored?.isCut, true);
  assert.ok(outline(stored).join('').length <= 10_000);
  assert.match(outline(stored).at(-1) ?? '', /^assistant: 49 /);
  assert.equal((await readConversationFile(key))?.isCut, false);
});
