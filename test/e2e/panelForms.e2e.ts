import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { AskCard } from '../../src/chat/askProtocol';
import type { Patch } from '../../src/chat/patchProtocol';
import type { ApprovalCard } from '../../src/chat/viewStateProtocol';
import {
  askState,
  bigForm,
  oneQuestion,
  pageCard,
  smallForm,
  twoQuestions,
} from '../harness/panelSandbox/askStates';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { permission } from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

const approval: ApprovalCard = {
  kind: 'server',
  id: 'ap1',
  name: 'files',
  body: 'npx files',
  bodyKind: 'command',
  changed: false,
};
const set = (...asks: readonly AskCard[]): Patch => ({ op: 'set', fields: { asks } });
const isFocused = (it: Locator) => it.evaluate((e) => e === document.activeElement);
const replies = (panel: SandboxPanel) => panel.sent('answerAsk').map(({ reply }) => reply);

test('each field has a control with its role and name, and the whole is filled in and sent by keys', async () => {
  await withPanel(askState(bigForm()), { height: 1300 }, async (panel) => {
    const { page } = panel;
    const form = page.getByRole('group', { name: 'Form: Deploy', exact: true });
    await form.getByText('Where should it go?').waitFor();
    const named = [
      ['radiogroup', 'Target'],
      ['radio', 'Staging'],
      ['textbox', 'Version'],
      ['textbox', 'Copies'],
      ['textbox', 'Notify'],
      ['textbox', 'Day'],
      ['combobox', 'Region'],
      ['group', 'Checks'],
      ['checkbox', 'Smoke'],
      ['textbox', 'Why'],
      ['checkbox', 'Only try'],
      ['button', 'Submit'],
      ['button', 'Decline'],
    ] as const;
    for (const [role, name] of named) {
      assert.equal(await form.getByRole(role, { name, exact: true }).count(), 1, name);
    }
    await form.getByRole('radio', { name: 'Staging' }).focus();
    // In reading order, from control to control.
    const keys = [
      ...['ArrowDown', 'Tab', '1.2.0', 'Tab', 'Tab', 'me@shop.example', 'Tab', '2026-03-31'],
      ...['Tab', 'A', 'Tab', 'Tab', 'Space', 'Tab', 'Tab', 'so', 'Tab', 'Space', 'Tab'],
    ];
    for (const key of keys) {
      if (/^(Tab|Space|ArrowDown)$/.test(key)) await page.keyboard.press(key);
      else await page.keyboard.type(key);
    }
    await eventually(() => isFocused(form.getByRole('button', { name: 'Submit' })));
    await page.keyboard.press('Enter');
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(replies(panel)[0], {
      action: 'accept',
      draft: {
        ...{ '0': '1', '1': '1.2.0', '2': '2', '3': 'me@shop.example', '4': '2026-03-31' },
        ...{ '5': '1', '6': ['0', '1'], '7': 'so', '8': false },
      },
    });
  });
});

test('what does not fit has a line at its field, the first such gets the focus, and nothing is sent', async () => {
  await withPanel(askState(bigForm()), { height: 1300 }, async (panel) => {
    const { page } = panel;
    const version = page.getByRole('textbox', { name: 'Version' });
    await version.fill('x');
    assert.equal(await page.locator('.field-problem').count(), 0);
    await page.getByRole('button', { name: 'Submit' }).click();
    const staging = page.getByRole('radio', { name: 'Staging' });
    await eventually(() => isFocused(staging));
    await eventually(async () => (await page.locator('.field-problem').count()) === 3);
    const describes = (it: Locator) =>
      it.evaluate((e) =>
        (e.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' | '),
      );
    assert.match(await describes(version), /3 to 20 characters.*at least 3 characters/);
    assert.equal(await version.getAttribute('aria-invalid'), 'true');
    await version.fill('1.2.0');
    await eventually(async () => (await version.getAttribute('aria-invalid')) === 'false');
    await eventually(async () => (await page.locator('.field-problem').count()) === 2);
    assert.deepEqual(replies(panel), []);
  });
});

