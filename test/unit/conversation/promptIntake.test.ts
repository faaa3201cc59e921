import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { UserFacingError } from '../../../src/base/errors';
import type { PromptExpansion } from '../../../src/chat/promptExpansion';
import { PromptIntake } from '../../../src/conversation/promptIntake';

const expanded: PromptExpansion = { content: 'more', isComposed: false, parts: [] };

function intake(
  expand: (text: string, signal: AbortSignal) => Promise<PromptExpansion | undefined>,
) {
  const taken: string[] = [];
  const made = new PromptIntake({
    mayExpand: (text) => text.includes('@'),
    maySelect: ({ path }) => Promise.resolve(path !== 'secret.ts'),
    expand,
    take: ({ id, text, expansion, selection }) => {
      const more = selection === undefined ? '' : ` (${selection.path})`;
      taken.push(`${id} ${text}${expansion === undefined ? '' : ' +'}${more}`);
      return { accepted: true };
    },
  });
  return { made, taken };
}

test('a message that names nothing is taken at once', () => {
  const { made, taken } = intake(() => Promise.reject(new Error('unused')));
  assert.deepEqual(made.submit({ id: 'p1', text: 'hello' }), { accepted: true });
  assert.deepEqual(taken, ['p1 hello']);
});

test('one that waits keeps its place before those that come after it, and counts once', async () => {
  const gate = createDeferred<PromptExpansion>();
  const { made, taken } = intake(() => gate.promise);
  const first = made.submit({ id: 'p1', text: '@a' });
  const again = made.submit({ id: 'p1', text: '@a' });
  const second = made.submit({ id: 'p2', text: 'plain' });
  assert.equal(again, first);
  assert.deepEqual(taken, []);
  gate.resolve(expanded);
  assert.deepEqual(await Promise.all([first, second]), [{ accepted: true }, { accepted: true }]);
  assert.deepEqual(taken, ['p1 @a +', 'p2 plain']);
  assert.deepEqual(made.submit({ id: 'p3', text: 'later' }), { accepted: true });
});

test('what fails is a refusal that says what and that the message is kept', async () => {
  const fault = new UserFacingError('a is not there.', { next: 'Look elsewhere.' });
  const { made, taken } = intake(() => Promise.reject(fault));
  const outcome = await made.submit({ id: 'p1', text: '@a' });
  assert.deepEqual(outcome, {
    accepted: false,
    reason: 'a is not there. Look elsewhere. Your message is kept.',
  });
  const other = intake(() => Promise.reject(new Error('boom')));
  const refused = await other.made.submit({ id: 'p1', text: '@a' });
  assert.match(refused.accepted ? '' : refused.reason, /could not be prepared: boom/);
  assert.deepEqual([...taken, ...other.taken], []);
});

test('Stop refuses what is still being read, and the next message is read again', async () => {
  const gates = [createDeferred<PromptExpansion>(), createDeferred<PromptExpansion>()];
  let count = 0;
  const { made, taken } = intake((_text, signal) => {
    const gate = gates[count++];
    signal.addEventListener('abort', () => gate?.reject(new Error('aborted')));
    return gate?.promise ?? Promise.resolve(undefined);
  });
  const first = made.submit({ id: 'p1', text: '@a' });
  const second = made.submit({ id: 'p2', text: '@b' });
  // The reading begins in a later tick.
  await Promise.resolve();
  made.stop();
  for (const outcome of await Promise.all([first, second])) {
    assert.match(outcome.accepted ? '' : outcome.reason, /Stopped before/);
  }
  const third = made.submit({ id: 'p3', text: '@c' });
  gates[1]?.resolve(expanded);
  assert.deepEqual(await third, { accepted: true });
  assert.deepEqual(taken, ['p3 @c +']);
});

test('Stop lets go of a message whose reading never ends, and the next one is taken', async () => {
  const { made, taken } = intake(() => new Promise(() => undefined));
  const first = made.submit({ id: 'p1', text: '@a' });
  made.stop();
  const outcome = await first;
  assert.equal(outcome.accepted, false);
  assert.deepEqual(await made.submit({ id: 'p2', text: 'plain' }), { accepted: true });
  assert.deepEqual(taken, ['p2 plain']);
});

test('a selection goes with a message only while it may be given, and never with a command', async () => {
  const { made, taken } = intake(() => Promise.resolve(expanded));
  const selection = (path: string) => ({ path, file: `/w/${path}`, from: 1, to: 2, text: 'x' });
  const send = (id: string, text: string, path: string) =>
    made.submit({ id, text, selection: selection(path) });
  // They are handed in at once, and keep their order.
  const first = send('p1', 'explain', 'a.ts');
  const second = send('p2', 'explain', 'secret.ts');
  const third = send('p3', 'see @b', 'a.ts');
  const last = send('p4', '/review', 'a.ts');
  for (const outcome of [first, second, third, last]) {
    assert.deepEqual(await Promise.resolve(outcome), { accepted: true });
  }
  assert.deepEqual(taken, ['p1 explain (a.ts)', 'p2 explain', 'p3 see @b + (a.ts)', 'p4 /review']);
});
