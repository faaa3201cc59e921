import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cost, duration, shortCount, statusWords, usageWords } from '../../../src/webview/words';

test('the state of the turn is said in the contract’s words', () => {
  assert.equal(statusWords({ kind: 'idle' }, 0), 'Idle');
  assert.equal(statusWords({ kind: 'waitingForModel' }, 0), 'Waiting for the model');
  assert.equal(statusWords({ kind: 'retrying', retryAt: 5200 }, 1000), 'Retrying in 5 s');
  assert.equal(statusWords({ kind: 'retrying', retryAt: 900 }, 1000), 'Retrying in 0 s');
});

test('counts, costs and times are short', () => {
  assert.deepEqual([0, 950, 6200, 62_000, 999_700, 1_250_000].map(shortCount), [
    '0',
    '950',
    '6.2k',
    '62k',
    '1M',
    '1.3M',
  ]);
  assert.deepEqual([0, 0.18, 0.004, 0.0002].map(cost), ['$0.00', '$0.18', '$0.004', '<$0.001']);
  assert.deepEqual([340, 4100, 12_000, 120_000].map(duration), [
    '340 ms',
    '4.1 s',
    '12 s',
    '2 min',
  ]);
});

test('usage shows the context where it is known, else the last turn', () => {
  const usage = { costUsd: 0.18, inputTokens: 900, outputTokens: 100, turns: 1 };
  assert.equal(usageWords(usage), '1k · $0.18');
  assert.equal(usageWords({ ...usage, contextTokens: 62_000 }), '62k · $0.18');
});
