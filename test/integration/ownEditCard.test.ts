import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { array, object, string } from 'zod/mini';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { message, say, toolUse } from '../harness/model/script';
import { type ConversationBench, createBench, isIdle, toolsOf } from './conversationBench';

const benches: ConversationBench[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

test('an edit through the editor is asked about once, with its change on the card, and then runs', async () => {
  const tool = defineTool({
    name: 'edit',
    description: 'Edits.',
    input: object({ edits: array(object({ path: string(), old: string(), new: string() })) }),
    alwaysLoad: true,
    edits: ({ edits }) => edits.map(({ path }) => path),
    run: () => 'edited',
  });
  const registry = new ServerRegistry();
  registry.add(createServer({ name: 'editor', tools: [tool] }));
  const edits = [{ path: 'src/a.ts', old: 'one', new: 'two' }];
  const made = await createBench({
    registry,
    model: {
      script: ({ step }) =>
        step === 0 ? message([toolUse('mcp__editor__edit', { edits })]) : say('ok'),
    },
  });
  benches.push(made);
  await made.prompt('go');
  await made.until('the card', ({ permissions }) => permissions.length > 0);
  const [card] = made.view.permissions;
  assert.ok(card);
  assert.equal(card.what, 'Change 1 line of src/a.ts');
  assert.equal(card.diff?.added, 1);
  const whole = await made.conversation.requests.edit(card.id);
  assert.equal(whole?.after, 'export const two = 1;\n');
  made.conversation.answerPermission(card.id, 'allowOnce');
  await made.until(
    'the end, or another card',
    (view) => isIdle(view) || view.permissions.some(({ id }) => id !== card.id),
  );
  assert.deepEqual(made.view.permissions, []);
  assert.deepEqual(
    toolsOf(made.view).map(({ state, result }) => [state, result?.text]),
    [['done', 'edited']],
  );
});
