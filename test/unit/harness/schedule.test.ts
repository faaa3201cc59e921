import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { runScheduled } from '../../harness/boot/schedule.mjs';

interface Task {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly after?: readonly string[];
  readonly alone?: string;
  readonly last?: boolean;
}

/** Runs tasks that end when the test says so. */
function start(tasks: readonly Task[], slots = 2) {
  const ends = new Map(tasks.map(({ name }) => [name, createDeferred<undefined>()]));
  const log: string[] = [];
  const whole = runScheduled(tasks, slots, async ({ name }: Task) => {
    log.push(name);
    await ends.get(name)?.promise;
  });
  return {
    log,
    whole,
    end: async (name: string) => {
      ends.get(name)?.resolve(undefined);
      // What follows is started in the turns of promises after that.
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

describe('the order of test steps', () => {
  it('keeps to the number of slots and to the order', async () => {
    const { log, end, whole } = start([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    assert.deepEqual(log, ['a', 'b']);
    await end('b');
    assert.deepEqual(log, ['a', 'b', 'c']);
    await end('a');
    await end('c');
    await whole;
  });

  it('lets a later one go first while a need is open', async () => {
    const { log, end, whole } = start([
      { name: 'build' },
      { name: 'suite', needs: ['build'] },
      { name: 'lint' },
    ]);
    assert.deepEqual(log, ['build', 'lint']);
    await end('build');
    assert.deepEqual(log, ['build', 'lint', 'suite']);
    await end('lint');
    await end('suite');
    await whole;
  });

  it('ignores a need that was not chosen', async () => {
    const { log, end, whole } = start([{ name: 'suite', needs: ['build'] }]);
    assert.deepEqual(log, ['suite']);
    await end('suite');
    await whole;
  });

  it('runs those that want to be alone one at a time', async () => {
    const { log, end, whole } = start([
      { name: 'host', alone: 'window' },
      { name: 'e2e', alone: 'window' },
      { name: 'unit' },
    ]);
    assert.deepEqual(log, ['host', 'unit']);
    await end('host');
    assert.deepEqual(log, ['host', 'unit', 'e2e']);
    await end('unit');
    await end('e2e');
    await whole;
  });

  it('begins with one only after those that it is to follow, whether they are needed or not', async () => {
    const { log, end, whole } = start([{ name: 'panel', after: ['host'] }, { name: 'host' }]);
    assert.deepEqual(log, ['host']);
    await end('host');
    assert.deepEqual(log, ['host', 'panel']);
    await end('panel');
    await whole;
  });

  it('keeps the last for the end', async () => {
    const { log, end, whole } = start([{ name: 'map', last: true }, { name: 'unit' }]);
    assert.deepEqual(log, ['unit']);
    await end('unit');
    assert.deepEqual(log, ['unit', 'map']);
    await end('map');
    await whole;
  });

  it('says so when steps wait for each other', async () => {
    const { whole } = start([
      { name: 'a', needs: ['b'] },
      { name: 'b', needs: ['a'] },
    ]);
    await assert.rejects(whole, /wait for each other: a, b/);
  });
});
