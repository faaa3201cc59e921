import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { SUGGEST_LIMIT, type SuggestAnswer } from '../../../src/chat/suggestProtocol';
import type { SuggestPart, SuggestSource } from '../../../src/conversation/conversationPorts';
import { gatherSuggestions } from '../../../src/conversation/gatherSuggestions';

function source(name: string, rows: () => Promise<SuggestPart>): SuggestSource {
  return { name, rows };
}
function part(...names: readonly (readonly [string, number])[]): SuggestPart {
  return {
    rows: names.map(([label, score]) => ({ id: label, icon: 'file', label, insert: label, score })),
  };
}
const labels = (answer: SuggestAnswer | undefined) => answer?.rows.map(({ label }) => label);

test('what is there is told before a slow source has answered, best first over all', async () => {
  const slow = createDeferred<SuggestPart>();
  const answers: SuggestAnswer[] = [];
  const first = createDeferred<undefined>();
  const all = gatherSuggestions(
    [
      source('quick', () => Promise.resolve(part(['b', 5], ['a', 9]))),
      source('slow', () => slow.promise),
    ],
    new AbortController().signal,
    (answer) => {
      answers.push(answer);
      first.resolve(undefined);
    },
  );
  await first.promise;
  assert.deepEqual([labels(answers[0]), answers[0]?.isPending], [['a', 'b'], true]);
  slow.resolve(part(['c', 7]));
  await all;
  assert.deepEqual([labels(answers.at(-1)), answers.at(-1)?.isPending], [['a', 'c', 'b'], false]);
});

test('a source may say that its rows are only a part', async () => {
  const answers: SuggestAnswer[] = [];
  await gatherSuggestions(
    [source('files', () => Promise.resolve({ ...part(['a', 1]), note: 'only some' }))],
    new AbortController().signal,
    (answer) => answers.push(answer),
  );
  assert.deepEqual(answers.at(-1)?.notes, ['only some']);
});

test('a source that fails is named and the others are there', async () => {
  const answers: SuggestAnswer[] = [];
  await gatherSuggestions(
    [
      source('notes', () => Promise.reject(new Error('gone'))),
      source('files', () => Promise.resolve(part(['a', 1]))),
    ],
    new AbortController().signal,
    (answer) => answers.push(answer),
  );
  assert.deepEqual(labels(answers.at(-1)), ['a']);
  assert.deepEqual(answers.at(-1)?.notes, ['notes could not be asked: gone']);
});

test('a list has an end, and one that nobody wants any more is told to nobody', async () => {
  const answers: SuggestAnswer[] = [];
  const many = part(...Array.from({ length: 200 }, (_, index) => [`f${index}`, index] as const));
  const sources = [source('files', () => Promise.resolve(many))];
  await gatherSuggestions(sources, new AbortController().signal, (one) => answers.push(one));
  assert.equal(answers.at(-1)?.rows.length, SUGGEST_LIMIT);
  const abort = new AbortController();
  abort.abort();
  const before = answers.length;
  await gatherSuggestions(sources, abort.signal, (one) => answers.push(one));
  assert.equal(answers.length, before);
});

test('without a source the answer is an empty one', async () => {
  const answers: SuggestAnswer[] = [];
  await gatherSuggestions([], new AbortController().signal, (one) => answers.push(one));
  assert.deepEqual(answers, [{ rows: [], notes: [], isPending: false }]);
});
