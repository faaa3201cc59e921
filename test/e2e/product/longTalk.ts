import assert from 'node:assert/strict';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { pngBytes } from '../../harness/pictureBytes';
import type { Product } from '../../harness/product/product';
import { StoredTalk } from '../../harness/product/storedTalk';
import type { Scene } from '../../harness/product/scene';
import { openConversations } from '../../harness/product/openConversations';

const TITLE = 'The great stocktaking';
const FIRST = 'begin the stocktaking with the zqParsnips';
const TURNS = 150;
const CALLS = 300;
const PICTURES = 50;
const LAST = 'All shelves are counted.';
const NEXT = 'and what comes now?';

/** Said in a terminal: a turn of 300 calls, a message with 50 pictures, an end that a kill has torn. */
async function store({ workspace, configFolder }: Product): Promise<void> {
  const talk = new StoredTalk(workspace);
  for (let turn = 1; turn <= TURNS; turn += 1) {
    talk.said(turn === 1 ? FIRST : `count shelf ${turn}`);
    const isMarked = [3, 75, TURNS - 2].includes(turn);
    talk.answered(`Shelf ${turn} has ${turn * 3} boxes${isMarked ? ', and a zqNeedle' : ''}.`);
  }
  talk.said('count every drawer');
  for (let call = 1; call <= CALLS; call += 1) {
    const stdout = `drawer ${call}`;
    const input = { command: `count ${call}`, description: 'Count' };
    talk.called('Bash', input, stdout, { stdout, stderr: '', interrupted: false });
  }
  talk.answered('All drawers are counted.');
  const colour = (at: number) => pngBytes(40, 30, [at * 5, 80, 255 - at * 5]);
  talk.said(
    'and these?',
    Array.from({ length: PICTURES }, (_, at) => colour(at)),
  );
  talk.answered(LAST);
  talk.titled(TITLE);
  talk.torn();
  await talk.write(configFolder);
}

/** The words that the find bar has marked, and whether the reader sees them. */
function marked({ frame }: Product): Promise<{ readonly words: string; readonly isSeen: boolean }> {
  return frame.getByRole('log', { name: 'Conversation', exact: true }).evaluate((log) => {
    const [range] = CSS.highlights.get('find-current') ?? [];
    if (!(range instanceof Range)) return { words: '', isSeen: false };
    const [box, place] = [log.getBoundingClientRect(), range.getBoundingClientRect()];
    return {
      words: range.startContainer.parentElement?.textContent ?? '',
      isSeen: place.height > 0 && place.top >= box.top && place.bottom <= box.bottom,
    };
  });
}

/** A conversation that is far longer than what is drawn of it. */
export function longTalk(scene: Scene): void {
  scene(
    'a long conversation of a terminal is found by its first words and drawn from the disk',
    async (product) => {
      const { frame, page, panel, model } = product;
      await store(product);
      const asked = model.requests.length;
      const dialog = await openConversations(product);
      const rows = dialog.getByRole('option');
      await rows.filter({ hasText: TITLE }).waitFor();
      await page.keyboard.type('zqparsnips');
      await eventually(async () => (await rows.count()) === 1);
      await rows.getByText(TITLE).waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await panel.articles('Claude').getByText(LAST).waitFor();
      await frame.getByRole('heading', { level: 1 }).getByText(TITLE, { exact: true }).waitFor();
      // Only what is around the view is drawn.
      assert.ok((await panel.allArticles.count()) < TURNS);
      assert.equal(model.requests.length, asked, 'nobody was asked');
    },
  );

  scene('fifty pictures of one message are drawn', async (product) => {
    const { frame, panel } = product;
    await panel.scrollToEnd();
    const pictures = panel.articles('You').last().locator('.picture');
    await eventually(async () => (await pictures.count()) === PICTURES);
    await pictures.first().scrollIntoViewIfNeeded();
    await eventually(() =>
      frame.locator('article.user .picture').evaluateAll((all) =>
        all.every((one) => {
          const image = one.querySelector('img');
          return image !== null && image.naturalWidth > 0;
        }),
      ),
    );
  });

  scene('words are found where nothing is drawn, forwards and backwards', async (product) => {
    const { frame, page, panel } = product;
    await panel.message.focus();
    await page.keyboard.press('Control+f');
    const bar = frame.getByRole('search', { name: 'Find in conversation', exact: true });
    await bar.waitFor();
    await page.keyboard.type('ZQneedle');
    const isAt = async (count: string, shelf: number): Promise<void> => {
      await bar.getByText(count, { exact: true }).waitFor();
      await eventually(async () => {
        const { words, isSeen } = await marked(product);
        return isSeen && words.startsWith(`Shelf ${shelf} `);
      });
    };
    await isAt('3 of 3', TURNS - 2);
    await page.keyboard.press('Enter');
    await isAt('2 of 3', 75);
    await bar.getByRole('button', { name: 'Previous match', exact: true }).click();
    await isAt('1 of 3', 3);
    // Round the end, and back again.
    await bar.getByRole('button', { name: 'Previous match', exact: true }).click();
    await isAt('3 of 3', TURNS - 2);
    await bar.getByRole('button', { name: 'Next match', exact: true }).click();
    await isAt('1 of 3', 3);
    await frame.getByRole('button', { name: 'Close find', exact: true }).click();
    await bar.waitFor({ state: 'detached' });
  });

  scene(
    'own messages are gone through from anywhere, and one press leads to the end',
    async (product) => {
      const { frame, page, panel } = product;
      const log = frame.getByRole('log', { name: 'Conversation', exact: true });
      const focused = () =>
        log.evaluate(() => document.activeElement?.querySelector('.user-text')?.textContent ?? '');
      await log.focus();
      await page.keyboard.press('Control+Home');
      await eventually(() => log.evaluate((box) => box.scrollTop === 0));
      await page.keyboard.press('Alt+ArrowDown');
      await eventually(async () => /^count shelf \d+$/.test(await focused()));
      const from = Number(/\d+/.exec(await focused())?.[0]);
      for (let step = 1; step <= 60; step += 1) {
        await page.keyboard.press('Alt+ArrowDown');
        await eventually(async () => (await focused()) === `count shelf ${from + step}`);
      }
      await page.keyboard.press('Alt+ArrowUp');
      await eventually(async () => (await focused()) === `count shelf ${from + 59}`);
      await frame.getByRole('button', { name: 'Jump to latest', exact: true }).click();
      await panel.articles('Claude').getByText(LAST).waitFor();
    },
  );

  scene('a turn of 300 calls has them all, and the conversation goes on', async (product) => {
    const { dialogue, panel, frame, page } = product;
    dialogue.on(NEXT, say('Now we rest.'));
    await panel.message.focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('All drawers');
    const bar = frame.getByRole('search', { name: 'Find in conversation', exact: true });
    await bar.getByText('1 of 1', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const calls = frame.getByRole('group', { name: 'Run a command, done', exact: true });
    assert.equal(await calls.count(), CALLS);
    const call = calls.nth(149);
    await call.getByRole('button', { name: 'Run a command, done', exact: true }).click();
    const output = call.getByRole('group', { name: 'Result', exact: true });
    await eventually(async () => (await output.innerText()).trim() === 'drawer 150');
    await panel.send(NEXT);
    await panel.articles('Claude').getByText('Now we rest.').waitFor();
    await panel.waitForStatus(/^Idle/);
    const said = JSON.stringify(product.requestsFor(NEXT)[0]?.body.messages);
    assert.ok(said.includes('zqParsnips') && said.includes(LAST), 'the agent knows what was said');
  });
}
