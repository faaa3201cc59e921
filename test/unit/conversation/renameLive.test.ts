import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { OutboundCalls } from '../../../src/cli/outboundCalls';
import { renameLive } from '../../../src/conversation/renameLive';

test('an agent that does not answer does not keep the title waiting', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const calls = new OutboundCalls(() => Promise.resolve());
    const agent = { settled: () => Promise.resolve({ request: calls.request.bind(calls) }) };
    const renamed = renameLive(agent, silentLogger, 'new');
    await Promise.resolve();
    mock.timers.tick(10_000);
    assert.equal(await Promise.race([renamed, new Promise(setImmediate)]), false);
  } finally {
    mock.timers.reset();
  }
});
