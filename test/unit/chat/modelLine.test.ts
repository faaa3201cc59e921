import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assistantRow, Chat } from './chatHarness';

const MODELS = [
  { id: 'default', label: 'Default' },
  { id: 'opus', label: 'Opus' },
  { id: 'haiku', label: 'Haiku' },
];

function chat(): Chat {
  return new Chat().apply({ type: 'cliReady', models: MODELS, model: 'default' });
}
const choose = (one: Chat, ...models: readonly string[]): Chat =>
  one.apply(...models.map((model) => ({ type: 'modelChosen', model }) as const));
const said = (one: Chat): readonly string[] => one.notices.map(({ text }) => text);

test('a model that is chosen after something was said is told by a quiet line in its place', () => {
  const one = chat()
    .prompt('x')
    .cli(assistantRow('m1', [{ type: 'text', text: 'yes' }]));
  choose(one, 'opus').prompt('y');
  assert.equal(one.state.model, 'opus');
  assert.deepEqual(
    one.items.map(({ kind }) => kind),
    ['user', 'assistant', 'notice', 'user'],
  );
  choose(one, 'haiku');
  assert.deepEqual(said(one), ['The model is now Opus.', 'The model is now Haiku.']);
});

test('one line stands for all choices on the way, and none where it is the old model again', () => {
  const one = choose(chat().prompt('x'), 'opus', 'haiku');
  assert.deepEqual(said(one), ['The model is now Haiku.']);
  choose(one, 'default');
  assert.deepEqual(said(one), []);
  choose(one, 'strange', 'strange');
  assert.deepEqual(said(one), ['The model is now strange.']);
});

test('before anything was said, and where the agent has named no model yet, no line is needed', () => {
  assert.deepEqual(said(choose(chat(), 'opus')), []);
  const early = choose(new Chat().prompt('x'), 'opus');
  assert.deepEqual([said(early), early.state.model], [[], 'opus']);
});

test('a model that the agent itself takes in place of one that declined is told too', () => {
  const one = chat().prompt('x');
  one.cli(
    assistantRow('m1', [{ type: 'text', text: 'half an' }], { uuid: 'u1' }),
    {
      ...{ type: 'system', subtype: 'model_refusal_fallback', fallback_model: 'Haiku' },
      retracted_message_uuids: ['u1'],
    },
    assistantRow('m2', [{ type: 'text', text: 'Here.' }]),
  );
  assert.deepEqual(said(one), ['The model declined; Haiku answers.']);
  assert.deepEqual(one.texts, ['Here.']);
});
