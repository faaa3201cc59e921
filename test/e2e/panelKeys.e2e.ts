import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { emptyState, workState } from '../harness/panelSandbox/states';

const { withPanel, message } = panelFixture();

test('Up and Down go through what was said; an edited text stays, and its lines are walked', async () => {
  const said = ['first', 'second\nline'].map((text, n) => ({
    kind: 'user' as const,
    id: `${n}`,
    text,
  }));
  await withPanel({ ...emptyState(), items: said }, {}, async (panel) => {
    const box = message(panel);
    const after = async (key: string): Promise<string> => {
      await box.press(key);
      return box.inputValue();
    };
    assert.equal(await after('ArrowUp'), 'second\nline');
    assert.equal(await after('ArrowUp'), 'first');
    assert.equal(await after('ArrowUp'), 'first');
    assert.equal(await after('ArrowDown'), 'second\nline');
    await box.press('!');
    assert.equal(await after('ArrowUp'), 'second\nline!');
    assert.equal(await after('ArrowDown'), 'second\nline!');
    await box.fill('');
    assert.equal(await after('ArrowUp'), 'second\nline');
    // In the middle of the text the keys move the caret.
    await box.press('ArrowLeft');
    assert.equal(await after('ArrowUp'), 'second\nline');
    await box.press('End');
    await box.press('Control+End');
    assert.equal(await after('ArrowDown'), '');
    assert.equal(await after('ArrowDown'), '');
  });
});

test('a key that the panel has taken does not reach the editor’s own key bindings', async () => {
  await withPanel(workState(), {}, async (panel) => {
    await message(panel).focus();
    // There VS Code listens, and hands on what it hears.
    await panel.page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      window.addEventListener('keydown', ({ key }) => void heard.push(key));
    });
    const heard = () => panel.page.evaluate<string[]>('window.heard.splice(0)');
    for (const key of ['Escape', 'Control+f', 'Alt+ArrowUp', 'ArrowUp', 'Control+Enter']) {
      await panel.page.keyboard.press(key);
      const pressed = (await heard()).filter((one) => one !== 'Control' && one !== 'Alt');
      assert.deepEqual(pressed, [], key);
      await message(panel).focus();
    }
    for (const key of ['F1', 'Control+p', 'Control+Shift+P']) {
      await panel.page.keyboard.press(key);
      assert.ok((await heard()).includes(key.split('+').at(-1) ?? ''), key);
    }
  });
});
