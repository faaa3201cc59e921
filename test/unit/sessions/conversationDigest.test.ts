import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDigest } from '../../../src/sessions/conversationDigest';
import { answer, call, CWD, prompt, result, session, SESSION } from './sessionFixture';

test('a conversation is told by where it is, how it began, and how it stands', async (t) => {
  const { configFolder, file } = await session(t, [
    prompt('u1', null, 'why is the total wrong?'),
    answer('a1', 'u1', call('t1')),
    result('r1', 'a1', 't1', 'long output'),
    answer('a2', 'r1', 'A rounding error.'),
    prompt('u2', 'a2', 'mend it'),
    answer('a3', 'u2', 'Done.'),
    prompt('u3', 'a3', 'and the tests?'),
    answer('a4', 'u3', `They pass. ${'x'.repeat(9_000)}`),
    { type: 'custom-title', customTitle: 'The cart' },
  ]);
  const digest = await readDigest({ configFolder, cwd: CWD }, SESSION.slice(0, 8));
  assert.ok(digest);
  assert.deepEqual(
    { ...digest, changedAt: 0, lastAnswer: undefined },
    {
      ...{ file, title: 'The cart', firstPrompt: 'why is the total wrong?', changedAt: 0 },
      lastPrompts: ['why is the total wrong?', 'mend it', 'and the tests?'],
      lastAnswer: undefined,
    },
  );
  assert.match(digest.lastAnswer ?? '', /^They pass\. x+…$/);
  assert.ok((digest.lastAnswer ?? '').length < 4_100);
});

test('one that is not there, or of another folder, is undefined', async (t) => {
  const { configFolder } = await session(t, [prompt('u1', null, 'hello')]);
  assert.equal(await readDigest({ configFolder, cwd: CWD }, 'ffffffff'), undefined);
  assert.equal(await readDigest({ configFolder, cwd: '/tmp' }, SESSION.slice(0, 8)), undefined);
});
