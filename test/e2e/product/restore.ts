import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { message, say, text, toolUse } from '../../harness/model/script';
import { commandOf, untilNone } from '../../harness/processes';
import { eventually } from '../../harness/panelSandbox/eventually';
import { familyOf, parentOf, theCli } from '../../harness/product/agentFamily';
import { draftsOnDisk } from '../../harness/product/draftsOnDisk';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';

const SAID = 'remember the blue cart';
const NEXT = 'which cart was it?';
const LAST = 'and after the kill?';
const NAP = 'follow the cart';
const DRAFT = 'half a question';

/** A conversation of the side bar outlives its window, and the process behind it. */
export function restore(scene: Scene): void {
  scene('a conversation is back after the window was loaded anew, and goes on', async (product) => {
    const { dialogue, panel, frame } = product;
    await frame.getByRole('button', { name: 'New conversation', exact: true }).click();
    await panel.articles('You').first().waitFor({ state: 'detached' });
    dialogue.on(
      SAID,
      message([text('I look at it.'), toolUse('Read', { file_path: 'src/cart.ts' })]),
      say('The cart is blue.'),
    );
    dialogue.on(NEXT, say('The blue one.'));
    const number = await panel.articles('Claude').count();
    await panel.send(SAID);
    await (await panel.waitForAnswer(number)).getByText('The cart is blue.').waitFor();
    const before = await said(product);
    const agent = familyOf(await theCli());
    assert.ok(agent().length > 0);
    await product.reload();
    await untilNone(agent);
    await panel.articles('Claude').nth(number).getByText('The cart is blue.').waitFor();
    await isSaid(product, before);
    assert.equal(product.requestsFor(SAID).length, 2, 'nothing was asked again');

    await panel.send(NEXT);
    await (await panel.waitForAnswer(number + 1)).getByText('The blue one.').waitFor();
    const [request] = product.requestsFor(NEXT);
    assert.ok(JSON.stringify(request?.body.messages).includes('The cart is blue.'));
  });

  scene('a conversation is back after the extension host was killed', async (product) => {
    const { dialogue, panel } = product;
    dialogue.on(LAST, say('Still the blue one.'));
    // Reads only, so nobody is asked; it runs on beside the conversation.
    const command = 'tail -f src/cart.ts';
    dialogue.on(
      NAP,
      message([toolUse('Bash', { command, description: 'Follow', run_in_background: true })]),
      say('It is followed.'),
    );
    const first = await panel.articles('Claude').count();
    await panel.send(NAP);
    await (await panel.waitForAnswer(first)).getByText('It is followed.').waitFor();
    const number = await panel.articles('Claude').count();
    const before = await said(product);
    await panel.message.fill(DRAFT);
    await panel.message.blur();
    // A kill between the key and the file is not what this is about.
    const { dataFolder } = product.server;
    await eventually(async () => (await draftsOnDisk(dataFolder)).includes(DRAFT));
    const cli = await theCli();
    const agent = familyOf(cli);
    await eventually(() => agent().some((pid) => commandOf(pid).includes(command)));
    process.kill(await parentOf(cli), 'SIGKILL');
    // How long that may take, test/unit/cli/closeLimits.test.ts says.
    await untilNone(agent);
    await product.reload();
    await panel
      .articles('Claude')
      .nth(number - 1)
      .waitFor();
    await isSaid(product, before);
    await eventually(async () => (await panel.message.inputValue()) === DRAFT);
    await panel.send(LAST);
    await (await panel.waitForAnswer(number)).getByText('Still the blue one.').waitFor();
  });
}

/** The last scene: there is no window after it. */
export function closing(scene: Scene): void {
  scene('a closed window takes its agent with it', async ({ page, panel }) => {
    // One is started as soon as somebody is about to type, if none runs.
    await panel.message.blur();
    await panel.message.focus();
    const agent = familyOf(await theCli());
    // Left as a closed tab is left. Where the browser asks about changes that are not backed up yet,
    // it is tried again. Where it leaves before VS Code has told its server, that waits for a while.
    await eventually(() =>
      page.goto('about:blank').then(
        () => true,
        () => false,
      ),
    );
    await untilNone(agent);
  });
}

async function isSaid(product: Product, words: readonly string[]): Promise<void> {
  await eventually(async () => isDeepStrictEqual(await said(product), words)).catch(
    () => undefined,
  );
  assert.deepEqual(await said(product), words);
}

/** What the person reads, by speaker. Lengths of time are measured anew. */
async function said({ panel }: Product): Promise<readonly string[]> {
  await panel.scrollToEnd();
  const words = await panel.allArticles.allInnerTexts();
  return words.map((one) =>
    one
      .replace(/\d+(?:\.\d+)? m?s\b/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}