test('a form takes no focus and is said; patches, other cards and a new view take nothing from it', async () => {
  await withPanel(askState(), {}, async (panel) => {
    const { page } = panel;
    await message(panel).fill('a draft');
    await panel.patch(set(smallForm()));
    const form = page.getByRole('group', { name: 'Form: tickets', exact: true });
    await form.waitFor();
    assert.ok(await isFocused(message(panel)));
    const loud = page.locator('[data-live="assertive"]');
    await loud.getByText('Which ticket is this about?').waitFor({ state: 'attached' });
    const ticket = form.getByRole('textbox', { name: 'Ticket' });
    await ticket.fill('SHOP-1');
    await eventually(() => panel.sent('askDraft').at(-1)?.draft['0'] === 'SHOP-1');
    await ticket.pressSequentially('2');
    // The host's copy of before, and cards that came later: none changes anything here.
    const kept = { ...smallForm(), draft: { '0': 'SHOP-1' } };
    await panel.patch(set(kept), { op: 'set', fields: { approvals: [approval] } });
    await page.getByRole('group', { name: /^Approval/ }).waitFor();
    await panel.patch({ op: 'set', fields: { permissions: [permission()] } });
    await page.getByRole('group', { name: /^Permission request/ }).waitFor();
    assert.equal(await ticket.inputValue(), 'SHOP-12');
    assert.ok(await isFocused(ticket));
    const cards = await page.locator('.card').evaluateAll((all) => all.map((e) => e.ariaLabel));
    assert.deepEqual(cards, [
      'Form: tickets',
      'Approval: files',
      'Permission request: Run a command',
    ]);
    panel.hold(askState({ ...smallForm(), draft: { '0': 'SHOP-12' } }));
    await page.reload();
    await eventually(async () => (await ticket.inputValue()) === 'SHOP-12');
  });
});

test('Escape neither answers nor stops, it leads out; Enter sends a form of one text, once it is filled', async () => {
  await withPanel(askState(smallForm()), {}, async (panel) => {
    const { page } = panel;
    const ticket = page.getByRole('textbox', { name: 'Ticket' });
    await ticket.press('Enter');
    await page.locator('.field-problem').getByText('Fill this in.').waitFor();
    await ticket.fill('SHOP-1');
    await ticket.press('Escape');
    await eventually(() => isFocused(message(panel)));
    assert.equal(await ticket.inputValue(), 'SHOP-1');
    assert.deepEqual([replies(panel), panel.sent('stop')], [[], []]);
    await ticket.press('Enter');
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(replies(panel)[0], { action: 'accept', draft: { '0': 'SHOP-1' } });
    await panel.patch(set());
    await eventually(() => isFocused(message(panel)));
  });
});

test('Decline says no; a card that is taken back goes and leaves its line', async () => {
  await withPanel(askState(smallForm(), bigForm()), { height: 1500 }, async (panel) => {
    const { page } = panel;
    const small = page.getByRole('group', { name: 'Form: tickets', exact: true });
    await small.getByRole('button', { name: 'Decline' }).click();
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(replies(panel), [{ action: 'decline' }]);
    const text = 'Withdrawn before you answered: Where should it go?';
    await panel.patch(set(), {
      op: 'item',
      item: { kind: 'notice', id: 'n9', tone: 'info', text },
    });
    await page.getByRole('log').getByText(text).waitFor();
    await eventually(async () => (await page.locator('.card').count()) === 0);
  });
});

test('a page shows its host first, is opened only by its button, and what is no page has none', async () => {
  await withPanel(askState(pageCard()), {}, async (panel) => {
    const { page } = panel;
    const card = page.getByRole('group', { name: 'Form: tickets', exact: true });
    const words = await card.innerText();
    assert.ok(words.indexOf('tickets.example.com') < words.indexOf('https://tickets.'), words);
    const address = card.getByRole('group', { name: 'Address' });
    await address.click();
    await address.press('Enter');
    await address.press('Control+Enter');
    assert.deepEqual(replies(panel), []);
    await card.getByRole('button', { name: 'Open in browser', exact: true }).press('Enter');
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(panel.requests, [], 'the host opens it, after the editor’s own question');
    await panel.patch(set(pageCard({ id: 'l2', url: 'file:///etc/passwd', host: undefined })));
    await card.getByText('not an address of the web').waitFor();
    assert.equal(await card.getByRole('button', { name: 'Open in browser' }).count(), 0);
  });
});

