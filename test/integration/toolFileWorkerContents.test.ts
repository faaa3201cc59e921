import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createWorkerBench } from '../harness/toolWorker/workerBench';
import { createToolRoom } from '../unit/workspaceTools/toolRoom';

const bench = await createWorkerBench();
after(() => {
  bench.dispose();
});

test('contents of every kind come out of a worker as they do in the extension host', async (t) => {
  const kinds = {
    url: "new URL('http://h/x')",
    own: 'new (class { a = 1; toJSON() { return { j: 1 }; } })()',
    response: "new Response('x')",
    function: '() => 1',
    bytes: "Buffer.from('hi')",
    error: "new Error('bad')",
    dom: "new DOMException('dom')",
    date: 'new Date(0)',
    map: "new Map([['k', 1n]])",
    contents: "{ contents: [{ text: 'q' }] }",
    object: "{ text: 'hello', mimeType: 'text/x' }",
    text: "'plain'",
    nothing: 'undefined',
  };
  const cases = Object.entries(kinds).map(([kind, made]) => `case '${kind}': return ${made};`);
  const answers = await Promise.all(
    ['host', 'worker'].map(async (isolation) => {
      const room = await createToolRoom(t, { ports: { worker: bench.host } });
      await room.write(
        '.patchbay/tools/a.tool.js',
        `import { defineResource } from 'patchbay';
         export default defineResource({ isolation: '${isolation}', uri: 'note://{kind}', mimeType: 'text/plain',
           read: ({ kind }) => { switch (kind) { ${cases.join('\n')} } } });`,
      );
      await room.look();
      assert.deepEqual(room.file('a.tool.js')?.faults, []);
      const contents: Record<string, unknown> = {};
      for (const kind of Object.keys(kinds)) {
        const params = { uri: `note://${kind}` };
        const frame = { jsonrpc: '2.0', id: kind, method: 'resources/read', params };
        contents[kind] = await room.router.route('workspace', frame, { requestId: kind });
      }
      return JSON.parse(JSON.stringify(contents)) as unknown;
    }),
  );
  assert.deepEqual(answers[1], answers[0]);
});
