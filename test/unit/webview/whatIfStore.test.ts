import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RulesShown, WhatIfMessage } from '../../../src/chat/whatIfProtocol';
import { WhatIfStore } from '../../../src/webview/whatIf/whatIfStore';

const shown: RulesShown = {
  rules: [
    { behavior: 'allow', text: 'Bash(npm test)', source: 'userSettings' },
    { behavior: 'deny', text: 'Read(./.env)', source: 'projectSettings' },
  ],
  origin: 'agent',
  folder: 'shop',
  notes: [],
  tools: [
    { name: 'Bash', label: 'Bash', input: 'command' },
    { name: 'WebSearch', label: 'WebSearch', input: 'json' },
  ],
  modes: [
    { id: 'default', label: 'Ask' },
    { id: 'plan', label: 'Plan' },
  ],
  mode: 'plan',
};

function started() {
  const posted: WhatIfMessage[] = [];
  const store = new WhatIfStore((message) => posted.push(message));
  store.receive({ type: 'start', shown });
  return { store, posted, judged: () => posted.filter((one) => one.type === 'judge') };
}

test('each change asks anew, and an answer to an older question is not shown', () => {
  const { store, judged } = started();
  assert.deepEqual(judged(), []);
  store.setInput('npm test');
  store.setInput('npm test x');
  assert.deepEqual(
    judged().map(({ input, mode }) => [input, mode]),
    [
      ['npm test', 'plan'],
      ['npm test x', 'plan'],
    ],
  );
  const [first, second] = judged();
  store.receive({ type: 'verdict', n: second?.n ?? 0, verdict: { verdict: 'ask', why: 'b' } });
  store.receive({ type: 'verdict', n: first?.n ?? 0, verdict: { verdict: 'allow', why: 'a' } });
  assert.equal(store.verdict.value?.verdict, 'ask');
});

test('an emptied input takes the verdict away, and a late answer does not bring it back', () => {
  const { store, judged } = started();
  store.setInput('a');
  const [asked] = judged();
  store.setInput(' ');
  store.receive({ type: 'verdict', n: asked?.n ?? 0, verdict: { verdict: 'allow', why: 'a' } });
  assert.equal(store.verdict.value, undefined);
});

test('another tool and back keeps what was typed; JSON may be empty', () => {
  const { store, judged } = started();
  store.setInput('npm test');
  store.setTool('WebSearch');
  assert.equal(store.input.value, '');
  assert.equal(judged().at(-1)?.tool, 'WebSearch');
  store.setTool('Bash');
  assert.equal(store.input.value, 'npm test');
});

test('rules that are read again keep the chosen mode and ask again', () => {
  const { store, judged } = started();
  store.setMode('default');
  store.setMode('unheard');
  store.setInput('npm test');
  const before = judged().length;
  store.receive({ type: 'start', shown: { ...shown, rules: [] } });
  assert.equal(store.mode.value, 'default');
  assert.equal(judged().length, before + 1);
});

test('the filter finds rules by text and by source', () => {
  const { store } = started();
  store.filter.value = 'ENV';
  assert.deepEqual(
    store.rows.value.map(({ text }) => text),
    ['Read(./.env)'],
  );
  store.filter.value = 'usersett';
  assert.equal(store.rows.value.length, 1);
});
