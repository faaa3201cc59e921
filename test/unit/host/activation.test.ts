import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { LazyLoad, runActivationSteps } from '../../../src/host/activation';

for (const broken of [0, 1, 2]) {
  test(`when activation step ${broken} throws, the others run and its reason is kept`, () => {
    const ran: number[] = [];
    const steps = [0, 1, 2].map((index) => ({
      name: `step ${index}`,
      run: () => {
        if (index === broken) throw new Error('disk full');
        ran.push(index);
      },
    }));
    const failures = runActivationSteps(steps, silentLogger);
    assert.deepEqual(
      ran,
      [0, 1, 2].filter((index) => index !== broken),
    );
    assert.deepEqual(failures, [`step ${broken}: disk full`]);
  });
}

test('what is loaded on first use is loaded once, also when two ask at the same time', async () => {
  let loads = 0;
  const lazy = new LazyLoad(() => {
    loads += 1;
    return Promise.resolve(loads);
  });
  assert.equal(lazy.started, undefined);
  assert.deepEqual(await Promise.all([lazy.get(), lazy.get()]), [1, 1]);
});

test('a load that failed is tried again on the next use', async () => {
  let loads = 0;
  const lazy = new LazyLoad(() => {
    loads += 1;
    return loads === 1 ? Promise.reject(new Error('chunk missing')) : Promise.resolve(loads);
  });
  await assert.rejects(lazy.get(), /chunk missing/);
  assert.equal(await lazy.get(), 2);
});
