import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TurnFaultKind } from '../../src/chat/turnFaultKind';
import { turnFaultError, turnFaults } from '../../src/chat/turnFaults';
import type { ErrorItem, TranscriptItem, ViewState } from '../../src/chat/viewStateProtocol';
import { errorActionWords } from '../../src/webview/words';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { errorState } from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

const said = errorState().items.slice(0, 1);
const [prompt] = said;
const words = prompt?.kind === 'user' ? prompt.text : '';

function alertOf(kind: TurnFaultKind): ErrorItem {
  const failure = { error: 'x', status: 500, reason: 'x', details: 'raw words', refused: false };
  return { kind: 'error', id: `e-${kind}`, ...turnFaultError(failure, kind) };
}

function stateWith(items: readonly TranscriptItem[], over: Partial<ViewState> = {}): ViewState {
  return { ...errorState(), items: [...said, ...items], ...over };
}

test('each fault of a turn is an alert with its words and its buttons, at 300 px too', async () => {
  const kinds = Object.keys(turnFaults) as TurnFaultKind[];
  const items = kinds.map(alertOf);
  await withPanel(stateWith(items), { width: 300, height: 6000 }, async (panel) => {
    const alerts = panel.page.getByRole('alert');
    await eventually(async () => (await alerts.count()) === kinds.length);
    for (const [index, item] of items.entries()) {
      const alert = alerts.nth(index);
      const shown = await alert.innerText();
      for (const part of [item.message, item.kept ?? '', item.next ?? '']) {
        assert.ok(shown.includes(part), `${item.id}: ${part}`);
      }
      const names = await alert.getByRole('button').allInnerTexts();
      assert.deepEqual(names, ['Details', ...item.actions.map(errorActionWords)], item.id);
    }
    assert.equal(await overflows(panel), false);
    assert.deepEqual(await axeFindings(panel.page), []);
  });
});

test('the buttons of an alert do what they say, and the message that failed is not lost', async () => {
  const items = [alertOf('declined'), alertOf('promptTooLong'), alertOf('notLoggedIn')];
  await withPanel(stateWith(items), { height: 1200 }, async (panel) => {
    const { page } = panel;
    const press = (alert: number, name: string) =>
      page.getByRole('alert').nth(alert).getByRole('button', { name, exact: true }).click();
    await press(2, 'Log in');
    await press(2, 'Run doctor');
    await press(1, 'Compact');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.text, '/compact');
    assert.deepEqual([panel.sent('login').length, panel.sent('doctor').length], [1, 1]);
    await press(0, 'Choose model');
    const list = page.getByRole('listbox', { name: 'Model' });
    await list.waitFor();
    await page.keyboard.press('Escape');
    await eventually(async () => (await list.count()) === 0);
    await message(panel).fill('a draft');
    await press(1, 'New conversation');
    await eventually(() => panel.sent('newConversation').length === 1);
    // The draft goes with its conversation; the message goes on in the new one, which the host makes.
    assert.equal(panel.sent('newConversation')[0]?.text, words);
    assert.equal(panel.sent('draft').at(-1)?.text, 'a draft');
    assert.equal(await message(panel).inputValue(), 'a draft');
  });
});

test('while it is tried again a quiet line counts down, is said once, and Stop is there', async () => {
  const retry = {
    at: Date.now() + 600_000,
    reason: 'The API is overloaded.',
    attempt: 2,
    most: 10,
  };
  await withPanel(stateWith([], { status: { kind: 'retrying', retry } }), {}, async (panel) => {
    const { page } = panel;
    const log = page.getByRole('log');
    await log.getByText('The API is overloaded.').waitFor();
    await log.getByText('Try 2 of 10.').waitFor();
    const left = async () => {
      const text = await log.getByText(/^Trying again in \d+ s\.$/).innerText();
      return Number(/\d+/.exec(text)?.[0]);
    };
    const first = await left();
    assert.ok(first > 0 && first <= 600, String(first));
    await eventually(async () => (await left()) < first);
    assert.match(await page.getByRole('status').innerText(), /^Retrying in \d+ s$/);
    const spoken = page.locator('[data-live="polite"]').getByText('The API is overloaded. Try 2');
    await spoken.waitFor({ state: 'attached' });
    assert.equal(await spoken.count(), 1);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await eventually(() => panel.sent('stop').length === 1);
    await panel.patch({ op: 'set', fields: { status: { kind: 'working' } } });
    await eventually(async () => (await log.getByText('The API is overloaded.').count()) === 0);
  });
});

test('a long wait is shown beside the state, whose words stay those of the contract', async () => {
  const since = Date.now() - 42_000;
  const state = stateWith([], { status: { kind: 'waitingForModel', since } });
  await withPanel(state, { width: 300 }, async (panel) => {
    const { page } = panel;
    await message(panel).waitFor();
    assert.equal(await page.getByRole('status').innerText(), 'Waiting for the model');
    const note = page.locator('.wait-note');
    // From then on, however long it takes to come here.
    const shown = /^(?:4[2-9]|[5-8]\d) s$|^\d min$/;
    await eventually(async () => shown.test(await note.innerText()));
    const isCut = await note.evaluate((e) => e.scrollWidth > e.clientWidth);
    assert.deepEqual([isCut, await overflows(panel)], [false, false]);
    await panel.patch({ op: 'set', fields: { status: { kind: 'idle' } } });
    await eventually(async () => (await note.count()) === 0);
  });
});

test('after a login a quiet line with Retry stands where the alert stood', async () => {
  const notice: TranscriptItem = {
    kind: 'notice',
    id: 'e-notLoggedIn',
    tone: 'info',
    text: 'You are logged in. Retry sends your message.',
    actions: ['retry'],
  };
  await withPanel(stateWith([alertOf('notLoggedIn')]), {}, async (panel) => {
    const { page } = panel;
    await page.getByRole('alert').waitFor();
    await panel.patch({ op: 'item', item: notice });
    await page.getByText('You are logged in.').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await eventually(() => panel.sent('retry').length === 1);
    assert.deepEqual(panel.sent('retry')[0]?.itemId, 'e-notLoggedIn');
  });
});
