import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { agentState } from '../harness/panelSandbox/states';

const { withPanel, overflows } = panelFixture();

const tasks = () => [
  {
    ...{ id: 'b1', kind: 'command' as const, title: `Serve ${'x'.repeat(200)}` },
    startedAt: Date.now() - 130_000,
  },
  { id: 'a1', kind: 'agent' as const, title: 'Find callers', progress: 'Reading src/cart.ts' },
];

test('background tasks are a list with a button to stop each, and go when they end', async () => {
  await withPanel({ ...agentState(), tasks: tasks() }, { width: 300 }, async (panel) => {
    const list = panel.page.getByRole('list', { name: 'Background tasks', exact: true });
    await list.getByText('Find callers · Reading src/cart.ts').waitFor();
    assert.equal(await list.getByRole('listitem').count(), 2);
    assert.equal(await overflows(panel), false);
    await list.getByRole('button', { name: 'Stop Find callers', exact: true }).click();
    await list.getByRole('button', { name: /^Output of Serve/ }).click();
    await eventually(() => panel.sent('task').length === 2);
    assert.deepEqual(panel.sent('task'), [
      { type: 'task', taskId: 'a1', action: 'stop' },
      { type: 'task', taskId: 'b1', action: 'show' },
    ]);
    assert.deepEqual(await axeFindings(panel.page), []);
    await panel.patch({ op: 'set', fields: { tasks: [] } });
    await list.waitFor({ state: 'detached' });
  });
});
