import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readConversationFile } from '../../../src/sessions/conversationFile';
import { type ForkCut, forkConversation } from '../../../src/sessions/forkFile';
import {
  answer,
  attachment,
  call,
  CWD,
  outline,
  prompt,
  result,
  session,
  SESSION,
} from './sessionFixture';

const TALK = [
  { type: 'queue-operation', operation: 'enqueue', content: 'one', sessionId: SESSION },
  prompt('u1', null, 'one', { sessionId: SESSION }),
  attachment('x1', 'u1'),
  { type: 'api-request-blob', content: 'x'.repeat(1000) },
  answer('a1', 'x1', call('t1')),
  result('r1', 'a1', 't1', 'done'),
  answer('a2', 'r1', 'first'),
  attachment('x2', 'a2'),
  prompt('u2', 'x2', 'two'),
  answer('a3', 'u2', call('t2')),
  result('r2', 'a3', 't2', 'done too'),
  answer('a4', 'r2', 'second'),
  prompt('u3', 'a4', 'three'),
  answer('a5', 'u3', 'third'),
  { type: 'custom-title', customTitle: 'Counting', sessionId: SESSION },
];

async function fork(configFolder: string, cut: Partial<ForkCut>) {
  const key = { configFolder, cwd: CWD, sessionId: SESSION };
  return forkConversation(key, { before: [], title: '', ...cut });
}

async function copyOf(configFolder: string, cut: Partial<ForkCut>) {
  const forked = await fork(configFolder, cut);
  assert.ok(forked?.kind === 'copy');
  const stored = await readConversationFile({ ...forked, configFolder, cwd: CWD });
  return { ...forked, stored };
}

test('a fork ends before the prompt, the original stays as it is', async (t) => {
  const { configFolder, file } = await session(t, TALK);
  const before = await readFile(file, 'utf8');
  const made = await copyOf(configFolder, { before: ['u2'], title: 'Counting (fork)' });
  assert.notEqual(made.sessionId, SESSION);
  assert.deepEqual(outline(made.stored), [
    'user: one',
    'assistant: call t1',
    'user: result t1',
    'assistant: first',
  ]);
  assert.equal(made.stored?.title, 'Counting (fork)');
  assert.equal(made.stored.isInterrupted, false);
  assert.equal(await readFile(file, 'utf8'), before);
  assert.equal((await stat(made.file)).mode & 0o777, 0o600);
});

test('its records are under the new id, in one chain that ends at the cut; requests stay behind', async (t) => {
  const { configFolder } = await session(t, TALK);
  const made = await copyOf(configFolder, { before: ['u2'] });
  const lines = (await readFile(made.file, 'utf8')).trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    records.map(({ uuid }) => uuid),
    ['u1', 'x1', 'a1', 'r1', 'a2', 'x2'],
  );
  assert.ok(records.every(({ sessionId }) => sessionId === made.sessionId));
});

test('of several prompts the first that is on the disk counts, without any all is kept', async (t) => {
  const { configFolder } = await session(t, TALK);
  const between = await copyOf(configFolder, { before: ['never sent', 'u3', 'u2'] });
  assert.equal(outline(between.stored).at(-1), 'assistant: second');
  const whole = await copyOf(configFolder, { before: ['never sent'] });
  assert.equal(outline(whole.stored).at(-1), 'assistant: third');
});

test('before the first prompt there is nothing to keep, and no file is made', async (t) => {
  const { configFolder, folder } = await session(t, TALK);
  assert.deepEqual(await fork(configFolder, { before: ['u1'] }), { kind: 'none' });
  assert.deepEqual(await readdir(folder), [`${SESSION}.jsonl`]);
});

test('what was said before a compaction can be gone back to', async (t) => {
  const { configFolder } = await session(t, [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', 'first'),
    prompt('u2', 'a1', 'two'),
    answer('a2', 'u2', 'second'),
    {
      ...{ type: 'system', subtype: 'compact_boundary', uuid: 'c1', parentUuid: null },
      ...{ logicalParentUuid: 'a2', compactMetadata: { trigger: 'manual' } },
    },
    prompt('u3', 'c1', 'summary', { isCompactSummary: true }),
    prompt('u4', 'u3', 'three'),
    answer('a4', 'u4', 'third'),
  ]);
  const early = await copyOf(configFolder, { before: ['u2'] });
  assert.deepEqual(outline(early.stored), ['user: one', 'assistant: first']);
  const late = await copyOf(configFolder, { before: ['u4'] });
  assert.deepEqual(outline(late.stored), [
    ...['user: one', 'assistant: first', 'user: two', 'assistant: second'],
    'system',
  ]);
});

test('a prompt that was sent into a running turn is a place to fork at', async (t) => {
  const { configFolder } = await session(t, [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', call('t1')),
    result('r1', 'a1', 't1', 'done'),
    {
      ...{ type: 'attachment', uuid: 'x1', parentUuid: 'r1' },
      attachment: { type: 'queued_command', prompt: 'and this', source_uuid: 'wire-2' },
    },
    answer('a2', 'x1', 'both'),
  ]);
  const made = await copyOf(configFolder, { before: ['wire-2'] });
  assert.deepEqual(outline(made.stored), ['user: one', 'assistant: call t1', 'user: result t1']);
});

test('the transcripts of its subagents come along, those of later ones do not', async (t) => {
  const { configFolder, file } = await session(t, TALK);
  const agents = path.join(file.replace('.jsonl', ''), 'subagents');
  await mkdir(agents, { recursive: true });
  for (const [agent, callId] of [
    ['agent-1', 't1'],
    ['agent-2', 't2'],
  ] as const) {
    await writeFile(path.join(agents, `${agent}.meta.json`), JSON.stringify({ toolUseId: callId }));
    const row = JSON.stringify(answer('s1', null, call(`${callId}-inner`)));
    await writeFile(path.join(agents, `${agent}.jsonl`), `${row}\n`);
  }
  const made = await copyOf(configFolder, { before: ['u2'] });
  assert.ok(outline(made.stored).includes('assistant: call t1-inner'));
  const copied = await readdir(path.join(made.file.replace('.jsonl', ''), 'subagents'));
  assert.deepEqual(copied.sort(), ['agent-1.jsonl', 'agent-1.meta.json']);
});

test('a broken last line is no obstacle, and what is not there is not forked', async (t) => {
  const { configFolder } = await session(t, TALK, { end: '\n{"type":"user","uuid":"u9","par' });
  const made = await copyOf(configFolder, { before: [] });
  assert.equal(outline(made.stored).at(-1), 'assistant: third');
  assert.equal(made.stored?.brokenLines, 0);
  const other = { configFolder, cwd: '/tmp/elsewhere', sessionId: SESSION };
  assert.equal(await forkConversation(other, { before: [], title: '' }), undefined);
  const missing = { configFolder, cwd: CWD, sessionId: SESSION.replace('1111', '9999') };
  assert.equal(await forkConversation(missing, { before: [], title: '' }), undefined);
});
