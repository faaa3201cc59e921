import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Patch } from '../../src/chat/patchProtocol';
import type { TranscriptItem } from '../../src/chat/viewStateProtocol';
import { QUIET_AFTER_TYPING_MS } from '../../src/webview/announcer';
import { ANNOUNCED } from '../harness/panelSandbox/announcedTable';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { heard, listen, typedAt } from '../harness/panelSandbox/spoken';
import { ANSWER, emptyState, streamingState } from '../harness/panelSandbox/states';

const { withPanel, message } = panelFixture();
const append = (text: string): Patch => ({ op: 'append', itemId: 'a1', blockId: 'x1', text });
const finish: Patch = { op: 'finish', itemId: 'a1', blockId: 'x1' };
const polite = async (panel: SandboxPanel) =>
  (await heard(panel)).filter(({ by }) => by === 'polite').map(({ text }) => text);

for (const { what, state, act, said } of ANNOUNCED) {
  test(`said once: ${what}`, async () => {
    await withPanel(state(), {}, async (panel) => {
      await listen(panel);
      await act(panel);
      // What is typed holds back what is polite, and this comes behind all that waits.
      const last = 'Permission mode: Plan';
      await panel.patch({ op: 'set', fields: { mode: 'plan' } });
      await eventually(async () => (await polite(panel)).includes(last));
      const all = (await heard(panel)).filter(({ text }) => text !== last);
      assert.equal(all.length, said.length, JSON.stringify(all));
      // Two regions that change in one frame have no order between them.
      for (const by of ['polite', 'assertive', 'status', 'alert'] as const) {
        const wanted = said.filter((one) => one[0] === by).map((one) => one[1]);
        const got = all.filter((one) => one.by === by).map(({ text }) => text);
        for (const [at, words] of wanted.entries())
          assert.ok(got[at]?.startsWith(words), `${by}: ${JSON.stringify(got)}`);
        assert.equal(got.length, wanted.length);
      }
    });
  });
}

test('an answer in 200 parts is said block by block, never a part, nothing twice', async () => {
  await withPanel(streamingState(''), {}, async (panel) => {
    await listen(panel);
    const size = Math.ceil(ANSWER.length / 200);
    for (let at = 0; at < ANSWER.length; at += size) {
      await panel.patch(append(ANSWER.slice(at, at + size)));
    }
    await panel.patch(finish);
    const blocks = panel.page.locator('.text .md-block');
    await eventually(async () => (await polite(panel)).at(-1) === 'Shall I go on');
    const whole = await blocks.evaluateAll((all) => all.map((one) => one.textContent.trim()));
    assert.deepEqual(await polite(panel), whole);
    assert.ok(whole.length >= 7);
    assert.deepEqual(
      (await heard(panel)).filter(({ by }) => by !== 'polite'),
      [],
    );
  });
});

test('of an answer that comes in one burst each block is said, once, in order', async () => {
  await withPanel(streamingState(''), {}, async (panel) => {
    await listen(panel);
    const paragraphs = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} of the burst.`);
    await panel.patch(append(paragraphs.join('\n\n')), finish);
    await eventually(async () => (await polite(panel)).length >= paragraphs.length);
    assert.deepEqual(await polite(panel), paragraphs);
  });
});

test('while the person types nothing of the answer is said; in the pause all of it, once, in order', async () => {
  await withPanel(streamingState(''), {}, async (panel) => {
    await listen(panel);
    await message(panel).focus();
    const words = 'and then look at the report'.split('');
    const paragraphs = words.map((_, at) => `Paragraph ${at}.`);
    for (const [at, letter] of words.entries()) {
      await panel.page.keyboard.type(letter);
      await panel.patch(append(`${paragraphs[at]}\n\n`));
    }
    await panel.patch(finish);
    await eventually(async () => (await polite(panel)).length >= paragraphs.length);
    assert.deepEqual(await polite(panel), paragraphs);
    // However slow the machine was: what was said came so long after a letter, and not sooner.
    const typed = await typedAt(panel);
    assert.equal(typed.length, words.length);
    for (const { by, text, at } of await heard(panel)) {
      const before = typed.filter((time) => time < at).at(-1) ?? -Infinity;
      if (by === 'polite') assert.ok(at - before >= QUIET_AFTER_TYPING_MS - 1, text);
    }
  });
});

test('nothing is said again by a loss on the way, the focus view, or a view that is made anew', async () => {
  await withPanel(streamingState(''), {}, async (panel) => {
    await listen(panel);
    await panel.patch(append('One.\n\nTwo.\n\nThree, st'));
    await eventually(async () => (await polite(panel)).length === 2);
    panel.skip();
    panel.hold(streamingState('One.\n\nTwo.\n\nThree, still.\n\nFo'));
    await panel.patch(append('lost'));
    await eventually(async () => (await polite(panel)).length === 3);
    for (const focusView of [true, false]) {
      await panel.patch({ op: 'set', fields: { focusView } });
      await panel.page.getByRole('log').getByText('Three, still.').waitFor();
    }
    assert.deepEqual(await polite(panel), ['One.', 'Two.', 'Three, still.']);
    await panel.page.reload();
    await listen(panel);
    await panel.page.getByRole('log').getByText('Three, still.').waitFor();
    await panel.patch(append('ur.'), finish);
    await eventually(async () => (await polite(panel)).includes('Four.'));
    assert.deepEqual(await polite(panel), ['Four.']);
  });
});

test('failures of a conversation that is opened, or drawn anew, are no news; one that was lost on the way is', async () => {
  const failed = (n: number): TranscriptItem[] => [
    { kind: 'user', id: `u${n}`, text: `Question ${n}` },
    { kind: 'error', id: `e${n}`, message: `It failed ${n}.`, actions: [] },
  ];
  const talk = (...numbers: readonly number[]) => ({
    ...emptyState(),
    items: numbers.flatMap(failed),
  });
  const alerts = async (panel: SandboxPanel) =>
    (await heard(panel)).filter(({ by }) => by === 'alert').map(({ text }) => text);
  await withPanel(emptyState(), {}, async (panel) => {
    await listen(panel);
    await panel.snapshot(talk(0, 1));
    await panel.page.getByText('It failed 1.').waitFor();
    assert.deepEqual(await alerts(panel), []);
    await panel.patch(...failed(2).map((item): Patch => ({ op: 'item', item })));
    await eventually(async () => (await alerts(panel)).length === 1);
    await panel.snapshot(talk(0, 1, 2, 3));
    await eventually(async () => (await alerts(panel)).length === 2);
    assert.deepEqual(await alerts(panel), ['It failed 2.', 'It failed 3.']);
  });
});
