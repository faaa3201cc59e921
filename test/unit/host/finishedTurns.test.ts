import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TurnStatusKind } from '../../../src/chat/viewStateProtocol';
import { FinishedTurns, hiddenQuestions, LONG_TURN_MS } from '../../../src/host/finishedTurns';
import type { TurnState } from '../../../src/host/turnState';
import { permission } from '../../harness/panelSandbox/states';

function place(isVisible: boolean) {
  const turn: TurnState = { kind: 'idle', permissions: [], asks: [], title: 'Prices' };
  return { isVisible, turn };
}

function room() {
  const told: unknown[] = [];
  const time = { now: 0 };
  const turns = new FinishedTurns<ReturnType<typeof place>>(
    () => time.now,
    (one) => told.push(one),
  );
  const to = (one: ReturnType<typeof place>, kind: TurnStatusKind): void => {
    one.turn = { ...one.turn, kind };
    turns.changed(one);
  };
  return { told, time, to };
}

test('a long turn that ends unseen is told once, a short one or one that is seen is not', () => {
  const { told, time, to } = room();
  const hidden = place(false);
  to(hidden, 'starting');
  time.now = LONG_TURN_MS - 1;
  to(hidden, 'working');
  to(hidden, 'idle');
  assert.deepEqual(told, [], 'a short one');
  to(hidden, 'working');
  time.now += LONG_TURN_MS;
  to(hidden, 'waitingForPermission');
  assert.deepEqual(told, [], 'not over yet');
  to(hidden, 'failed');
  to(hidden, 'idle');
  assert.deepEqual(told, [hidden]);
  const seen = place(true);
  to(seen, 'working');
  time.now += LONG_TURN_MS;
  to(seen, 'idle');
  assert.deepEqual(told, [hidden]);
});

test('what waits is counted over all conversations that nobody sees', () => {
  const [seen, first, second] = [place(true), place(false), place(false)];
  assert.equal(hiddenQuestions([seen, first, second]), undefined);
  const card = permission();
  for (const one of [seen, second]) one.turn = { ...one.turn, permissions: [card, card] };
  assert.deepEqual(hiddenQuestions([seen, first, second]), { count: 2, first: second });
});
