import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolRoom } from './toolRoom';

const GREET = `import { defineTool, z } from 'patchbay';
export default defineTool({
  description: 'Greets.',
  input: { name: z.string() },
  run: ({ name }, ctx) => 'Hello ' + name + ' ' + ctx.vscode.version + ' ' + ctx.workspaceFolder.name,
});
`;

test('a tool file is offered after the person has approved it, and called with typed input', async (t) => {
  const room = await createToolRoom(t);
  await room.write('.patchbay/tools/greet.tool.ts', GREET);
  await room.look();
  assert.equal(room.questions.length, 1);
  assert.deepEqual(room.file('greet.tool.ts')?.state, {
    kind: 'ready',
    offers: [{ kind: 'tool', name: 'greet' }],
  });
  assert.equal((await room.call('greet', { name: 'Ada' })).text, 'Hello Ada test work');
  assert.match(
    (await room.call('greet', { name: 3 })).text,
    /name: expected string, received number/,
  );
});

test('the server of tool files may get its first resource in the middle of a conversation', async (t) => {
  const room = await createToolRoom(t);
  await room.write('.patchbay/tools/greet.tool.ts', GREET);
  await room.look();
  const resources = { subscribe: true, listChanged: true };
  assert.deepEqual(room.registry.list()[0]?.capabilities().resources, resources);
});
