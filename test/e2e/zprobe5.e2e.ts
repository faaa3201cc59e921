import { test } from 'node:test';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { emptyState, streamingState, text, tool } from '../harness/panelSandbox/states';
import { cardState, commandCard } from '../harness/panelSandbox/cardStates';
import { oneQuestion, smallForm, twoQuestions } from '../harness/panelSandbox/askStates';
import { planCard, planState } from '../harness/panelSandbox/planStates';
import { talkState } from '../harness/panelSandbox/talkStates';
import { longTalk } from '../harness/panelSandbox/longTalk';

const { withPanel, message, overflows } = panelFixture();
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
const probe = (name: string, fn: () => Promise<void>) =>
  test(name, async () => {
    try { await fn(); } catch (e) { console.log('!!', name, String(e).slice(0, 600)); }
  });
const focus = (panel: any) => panel.page.evaluate(() => { const a = document.activeElement as any; return `${a.tagName} ${a.ariaLabel ?? a.className} ${a.closest('[data-row]')?.dataset.row ?? ''}`; });
async function hold(panel: any, key: string, first = 550, times = 4) {
  await panel.page.keyboard.down(key);
  await wait(first);
  for (let i = 0; i < times; i += 1) { await panel.page.keyboard.down(key); await wait(30); }
  await panel.page.keyboard.up(key);
}
probe('form submit held', async () => {
  await withPanel({ ...streamingState(), asks: [smallForm()] }, {}, async (panel) => {
    const b = panel.page.getByRole('textbox', { name: 'Ticket' });
    await b.fill('x');
    await hold(panel, 'Enter', 300, 3);
    console.log('FORM', panel.sent('answerAsk').length);
    await panel.patch({ op: 'set', fields: { asks: [] } } as any);
    await wait(100);
    console.log('after', await focus(panel));
  });
});
probe('question: answer by keys, other words then option', async () => {
  await withPanel({ ...streamingState(), asks: [oneQuestion()] }, {}, async (panel) => {
    const other = panel.page.getByRole('textbox', { name: 'Other' });
    await other.fill('my own');
    await panel.page.getByRole('radio').first().press('Space');
    await wait(50);
    console.log('Q', await panel.page.getByRole('radio').evaluateAll((all: any) => all.map((r: any) => r.checked)));
    await panel.page.keyboard.press('ArrowUp');
    await wait(50);
    console.log('Q2', await panel.page.getByRole('radio').evaluateAll((all: any) => all.map((r: any) => r.checked)), await focus(panel));
    await panel.page.getByRole('button', { name: 'Answer', exact: true }).click();
    console.log('Q3', JSON.stringify(panel.sent('answerAsk')));
  });
});
probe('edit box & snapshot with composition text; streaming below', async () => {
  await withPanel({ ...talkState(), }, {}, async (panel) => {
    await panel.page.locator('[data-row=u2]').getByRole('button', { name: 'Edit', exact: true }).press('Enter');
    await wait(100);
    await panel.page.keyboard.type(' abc');
    await panel.page.keyboard.press('Control+z');
    await wait(50);
    const box = panel.page.getByRole('textbox', { name: 'Edit message' });
    console.log('EDITUNDO', JSON.stringify(await box.inputValue()));
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.type('X');
    await panel.patch({ op: 'item', item: { kind: 'user', id: 'u2', text: 'Changed by host', wireId: 'w-u2' } } as any);
    await panel.page.keyboard.type('Y');
    await wait(50);
    console.log('EDITITEM', JSON.stringify(await box.inputValue()), await box.evaluate((b: any) => b.selectionStart));
  });
});
probe('scroll: bottom grows while reading back', async () => {
  await withPanel(longTalk(60), { height: 700 }, async (panel) => {
    const log = panel.page.getByRole('log');
    await wait(300);
    await log.evaluate((l) => { l.scrollTop = l.scrollHeight / 2; });
    await wait(300);
    const probeTop = () => panel.page.evaluate(() => { const l = document.querySelector('[role=log]')!; const t = l.getBoundingClientRect().top; const a = [...document.querySelectorAll('[data-row]')].find((r) => r.getBoundingClientRect().bottom > t + 5)!; return [a.getAttribute('data-row'), Math.round(a.getBoundingClientRect().top)]; });
    const b = await probeTop();
    await panel.patch({ op: 'set', fields: { queue: Array.from({ length: 5 }, (_, n) => ({ id: `q${n}`, text: `wait ${n}` })), permissions: [commandCard()], status: { kind: 'waitingForPermission' } } } as any);
    await message(panel).focus();
    await panel.page.keyboard.type('a\nb'.repeat(1));
    await wait(300);
    console.log('SCROLL', b, await probeTop());
    // theme/font change
    await panel.patch({ op: 'set', fields: { fontSize: 20 } } as any);
    await wait(500);
    console.log('FONT', await probeTop());
    await panel.page.setViewportSize({ width: 300, height: 700 });
    await wait(500);
    console.log('WIDTH', await probeTop());
  });
});
probe('at end stays at end: font, width, queue', async () => {
  await withPanel(longTalk(60), { height: 700 }, async (panel) => {
    const log = panel.page.getByRole('log');
    await wait(300);
    const below = () => log.evaluate((o) => o.scrollHeight - o.scrollTop - o.clientHeight);
    const out = [await below()];
    await panel.patch({ op: 'set', fields: { fontSize: 20 } } as any); await wait(400); out.push(await below());
    await panel.page.setViewportSize({ width: 300, height: 700 }); await wait(400); out.push(await below());
    await panel.page.setViewportSize({ width: 900, height: 700 }); await wait(400); out.push(await below());
    await panel.patch({ op: 'set', fields: { fontSize: 11 } } as any); await wait(400); out.push(await below());
    console.log('END', out.join());
  });
});
probe('jump alt-up while find open etc', async () => {
  await withPanel(longTalk(60), { height: 700 }, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.press('Control+f'); await wait(200);
    await panel.page.getByRole('textbox', { name: 'Find', exact: true }).fill('Answer 30 ');
    await wait(500);
    console.log('F', await panel.page.locator('.find-count').textContent(), await panel.page.locator('[data-row=a30]').count());
    await panel.page.keyboard.press('Alt+ArrowUp'); await wait(300);
    console.log('J', await focus(panel));
    await panel.page.keyboard.press('Escape'); await wait(200);
    console.log('ESC', await focus(panel), await panel.page.locator('.find-bar').count());
  });
});
probe('mention in middle of long multi-line; click row by mouse keeps caret', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const box = message(panel);
    await box.fill('first line\nsee  and more\nlast');
    await box.evaluate((b: any) => b.setSelectionRange(15, 15));
    await box.focus();
    await panel.page.keyboard.type('@ca');
    await wait(100);
    const q = panel.sent('suggest').at(-1)!;
    await panel.send({ type: 'suggestions', queryId: q.queryId, answer: { rows: [{ id: '1', icon: 'file', label: 'cart.ts', insert: '@src/cart.ts ' }], notes: [], isPending: false } });
    await panel.page.getByRole('option').first().click();
    await wait(100);
    await panel.page.keyboard.type('Z');
    console.log('MID', JSON.stringify(await box.inputValue()));
    await panel.page.keyboard.press('Control+z'); await panel.page.keyboard.press('Control+z'); await wait(50);
    console.log('MIDU', JSON.stringify(await box.inputValue()));
  });
});
probe('stream of html-like / long line / rtl / math half', async () => {
  const src = 'A <details><summary>x</summary> and <b>bold\n\n$$\nx_1 * y\n\nnot closed `code **bold [link](http://a\n\n| a | b |\n|---|\n' + 'w'.repeat(5000) + '\n\n- [ ] task\n- [x] done\n\nשלום `code` world\n\n<!-- hidden -->\n\n[a]: http://x\n\n[a] and [^1]\n\n[^1]: note\n';
  await withPanel(streamingState(''), { width: 300 }, async (panel) => {
    for (let i = 0; i < src.length; i += 37) await panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text: src.slice(i, i + 37) });
    await panel.patch({ op: 'finish', itemId: 'a1', blockId: 'x1' });
    await wait(500);
    console.log('STREAM', await overflows(panel), JSON.stringify((await panel.page.locator('.text').last().innerText()).replace(/w{50,}/, 'W…')));
  });
});
