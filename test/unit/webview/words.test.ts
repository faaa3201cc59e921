import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cost,
  duration,
  retryCountdown,
  retryTry,
  shortCount,
  statusWords,
  usageWords,
  waitWords,
} from '../../../src/webview/words';

test('the state of the turn is said in the contract’s words', () => {
  assert.equal(statusWords({ kind: 'idle' }, 0), 'Idle');
  assert.equal(statusWords({ kind: 'waitingForModel' }, 0), 'Waiting for the model');
  const retrying = { kind: 'retrying', retry: { at: 5200, reason: 'Busy.' } } as const;
  assert.equal(statusWords(retrying, 1000), 'Retrying in 5 s');
  assert.equal(statusWords(retrying, 5200), 'Waiting for the model');
});

test('a retry counts down, then says that it is on its way; tries are counted where the CLI does', () => {
  const retry = { at: 5200, reason: 'Busy.', attempt: 2, most: 10 };
  assert.equal(retryCountdown(retry, 1000), 'Trying again in 5 s.');
  assert.equal(retryCountdown(retry, 5200), 'Trying again now.');
  assert.equal(retryTry(retry), 'Try 2 of 10.');
  assert.equal(retryTry({ ...retry, most: undefined }), 'Try 2.');
  assert.equal(retryTry({ at: 0, reason: '' }), '');
});

test('a wait is shown from the fifth second on, silence in the midst of an answer from the fifteenth', () => {
  const waiting = { kind: 'waitingForModel', since: 1000 } as const;
  assert.equal(waitWords(waiting, 0, 5900), undefined);
  assert.equal(waitWords(waiting, 0, 6900), '5 s');
  assert.equal(waitWords(waiting, 0, 301_000), '5 min');
  assert.equal(waitWords({ kind: 'working' }, 1000, 15_000), undefined);
  assert.equal(waitWords({ kind: 'working' }, 1000, 21_000), 'nothing new for 20 s');
  const retrying = { kind: 'retrying', retry: { at: 5000, reason: '' } } as const;
  assert.equal(waitWords(retrying, 0, 4000), undefined);
  assert.equal(waitWords(retrying, 0, 12_000), '7 s');
  assert.equal(waitWords({ kind: 'idle' }, 0, 900_000), undefined);
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
