import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { connectBridge } from '../../../src/mcp/connectBridge';
import { until } from './routerFixture';

for (const after of ['never', 'at last', 'with an error'] as const) {
  test(`A server that does not connect within half a minute is refused; ${after} it does, and is let go of`, async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const connecting = createDeferred<undefined>();
      const server = new McpServer({ name: 'x', version: '1' });
      let wasConnected = false;
      const refused = connectBridge({
        connect: async (transport) => {
          await connecting.promise;
          await server.connect(transport as never);
          wasConnected = server.isConnected();
        },
      });
      mock.timers.tick(30_000);
      await assert.rejects(refused, /It did not connect within 30 s/);
      // An unhandled rejection would fail this file.
      if (after === 'with an error') connecting.reject(new Error('given up'));
      if (after === 'at last') {
        connecting.resolve(undefined);
        await until(() => wasConnected && !server.isConnected());
      }
      await new Promise(setImmediate);
      assert.equal(server.isConnected(), false);
    } finally {
      mock.timers.reset();
    }
  });
}

test('What is no server is refused, what one throws as it connects is told as it is', async () => {
  for (const given of [undefined, null, 5, 'x', {}, { connect: 5 }]) {
    await assert.rejects(connectBridge(given as never), /server must have connect\(transport\)/);
  }
  const late = { connect: () => Promise.reject(new Error('busy')) };
  const atOnce = {
    connect: () => {
      throw new Error('busy');
    },
  };
  for (const server of [late, atOnce]) await assert.rejects(connectBridge(server), /^Error: busy$/);
});
