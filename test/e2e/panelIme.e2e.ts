import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { accessState } from '../harness/panelSandbox/accessStates';
import { oneQuestion, smallForm } from '../harness/panelSandbox/askStates';
import { cardState, commandCard } from '../harness/panelSandbox/cardStates';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { planCard, planState } from '../harness/panelSandbox/planStates';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { heard, listen } from '../harness/panelSandbox/spoken';
import { emptyState, streamingState } from '../harness/panelSandbox/states';
import { talkState } from '../harness/panelSandbox/talkStates';

const { withPanel, message } = panelFixture();

/** Kinds that a key must not bring about while an input method has it. */
const ACTS = [
  ...['submit', 'stop', 'editPrompt', 'answerPermission', 'answerAsk', 'planCard'],
  ...['openConversation', 'renameConversation', 'deleteConversation'],
] as const;

const KEYS = ['ArrowDown', 'ArrowUp', 'Escape', 'Enter'];

interface Box {
  readonly name: string;
  readonly role?: 'searchbox';
  readonly state: () => ViewState;
  readonly prepare?: ((panel: SandboxPanel) => Promise<void>) | undefined;
}

const { state: findState, prepare: find } = accessState('find');
const { prepare: conversations } = accessState('conversations');
const { prepare: rename } = accessState('rename');
const { prepare: edit } = accessState('edit');

const BOXES: readonly Box[] = [
  { name: 'Message', state: streamingState },
  { name: 'Edit message', state: talkState, prepare: edit },
  { name: 'Reason (optional)', state: () => cardState(commandCard()) },
  { name: 'What to change (optional)', state: () => planState(planCard()) },
  { name: 'Other', state: () => ({ ...streamingState(), asks: [oneQuestion()] }) },
  { name: 'Ticket', state: () => ({ ...streamingState(), asks: [smallForm()] }) },
  { name: 'Find', state: findState, prepare: find },
  {
    name: 'Search conversations',
    role: 'searchbox',
    state: streamingState,
    prepare: conversations,
  },
  { name: 'Title', state: streamingState, prepare: rename },
];

for (const { name, role = 'textbox', state, prepare } of BOXES) {
  test(`an input method composes in "${name}": its Enter, its Escape and its arrows do nothing else`, async () => {
    await withPanel(state(), {}, async (panel) => {
      const { page } = panel;
      await page.getByRole('main').waitFor();
      await prepare?.(panel);
      const box = page.getByRole(role, { name, exact: true });
      await box.focus();
      await page.keyboard.press('Control+a');
      const keys = await page.context().newCDPSession(page);
      for (const text of ['に', 'にほ', 'にほん']) await compose(keys, text);
      assert.equal(await box.inputValue(), 'にほん');
      for (const key of KEYS) await press(keys, key);
      const acts = panel.posted.filter(({ type }) => ACTS.some((act) => act === type));
      assert.deepEqual(acts, []);
      assert.ok(await box.evaluate((one) => one === document.activeElement), 'it kept the focus');
      await keys.send('Input.insertText', { text: '日本' });
      await eventually(async () => (await box.inputValue()) === '日本');
    });
  });
}

test('what was composed is a draft, and is sent by the Enter that follows', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    const keys = await panel.page.context().newCDPSession(panel.page);
    await compose(keys, '한');
    await press(keys, 'Enter');
    await keys.send('Input.insertText', { text: '한국' });
    await eventually(() => panel.sent('draft').at(-1)?.text === '한국');
    assert.deepEqual(panel.sent('submit'), []);
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.text, '한국');
  });
});

test('what is composed while the message before it is taken, or refused, is whole', async () => {
  for (const refused of [undefined, 'No folder is open.']) {
    await withPanel(emptyState(), {}, async (panel) => {
      await message(panel).focus();
      await panel.page.keyboard.type('hello');
      await panel.page.keyboard.press('Enter');
      await eventually(() => panel.sent('submit').length === 1);
      const keys = await panel.page.context().newCDPSession(panel.page);
      await compose(keys, 'に');
      const promptId = panel.sent('submit')[0]?.promptId ?? '';
      await panel.send({ type: 'submitted', promptId, ...(refused && { refused }) });
      await compose(keys, 'にほ');
      await keys.send('Input.insertText', { text: '日本' });
      const whole = refused === undefined ? '日本' : 'hello日本';
      await eventually(async () => (await message(panel).inputValue()) === whole);
      await eventually(() => panel.sent('draft').at(-1)?.text === whole);
    });
  }
});

test('code that was pasted before becomes its mention once the word is composed, and nothing is lost', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'const a = 1;\nconst b = 2;');
      const how = { clipboardData, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', how));
    });
    await panel.page.keyboard.insertText('const a = 1;\nconst b = 2;');
    await eventually(() => panel.sent('pastedText').length === 1);
    const keys = await panel.page.context().newCDPSession(panel.page);
    await compose(keys, 'に');
    const pasteId = panel.sent('pastedText')[0]?.pasteId ?? '';
    await panel.send({ type: 'pastedCode', pasteId, mention: '@a.ts:1-2' });
    await compose(keys, 'にほ');
    assert.equal(await message(panel).inputValue(), 'const a = 1;\nconst b = 2;にほ');
    await keys.send('Input.insertText', { text: '日本' });
    await eventually(async () => (await message(panel).inputValue()) === '@a.ts:1-2 日本');
  });
});

test('a word that is composed while another conversation comes holds up nothing there', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    const keys = await panel.page.context().newCDPSession(panel.page);
    await compose(keys, 'に');
    const other = { seq: 100, state: emptyState(), draft: 'other', box: 'b2' };
    await panel.send({ type: 'snapshot', ...other });
    await eventually(async () => (await message(panel).inputValue()) === 'other');
    await message(panel).fill('hello');
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    const promptId = panel.sent('submit')[0]?.promptId ?? '';
    await panel.send({ type: 'submitted', promptId });
    await eventually(async () => (await message(panel).inputValue()) === '');
  });
});

test('while a word is looked for nothing of the answer is said, and all of it afterwards', async () => {
  await withPanel(streamingState(''), {}, async (panel) => {
    await listen(panel);
    const polite = async () => (await heard(panel)).filter(({ by }) => by === 'polite');
    await message(panel).focus();
    const keys = await panel.page.context().newCDPSession(panel.page);
    await compose(keys, 'zh');
    await panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text: 'One.\n\nTwo.' });
    await panel.patch({ op: 'finish', itemId: 'a1', blockId: 'x1' });
    await panel.page.getByText('Two.').waitFor();
    assert.deepEqual(await polite(), []);
    await keys.send('Input.insertText', { text: '中' });
    await eventually(async () => (await polite()).length === 2);
    assert.deepEqual(
      (await polite()).map(({ text }) => text),
      ['One.', 'Two.'],
    );
  });
});

/** As an input method does: the text that is being composed, the caret behind it. */
async function compose(keys: CDPSession, text: string): Promise<void> {
  const { length } = text;
  await keys.send('Input.imeSetComposition', {
    ...{ text, selectionStart: length, selectionEnd: length },
  });
}

/** A key that the input method takes. Of Enter some tell so only by what is open, and not by its code. */
async function press(keys: CDPSession, key: string): Promise<void> {
  for (const windowsVirtualKeyCode of key === 'Enter' ? [229, 13] : [229]) {
    const code = { key, code: key, windowsVirtualKeyCode };
    await keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...code });
    await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code });
  }
}
