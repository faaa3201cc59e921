import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { RunningRules } from '../../../src/conversation/runningRules';
import type { RuleText } from '../../../src/rules/permissionRule';

const deny = (text: string): RuleText => ({ behavior: 'deny', text, source: 'cliArg' });

function running() {
  let now = 1_000;
  const rules = new RunningRules({ log: silentLogger, now: () => now });
  return {
    texts: async () => (await rules.denials()).map(({ text }) => text),
    track: (answer: () => Promise<readonly RuleText[] | undefined>) => {
      let asked = 0;
      const conversation = rules.track({
        rules: () => {
          asked += 1;
          return answer();
        },
      });
      return { conversation, asked: () => asked };
    },
    later: (ms: number) => {
      now += ms;
    },
  };
}

test('rules against reading come from every agent that runs, others are left out', async () => {
  const { track, texts } = running();
  const allow: RuleText = { behavior: 'allow', text: 'Read(c)', source: 'session' };
  const kept = [
    track(() => Promise.resolve([deny('Read(a)'), deny('Bash(x)'), allow])),
    track(() => Promise.resolve(undefined)),
    track(() => Promise.resolve([deny('Read(b)')])),
  ];
  assert.deepEqual(await texts(), ['Read(a)', 'Read(b)']);
  assert.equal(kept.length, 3);
});

test('an answer is believed for some seconds, and one that fails keeps what was known', async () => {
  const { track, texts, later } = running();
  let answer: () => Promise<readonly RuleText[]> = () => Promise.resolve([deny('Read(a)')]);
  const { asked, conversation } = track(() => answer());
  assert.deepEqual(await texts(), ['Read(a)']);
  answer = () => Promise.reject(new Error('gone'));
  assert.deepEqual(await texts(), ['Read(a)']);
  assert.equal(asked(), 1);
  later(6_000);
  assert.deepEqual(await texts(), ['Read(a)']);
  assert.equal(asked(), 2);
  assert.ok(conversation);
});
