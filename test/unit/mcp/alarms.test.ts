import assert from 'node:assert/strict';
import { getActiveResourcesInfo } from 'node:process';
import { describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { type Alarm, Alarms } from '../../../src/mcp/alarms';
import { withHandClock } from './handClock';

function recorder() {
  const alarms = new Alarms();
  const rung: string[] = [];
  const alarm = (name: string, inMs: number): Alarm => ({
    dueAt: performance.now() + inMs,
    ring: () => rung.push(`${name} ${performance.now()}`),
  });
  return { alarms, rung, alarm };
}

describe('alarms', () => {
  test('each rings once, at its time, whatever the order they were set in', () =>
    withHandClock((tick) => {
      const { alarms, rung, alarm } = recorder();
      for (const [name, inMs] of [['b', 20] as const, ['a', 10] as const, ['c', 20] as const]) {
        alarms.add(alarm(name, inMs));
      }
      tick(9);
      assert.deepEqual(rung, []);
      tick(100);
      assert.deepEqual(rung, ['a 10', 'b 20', 'c 20']);
    }));

  test('one that is taken back does not ring, and says whether it was still set', () =>
    withHandClock((tick) => {
      const { alarms, rung, alarm } = recorder();
      const [first, second] = [alarm('first', 10), alarm('second', 30)];
      alarms.add(first);
      alarms.add(second);
      assert.deepEqual([alarms.delete(first), alarms.delete(first)], [true, false]);
      tick(100);
      assert.deepEqual(rung, ['second 30']);
      assert.equal(alarms.delete(second), false);
    }));

  test('one may set or take back others while it rings', () =>
    withHandClock((tick) => {
      const { alarms, rung, alarm } = recorder();
      const never = alarm('never', 10);
      alarms.add({
        dueAt: 10,
        ring: () => {
          alarms.delete(never);
          alarms.add(alarm('next', 5));
        },
      });
      alarms.add(never);
      tick(10);
      tick(5);
      assert.deepEqual(rung, ['next 15']);
    }));

  test('any sequence rings what separate timers would', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({ add: fc.integer({ min: 1, max: 50 }) }),
            fc.record({ drop: fc.nat(9) }),
            fc.record({ pass: fc.integer({ min: 1, max: 30 }) }),
          ),
          { maxLength: 40 },
        ),
        (steps) =>
          withHandClock((tick) => {
            const { alarms, rung, alarm } = recorder();
            const apart: string[] = [];
            const set: { readonly alarm: Alarm; readonly timer: NodeJS.Timeout }[] = [];
            for (const step of steps) {
              if ('pass' in step) tick(step.pass);
              else if ('add' in step) {
                const name = String(set.length);
                const one = alarm(name, step.add);
                const timer = setTimeout(() => apart.push(`${name} ${Date.now()}`), step.add);
                set.push({ alarm: one, timer });
                alarms.add(one);
              } else {
                const one = set[step.drop];
                if (one === undefined) continue;
                alarms.delete(one.alarm);
                clearTimeout(one.timer);
              }
            }
            tick(100);
            assert.deepEqual(rung.sort(), apart.sort());
          }),
      ),
    ));

  test('a clock of the machine that is set to another time ends nothing early', async () => {
    const { alarms, rung, alarm } = recorder();
    const late = alarm('late', 60_000);
    alarms.add(late);
    const date = mock.method(Date, 'now', () => 4_000_000_000_000);
    try {
      const soon = new Promise<void>((resolve) =>
        alarms.add({ dueAt: performance.now() + 1, ring: resolve }),
      );
      await soon;
      assert.deepEqual(rung, []);
      assert.equal(alarms.delete(late), true);
    } finally {
      date.mock.restore();
    }
  });

  test('ten thousand that come and go make one timer, which keeps no process alive once they are gone', () => {
    const timers = () => getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    const made = mock.method(globalThis, 'setTimeout');
    try {
      const { alarms, alarm } = recorder();
      for (let at = 0; at < 10_000; at += 1) {
        const one = alarm('x', 60_000);
        alarms.add(one);
        assert.equal(timers(), before + 1);
        alarms.delete(one);
      }
      assert.equal(timers(), before);
      assert.equal(made.mock.callCount(), 1);
    } finally {
      made.mock.restore();
    }
  });
});
