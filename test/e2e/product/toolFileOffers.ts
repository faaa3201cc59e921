import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';
import { take } from './suggestions';
import { forget } from './toolFiles';

const FILE = '.patchbay/tools/larder.tool.ts';
const SOURCE = `import { definePrompt, defineResource, defineTool, z } from 'patchbay';

export const stock = defineTool({
  title: 'Stock of the larder',
  description: 'Lists what is in the larder.',
  annotations: { readOnlyHint: true },
  run: () => [
    { jar: 'zqQuince', left: 3 },
    { jar: 'zqPlum', left: 12 },
  ],
});

export const shelf = defineResource({
  uri: 'shelf://{name}',
  mimeType: 'text/plain',
  list: () => [{ uri: 'shelf://top', name: 'The top shelf' }],
  read: ({ name }) => 'On the shelf ' + name + ': zqMarmalade',
});

export const order = definePrompt({
  description: 'Writes an order for the larder.',
  arguments: { jar: z.string(), count: z.coerce.number().default(1) },
  run: ({ jar, count }) => 'Write an order of ' + count + ' jars of ' + jar + '.',
});
`;
const TOOL = 'mcp__workspace__stock';
const READY = 'do you have the tool?';
const STOCK = 'what is in the larder?';
const SHELF = 'what is there?';
const ORDER = 'Write an order of 4 jars of zqPlum.';

/** What a tool file brings stands where the person looks for it. */
export function toolFileOffers(scene: Scene): void {
  scene(
    'a resource of a tool file goes with a message, and its prompt asks for what it takes',
    async (product) => {
      const { dialogue, frame, page, panel, workspace } = product;
      dialogue.on(/what is there\?$/, say('Marmalade.'));
      dialogue.on(ORDER, say('Four plums are ordered.'));
      const file = path.join(workspace, FILE);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, SOURCE);
      await begin(product);
      const card = panel.approval(/^Approval: Tool files of /);
      await card.getByRole('button', { name: 'Approve', exact: true }).click();
      await card.waitFor({ state: 'detached' });

      const box = await take(product, '@shelf', 'Mentions', /The top shelf/);
      assert.equal(await box.inputValue(), '@workspace:shelf://top ');
      await page.keyboard.type(SHELF);
      await page.keyboard.press('Enter');
      await (await panel.waitForAnswer(0)).getByText('Marmalade.').waitFor();
      const [request] = product.model.requests.filter(({ turn }) => turn.prompt.endsWith(SHELF));
      const sent = JSON.stringify(request?.body.messages);
      assert.ok(sent.includes('On the shelf top: zqMarmalade'), sent);
      await frame.getByRole('button', { name: /^Sent: shelf:\/\/top of workspace/ }).waitFor();

      await take(product, '/order', 'Commands', /\/workspace:order[^]*jar, count \(optional\)/);
      await eventually(async () => (await box.inputValue()) === '/workspace:order jar=');
      await page.keyboard.type('zqPlum count=4');
      await page.keyboard.press('Enter');
      await (await panel.waitForAnswer(1)).getByText('Four plums are ordered.').waitFor();
      assert.equal(product.requestsFor(ORDER).length, 1);
    },
  );

  scene('a tool gives its records as a table, with its own title', async (product) => {
    const { dialogue, panel } = product;
    try {
      dialogue.on(STOCK, message([toolUse(TOOL)]), say('Two kinds.'));
      dialogue.on(READY, say('I look.'));
      // The agent hears of new tools in its own time, and tells the model at its next turn.
      await eventually(async () => {
        const asked = await panel.articles('Claude').count();
        await panel.send(READY);
        await panel.waitForAnswer(asked);
        const turn = product.requestsFor(READY).at(-1)?.turn;
        return turn?.tools.includes(TOOL) === true || turn?.context.includes(TOOL) === true;
      });
      const number = await panel.articles('Claude').count();
      await panel.send(STOCK);
      const ask = panel.permission(/^Permission request: /);
      await ask.getByText('Stock of the larder').first().waitFor();
      await ask.getByRole('button', { name: 'Allow once', exact: true }).click();
      const answer = await panel.waitForAnswer(number);
      await answer.getByText('Two kinds.').waitFor();
      const row = answer.getByRole('group', { name: 'Stock of the larder, done', exact: true });
      await row.getByRole('button', { name: 'Stock of the larder, done', exact: true }).click();
      await row.getByRole('columnheader', { name: 'jar', exact: true }).waitFor();
      assert.deepEqual(await row.getByRole('cell').allInnerTexts(), [
        'zqQuince',
        '3',
        'zqPlum',
        '12',
      ]);
      await row.getByRole('button', { name: 'Raw result', exact: true }).click();
      const raw = await row.getByRole('group', { name: 'Raw result', exact: true }).innerText();
      assert.deepEqual(JSON.parse(raw), [
        { jar: 'zqQuince', left: 3 },
        { jar: 'zqPlum', left: 12 },
      ]);
    } finally {
      await forget(product);
    }
  });
}
