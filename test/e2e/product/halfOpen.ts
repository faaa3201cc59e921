import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { LONG_TURN_MS } from '../../../src/host/finishedTurns';
import { message, say, text, type Step } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { gate } from '../../harness/product/dialogue';
import type { Scene } from '../../harness/product/scene';
import { pressNotice, runCommand } from '../../harness/workbench';
import { begin } from './begin';

const LONG = 'take your time with the storks';
const LETTERS = 'say it letter by letter';
const WHOLE = 'say it in one piece';
const LETTER_MS = 40;

/** Each construct is half open for a while. */
const TEXT = `# Two *of* the \`kinds\`

1. **bold _and_ more**, ~~gone~~
   - [x] a task
   - [link](https://a.example/b "t")

| a | b |
|---|:-:|
| 1 | \`|\` |

> quoted \\*star\\* &amp; <b>no html</b>

\`\`\`ts
const a = '<x>'; // 1
\`\`\`

$x_1 * y$ and src/cart.ts:3 ![p](q.png)

---
The end.`;

/** What is drawn of an answer's text. */
const drawn = (answer: Locator): Promise<string> =>
  answer.locator('.text').evaluateAll((all) => all.map((one) => one.innerHTML).join('\n'));

/** Counts the looks that the answer has had, in the page. */
const COUNT_LOOKS = (article: Element): void => {
  const looks = new Set<string>();
  new MutationObserver(() => {
    looks.add(article.textContent);
    article.setAttribute('data-looks', String(looks.size));
  }).observe(article, { childList: true, subtree: true, characterData: true });
};

/** A text that comes in the smallest pieces, while somewhere else a long turn runs. */
export function halfOpen(scene: Scene): void {
  const hidden = gate();
  let began = 0;

  scene('a text that came letter by letter ends as the same text in one piece', async (product) => {
    const { dialogue, page, panel } = product;
    dialogue.on(LONG, message([text('I look.'), hidden.step, text(' They nest.')]));
    const letters = TEXT.split('').flatMap((letter) => [text(letter), letterPause()]);
    dialogue.on(LETTERS, message(letters));
    dialogue.on(WHOLE, say(TEXT));
    await begin(product);
    await panel.send(LONG);
    await panel.articles('Claude').getByText('I look.').waitFor();
    began = Date.now();
    await runCommand(page, 'Patchbay: Open in editor tab');
    await product.hide();
    const tab = product.tabPanel;
    await tab.send(LETTERS);
    const streamed = tab.articles('Claude').first();
    await streamed.evaluate(COUNT_LOOKS);
    await tab.waitForAnswer(0);
    await streamed.getByText('The end.').waitFor();
    const looks = Number(await streamed.getAttribute('data-looks'));
    assert.ok(looks > 30, `${looks} looks of ${TEXT.length} letters`);
    await tab.send(WHOLE);
    const whole = await tab.waitForAnswer(1);
    await whole.getByText('The end.').waitFor();
    // Colours of code come a moment later.
    await eventually(async () => (await drawn(streamed)) === (await drawn(whole)));
    const { length } = await drawn(whole);
    assert.ok(length > TEXT.length, `${length} characters`);
  });

  scene('a turn that took long and ends where nobody sees it tells so', async (product) => {
    const { page } = product;
    await product.hide();
    // Most of it has gone by with the letters.
    await eventually(() => Date.now() - began > LONG_TURN_MS);
    hidden.open();
    const toast = page.locator('.notification-list-item', {
      hasText: `The agent is done: ${LONG}`,
    });
    await pressNotice(page, toast, 'Show');
    await product.panel.articles('Claude').getByText('They nest.').waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  scene('drawn from the disk it is the same once more', async (product) => {
    const { page } = product;
    const tab = product.tabPanel;
    const before = await drawn(tab.articles('Claude').nth(1));
    await product.reload();
    const answers = tab.articles('Claude');
    await answers.nth(1).getByText('The end.').waitFor();
    for (const at of [0, 1])
      await eventually(async () => (await drawn(answers.nth(at))) === before);
    await runCommand(page, 'View: Close All Editors');
  });
}

/** Each letter comes by itself, not in one piece with the next. */
function letterPause(): Step {
  return {
    kind: 'pause',
    get until() {
      return new Promise((resolve) => setTimeout(resolve, LETTER_MS));
    },
  };
}
