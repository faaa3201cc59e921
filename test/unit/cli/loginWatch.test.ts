import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoginAnswer } from '../../../src/cli/askLogin';
import { LoginWatch } from '../../../src/cli/loginWatch';
import { TestClock } from '../conversation/testClock';

const no: LoginAnswer = { state: 'no', text: 'none' };
const yes = (text: string): LoginAnswer => ({ state: 'yes', text });
const old: LoginAnswer = { state: 'notAsked', text: '' };

function watchOf(before: LoginAnswer) {
  const clock = new TestClock();
  const outcomes: string[] = [];
  const says = { now: before };
  let asked = 0;
  const watch = new LoginWatch({
    ask: () => {
      asked += 1;
      return Promise.resolve(says.now);
    },
    after: (ms, run) => clock.after(ms, run),
    onDone: (outcome) => outcomes.push(outcome),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      // What was asked is answered before time goes on.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { watch, says, outcomes, pass, asked: () => asked };
}

test('a login is noticed while its terminal is still open, and once', async () => {
  const { watch, says, outcomes, pass } = watchOf(no);
  await pass(20_000);
  assert.deepEqual(outcomes, []);
  says.now = yes('me');
  await pass(20_000);
  assert.deepEqual(outcomes, ['loggedIn']);
  await watch.ended(0);
  assert.deepEqual(outcomes, ['loggedIn']);
});

test('a login is noticed at the end of its terminal', async () => {
  const { watch, says, outcomes } = watchOf(no);
  says.now = yes('me');
  await watch.ended(undefined);
  assert.deepEqual(outcomes, ['loggedIn']);
});

test('a terminal that is closed without a login is told as not finished', async () => {
  const { watch, outcomes } = watchOf(no);
  await watch.ended(0);
  assert.deepEqual(outcomes, ['notLoggedIn']);
});

test('a key that was there before, and is not accepted, is no new login', async () => {
  const { watch, says, outcomes, pass } = watchOf(yes('key'));
  await pass(20_000);
  assert.deepEqual(outcomes, []);
  says.now = yes('account');
  await pass(20_000);
  assert.deepEqual(outcomes, ['loggedIn']);
  watch.dispose();
});

test('the same account once more counts when the login says that it went well', async () => {
  for (const [code, outcome] of [
    [0, 'loggedIn'],
    [1, 'notLoggedIn'],
    [undefined, 'notLoggedIn'],
  ] as const) {
    const { watch, outcomes } = watchOf(yes('me'));
    await watch.ended(code);
    assert.deepEqual(outcomes, [outcome]);
  }
});

test('of a CLI that cannot be asked the end of its login is believed', async () => {
  const { watch, outcomes } = watchOf(old);
  await watch.ended(0);
  assert.deepEqual(outcomes, ['loggedIn']);
});

test('it is asked ever more seldom, and not at all once disposed', async () => {
  const { watch, pass, asked } = watchOf(no);
  await pass(60_000);
  assert.ok(asked() >= 6 && asked() <= 14, `${asked()} questions in a minute`);
  watch.dispose();
  const before = asked();
  await pass(60_000);
  assert.equal(asked(), before);
});
