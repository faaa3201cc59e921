import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createWorkerBench } from '../harness/toolWorker/workerBench';
import { createToolRoom } from '../unit/workspaceTools/toolRoom';

const bench = await createWorkerBench();
after(() => {
  bench.dispose();
});

const FILE = '.patchbay/tools/a.tool.ts';
const CHANGES = 9;

function source(version: number): string {
  return `import { defineTool, z } from 'patchbay';

export default defineTool({
  description: 'Says which it is.',
  isolation: 'worker',
  input: { after: z.number() },
  run: ({ after }) => new Promise((done) => setTimeout(() => done('version ${version}'), after)),
});
`;
}

test('while a file in a worker changes, each call is answered by the old version or by the new one', async (t) => {
  const room = await createToolRoom(t, { ports: { worker: bench.host } });
  await room.write(FILE, source(0));
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.faults, []);
  let isChanging = true;
  const seen: string[] = [];
  const callOnAndOn = async (after: number): Promise<void> => {
    while (isChanging) {
      const answer = await room.call('a', { after });
      assert.match(answer.text, /^version \d$/);
      seen.push(answer.text);
    }
  };
  const callers = [callOnAndOn(0)];
  for (let version = 1; version <= CHANGES; version += 1) {
    const path = await room.write(FILE, source(version));
    await room.tools.wrote([{ path, text: source(version) }]);
    await room.look();
    const now = await room.call('a', { after: 0 });
    assert.equal(now.text, `version ${version}`, 'what is ready is the new one');
  }
  isChanging = false;
  await Promise.all(callers);
  assert.ok(seen.includes('version 0') && seen.includes(`version ${CHANGES}`), seen.join());
  assert.deepEqual(
    room.log.filter((line) => line.startsWith('error')),
    [],
  );
});
