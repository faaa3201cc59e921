import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { emptyState } from '../harness/panelSandbox/states';
import { approvalState, filesCard, filesCards } from '../harness/panelSandbox/approvalStates';
import { axeFindings } from '../harness/panelSandbox/axe';

const { withPanel, message, overflows } = panelFixture();
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

test('tool files wait on a card that says what is new, that it is code, and shows the difference', async () => {
  await withPanel(emptyState(), { height: 1400 }, async (panel) => {
    const { page } = panel;
    await message(panel).focus();
    await panel.patch({ op: 'set', fields: { approvals: [filesCards.changed()] } });
    const card = page.getByRole('group', { name: 'Approval: Tool files of shop', exact: true });
    await card.getByText('runs inside the editor with your rights').waitFor();
    assert.equal(await message(panel).evaluate((e) => e === document.activeElement), true);
    await page
      .locator('[data-live="polite"]')
      .getByText('3 files are new or changed.')
      .waitFor({ state: 'attached' });
    const files = card.getByRole('list', { name: 'Files' }).getByRole('listitem');
    const words = (await files.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.deepEqual(
      words.map((text) => /^\S (\w+): (\S+)/.exec(text)?.slice(1)),
      [
        ['Changed', '.patchbay/tools/todo.tool.ts'],
        ['Removed', '.patchbay/tools/lib/anOlderHelperWithAQuiteLongName.ts'],
        ['New', '.patchbay/data/owners.json'],
      ],
    );
    const change = card.getByRole('group', { name: 'Change of .patchbay/tools/todo.tool.ts' });
    await change.getByText('return { total: files.length + 1, owner };').waitFor();
    assert.equal(await card.getByRole('group', { name: /owners\.json$/ }).count(), 0);
    await card.getByText('left-pad, @acme/owners').waitFor();
    for (const [name, answer] of [
      ['Approve', 'approve'],
      ['Not now', 'later'],
      ["Don't run", 'never'],
    ] as const) {
      await card.getByRole('button', { name, exact: true }).click();
      await eventually(() => panel.sent('answerApproval').at(-1)?.answer === answer, PATIENCE_MS);
    }
    await card.getByRole('button', { name: 'Show what is new', exact: true }).click();
    await card.getByRole('button', { name: /^Show what is new in .*owners\.json$/ }).click();
    await eventually(() => panel.sent('showApproval').length === 2, PATIENCE_MS);
    assert.deepEqual(
      panel.sent('showApproval').map(({ approvalId, file }) => [approvalId, file]),
      [
        ['files-1', undefined],
        ['files-1', 2],
      ],
    );
  });
});

test('a change while the card is open is another card, and what is pressed counts for what stands there', async () => {
  await withPanel(emptyState(), { height: 1400 }, async (panel) => {
    const { page } = panel;
    const now = { ...filesCards.first(), id: 'files-2' };
    await panel.patch({ op: 'set', fields: { approvals: [filesCards.changed()] } });
    const card = page.getByRole('group', { name: 'Approval: Tool files of shop', exact: true });
    await card.getByText('were changed since').waitFor();
    await panel.patch({ op: 'set', fields: { approvals: [now] } });
    await card.getByText('This workspace brings tools').waitFor();
    assert.equal(await card.count(), 1);
    await card.getByRole('button', { name: 'Approve', exact: true }).click();
    await eventually(() => panel.sent('answerApproval').length === 1, PATIENCE_MS);
    assert.equal(panel.sent('answerApproval')[0]?.approvalId, 'files-2');
  });
});

test('what hides in a tool file is written out on its card', async () => {
  const text = 'const ok = "\u202e//";\n';
  const change = { kind: 'added', before: undefined, after: text, bytes: text.length } as const;
  const card = filesCard([{ ...change, relativePath: '.patchbay/a\u200b.tool.ts' }]);
  await withPanel(approvalState(card), { height: 1400 }, async ({ page }) => {
    await page.getByText('const ok = "\\u202E//";', { exact: true }).waitFor();
    await page.getByText('.patchbay/a\\u200B.tool.ts', { exact: true }).waitFor();
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`axe finds nothing on cards of tool files in the theme ${theme}, and they fit 300 px`, async () => {
    for (const card of Object.values(filesCards)) {
      await withPanel(approvalState(card()), { theme, width: 300, height: 3000 }, async (panel) => {
        await panel.page.getByRole('group', { name: /^Approval: / }).waitFor();
        assert.equal(await overflows(panel), false);
        assert.deepEqual(await axeFindings(panel.page), []);
      });
    }
  });
}
