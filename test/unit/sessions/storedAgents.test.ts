import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readConversationFile } from '../../../src/sessions/conversationFile';
import { answer, call, CWD, outline, prompt, result, session, SESSION } from './sessionFixture';

/** The transcripts of subagents, by the call that started each. */
async function agentFiles(
  folder: string,
  files: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
  const agents = path.join(folder, SESSION, 'subagents');
  await mkdir(agents, { recursive: true });
  for (const [toolUseId, rows] of Object.entries(files)) {
    const name = path.join(agents, `agent-${toolUseId}`);
    await writeFile(`${name}.meta.json`, JSON.stringify({ toolUseId }));
    await writeFile(`${name}.jsonl`, rows.map((row) => JSON.stringify(row)).join('\n'));
  }
}

test('calls of a subagent that a subagent started stand behind its call, each once', async (t) => {
  const { configFolder, folder } = await session(t, [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', call('T')),
    result('r1', 'a1', 'T', 'report'),
  ]);
  await agentFiles(folder, {
    T: [answer('b1', null, call('S')), result('b2', 'b1', 'S', 's')],
    // A damaged one names itself.
    S: [answer('c1', null, call('R')), result('c2', 'c1', 'R', 'r'), answer('c3', 'c2', call('S'))],
  });
  const stored = await readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION });
  assert.deepEqual(outline(stored), [
    'user: one',
    'assistant: call T',
    'assistant: call S',
    'assistant: call R',
    'user: result R',
    'assistant: call S',
    'user: result S',
    'user: result T',
  ]);
  const inner = stored?.messages[3];
  assert.equal(inner?.type === 'assistant' && inner.parent_tool_use_id, 'S');
});

test('what subagents did is bound like the conversation: of more the last is given, and it is said', async (t) => {
  const { configFolder, folder } = await session(t, [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', call('early')),
    result('r1', 'a1', 'early', 'e'),
    answer('a2', 'r1', call('late')),
    result('r2', 'a2', 'late', 'l'),
  ]);
  const rows = (name: string) =>
    Array.from({ length: 40 }, (_, n) => result(`${name}${n}`, '', `${name}${n}`, 'y'.repeat(400)));
  await agentFiles(folder, { early: rows('E'), late: rows('L') });
  const key = { configFolder, cwd: CWD, sessionId: SESSION };
  const stored = await readConversationFile(key, 10_000);
  const lines = outline(stored);
  assert.equal(stored?.isCut, true);
  assert.ok(lines.includes('user: result L39') && !lines.includes('user: result E0'));
  assert.ok(JSON.stringify(stored).length < 15_000);
  const whole = await readConversationFile(key);
  assert.deepEqual([whole?.isCut, whole?.messages.length], [false, 85]);
});

test('pictures of the person count as well: of very many the last are given', async (t) => {
  const rows = Array.from({ length: 30 }, (_, n) =>
    prompt(`u${n}`, n === 0 ? null : `u${n - 1}`, [
      { type: 'image', source: { type: 'base64', data: 'a'.repeat(1_000) } },
      { type: 'text', text: `${n}` },
    ]),
  );
  const { configFolder } = await session(t, rows);
  const stored = await readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION }, 10_000);
  assert.equal(stored?.isCut, true);
  assert.ok(JSON.stringify(stored).length < 15_000);
  assert.equal(outline(stored).at(-1), 'user: 29');
});