test('a question is answered by one option or own words, with preview and note, by keys alone', async () => {
  await withPanel(askState(oneQuestion()), {}, async (panel) => {
    const { page } = panel;
    const name = 'Which date library should the report use?';
    const card = page.getByRole('group', { name: `Question: ${name}`, exact: true });
    const options = card.getByRole('radiogroup', { name, exact: true });
    await options.getByRole('radio', { name: 'None', exact: true }).focus();
    await card.getByRole('group', { name: 'Preview: None' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await card.getByRole('group', { name: 'Preview: date-fns' }).waitFor();
    await eventually(
      async () => (await card.getByRole('group', { name: 'Preview: None' }).count()) === 0,
    );
    const picked = options.getByRole('radio', { name: 'date-fns', exact: true });
    assert.ok(await picked.isChecked());
    const other = card.getByRole('textbox', { name: 'Other', exact: true });
    await other.fill('day.js');
    await eventually(() => options.getByRole('radio', { name: 'Other' }).isChecked());
    await card.getByRole('button', { name: 'Add a note' }).press('Enter');
    const note = card.getByRole('textbox', { name: 'Note' });
    await eventually(() => isFocused(note));
    await page.keyboard.type('small');
    // Back to an option: the words stay, and do not count.
    await picked.check();
    assert.equal(await other.inputValue(), 'day.js');
    await picked.press('Control+Enter');
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(replies(panel)[0], {
      action: 'accept',
      draft: { '0': ['1'], '0/usesOwn': false, '0/own': 'day.js', '0/notes': 'small' },
    });
  });
});

test('several questions are one card; each wants an answer, and Dismiss puts all away', async () => {
  await withPanel(askState(twoQuestions()), { height: 1200 }, async (panel) => {
    const { page } = panel;
    const card = page.getByRole('group', { name: 'Question: Library, Formats', exact: true });
    const formats = card.getByRole('group', { name: 'Which formats should the export have?' });
    for (const format of ['CSV', 'PDF'])
      await formats.getByRole('checkbox', { name: format }).check();
    await card.getByRole('button', { name: 'Answer', exact: true }).click();
    await card.getByText('Choose one, or write your own answer.').waitFor();
    await eventually(() => isFocused(card.getByRole('radio', { name: 'None' })));
    assert.deepEqual(replies(panel), []);
    await card.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(replies(panel), [{ action: 'decline' }]);
  });
});

test('a card whose agent has ended says that the answer goes as the next message', async () => {
  const lost = oneQuestion({ interrupted: true, draft: { '0': ['2'] } });
  const state = { ...askState(lost), status: { kind: 'idle' } as const };
  await withPanel(state, {}, async (panel) => {
    const { page } = panel;
    await page.getByText('Your answer goes as the next message.').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Temporal' }).isChecked());
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await eventually(() => replies(panel).length === 1);
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`at 300 px nothing is cut, targets have 24 px, and axe finds nothing in the theme ${theme}`, async () => {
    const all = askState(bigForm(), pageCard(), oneQuestion(), twoQuestions());
    await withPanel(all, { theme, width: 300, height: 4000 }, async (panel) => {
      const { page } = panel;
      await message(panel).waitFor();
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.locator('.field-problem').first().waitFor();
      assert.equal(await overflows(panel), false);
      const small = await page
        .locator('.card :is(button, input, select, textarea)')
        .evaluateAll((found) =>
          found
            .map((e) => ({ name: e.ariaLabel ?? e.outerHTML, box: e.getBoundingClientRect() }))
            .filter(({ box }) => box.width < 24 || box.height < 24)
            .map(({ name, box }) => `${name}: ${box.width}×${box.height}`),
        );
      assert.deepEqual(small, []);
      assert.deepEqual(await axeFindings(page), []);
    });
  });
}
