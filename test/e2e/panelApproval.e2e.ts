import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { emptyState } from '../harness/panelSandbox/states';

const { withPanel, message } = panelFixture();
/** For what a busy machine does late. */
const PATIENCE_MS = 60_000;

test('a server of the workspace waits on a quiet card, and each answer goes to the host', async () => {
  const approval = {
    kind: 'server',
    id: 'server-1',
    name: 'database',
    body: 'npx -y database-server',
    bodyKind: 'command',
    changed: true,
  } as const;
  await withPanel(emptyState(), {}, async (panel) => {
    const { page } = panel;
    await message(panel).focus();
    await panel.patch({ op: 'set', fields: { approvals: [approval] } });
    const card = page.getByRole('group', { name: 'Approval: database', exact: true });
    await card.getByText('npx -y database-server').waitFor();
    assert.equal(await message(panel).evaluate((e) => e === document.activeElement), true);
    await page
      .locator('[data-live="polite"]')
      .getByText('Approval: database')
      .waitFor({ state: 'attached' });
    for (const [name, answer] of [
      ['Approve', 'approve'],
      ['Not now', 'later'],
      ['Never', 'never'],
    ] as const) {
      await card.getByRole('button', { name, exact: true }).click();
      await eventually(() => panel.sent('answerApproval').at(-1)?.answer === answer, PATIENCE_MS);
    }
    await card.getByRole('button', { name: 'Show what is new', exact: true }).click();
    await eventually(() => panel.sent('showApproval').length === 1, PATIENCE_MS);
    const ids = [...panel.sent('answerApproval'), ...panel.sent('showApproval')];
    assert.ok(ids.every(({ approvalId }) => approvalId === 'server-1'));
    await panel.patch({ op: 'set', fields: { approvals: [] } });
    await card.waitFor({ state: 'detached' });
    await eventually(
      () => message(panel).evaluate((e) => e === document.activeElement),
      PATIENCE_MS,
    );
  });
});
