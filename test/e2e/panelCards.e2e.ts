import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { tool } from '../harness/panelSandbox/states';
import { PIXELS, resultOf, toolsState } from '../harness/panelSandbox/toolStates';

const { withPanel, message, overflows } = panelFixture();

const row = (panel: SandboxPanel, name: string) =>
  panel.page.getByRole('group', { name, exact: true });
const open = (panel: SandboxPanel, name: string) =>
  panel.page.getByRole('button', { name, exact: true }).click();
const link = (panel: SandboxPanel, name: string) =>
  panel.page.getByRole('link', { name, exact: true });

test('a command shows itself whole, in colour, with the end of its output folded to its size', async () => {
  await withPanel(toolsState(), {}, async (panel) => {
    await open(panel, 'Run a command, failed');
    const card = row(panel, 'Run a command, failed');
    await card
      .getByRole('group', { name: 'Command' })
      .getByText('npm test -- --coverage')
      .waitFor();
    const output = card.getByRole('group', { name: 'Result' });
    const shown = (await output.textContent()) ?? '';
    assert.ok(shown.endsWith('Tests: 1 failed, 60 passed'), shown);
    assert.ok(!shown.includes('case 3 '), shown);
    const red = output.getByText('1 failed', { exact: true });
    assert.equal(await red.getAttribute('class'), 'ansi-1');
    await card.getByRole('button', { name: 'Show more of 65 lines' }).click();
    assert.match((await output.textContent()) ?? '', /case 3 /);
    await card.getByRole('button', { name: 'Show less' }).waitFor();
    await link(panel, 'src/pricing.ts:41:9').click();
    await eventually(() => panel.sent('openLink').length === 1);
    assert.equal(panel.sent('openLink')[0]?.href, 'src/pricing.ts:41:9');
  });
});

test('what was read, searched and found is named, and leads there', async () => {
  await withPanel(toolsState(), {}, async (panel) => {
    await open(panel, 'Read a file, done');
    await row(panel, 'Read a file, done').getByText('lines 41–58 of 212').waitFor();
    await link(panel, 'src/pricing.ts').click();
    await open(panel, 'Search in files, done');
    await row(panel, 'Search in files, done').getByText('in src, *.ts').waitFor();
    await link(panel, 'src/report.ts:14').click();
    await open(panel, 'Search the web, done');
    await link(panel, 'Signals – Preact Guide').click();
    await eventually(() => panel.sent('openLink').length === 3);
    assert.deepEqual(
      panel.sent('openLink').map(({ href }) => href),
      [
        '/home/me/shop/src/pricing.ts:41',
        'src/report.ts:14',
        'https://preactjs.com/guide/v10/signals/',
      ],
    );
  });
});

test('to-dos are a checklist that stands open at its latest row, and is live', async () => {
  await withPanel(toolsState(), {}, async (panel) => {
    const list = panel.page.getByRole('list', { name: 'To-dos', exact: true });
    const lines = () => list.getByRole('listitem').allTextContents();
    await list.waitFor();
    assert.deepEqual(await lines(), [
      'done:Find all uses of calcTotal',
      'in progress:Renaming the uses',
      'to do:Run the tests and update the snapshot',
    ]);
    const entries = [{ text: 'Run the tests', state: 'done' as const }];
    const later = tool('b9', {
      title: 'To-dos',
      name: 'TodoWrite',
      todos: { isLatest: true, entries },
    });
    const before = {
      ...tool('b5', { title: 'To-dos', name: 'TodoWrite' }),
      todos: { isLatest: false, entries: [] },
    };
    await panel.patch(
      { op: 'block', itemId: 'a1', block: before },
      { op: 'block', itemId: 'a1', block: later },
    );
    await eventually(async () => (await lines()).join() === 'done:Run the tests');
  });
});

test('a list of records is a table, a report is markdown, and both have their raw result', async () => {
  await withPanel(toolsState(), {}, async (panel) => {
    await open(panel, 'Open orders, done');
    const orders = row(panel, 'Open orders, done');
    await orders.getByRole('columnheader', { name: 'customer' }).waitFor();
    assert.equal(await orders.getByRole('row').count(), 3);
    await orders.getByText('and 1 more rows').waitFor();
    await orders.getByRole('button', { name: 'Raw result' }).click();
    assert.match(
      (await orders.getByRole('group', { name: 'Raw result' }).textContent()) ?? '',
      /^\[\{"id":4711/,
    );
    await open(panel, 'Agent, done');
    const agent = row(panel, 'Agent: Find all callers');
    await agent.locator('strong').getByText('Twelve callers').waitFor();
    await agent.getByRole('button', { name: 'Raw result' }).click();
    await agent.getByText('**Twelve callers**').waitFor();
  });
});

test('pictures are asked for when their row is opened, and grow when pressed', async () => {
  await withPanel(toolsState(), {}, async (panel) => {
    await message(panel).waitFor();
    assert.equal(panel.sent('loadImage').length, 0);
    await open(panel, 'Take a picture, done');
    await eventually(() => panel.sent('loadImage').length === 2);
    const image = { mediaType: 'image/png', data: PIXELS };
    await panel.send({ type: 'image', toolUseId: 'b7', index: 0, image });
    await panel.send({ type: 'image', toolUseId: 'b7', index: 1 });
    await panel.page.getByText('Image 2 (image/png) is not kept any more').waitFor();
    const picture = panel.page.getByRole('button', { name: 'Image 1', exact: true });
    await eventually(() =>
      picture
        .locator('img')
        .evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth === 10),
    );
    await picture.click();
    await panel.page.getByRole('button', { name: 'Image 1', pressed: true }).waitFor();
    assert.deepEqual(panel.requests, []);
  });
});

test('of a result of 5 MB the view has a part, says so, and opens all of it', async () => {
  const part = Array.from({ length: 900 }, (_, n) => `line ${n}`).join('\n');
  const block = tool('b1', {
    name: 'Bash',
    title: 'Run a command',
    result: resultOf(part, { size: 5_000_000, lines: 600_000, isEnd: true }),
  });
  await withPanel(toolsState([block]), {}, async (panel) => {
    await open(panel, 'Run a command, done');
    await panel.page.getByRole('button', { name: 'Show more of 600,000 lines' }).waitFor();
    await panel.page.getByText('The last 8k of 5M characters').waitFor();
    await panel.page.getByRole('button', { name: 'Open all of it' }).click();
    await eventually(() => panel.sent('showResult').length === 1);
    assert.equal(panel.sent('showResult')[0]?.toolUseId, 'b1');
  });
});

test('300 calls and 50 pictures in a turn are drawn and stay quick to open', async () => {
  const calls = Array.from({ length: 300 }, (_, n) =>
    tool(`c${n}`, { title: `Call ${n}`, result: resultOf('x') }),
  );
  const images = Array.from({ length: 50 }, () => ({ mediaType: 'image/png', bytes: 81 }));
  const pictures = tool('p', { title: 'Pictures', result: resultOf('', { images }) });
  await withPanel(toolsState([...calls, pictures]), {}, async (panel) => {
    await open(panel, 'Pictures, done');
    await eventually(() => panel.sent('loadImage').length === 50);
    for (let index = 0; index < 50; index += 1) {
      const image = { mediaType: 'image/png', data: PIXELS };
      await panel.send({ type: 'image', toolUseId: 'p', index, image });
    }
    await eventually(async () => (await panel.page.locator('.result-picture img').count()) === 50);
    await open(panel, 'Call 0, done');
    await row(panel, 'Call 0, done').getByRole('group', { name: 'Result' }).waitFor();
    assert.equal(await overflows(panel), false);
  });
});

test('a call that takes long shows for how long', async () => {
  const startedAt = Date.now() - 75_000;
  const block = tool('b1', { title: 'Run a command', state: 'running', startedAt });
  await withPanel(toolsState([block]), {}, async (panel) => {
    await row(panel, 'Run a command, running')
      .getByText(/^(7[5-9]|8\d) s$|^[12] min$/)
      .waitFor();
  });
});

for (const [theme, width] of [
  ['dark', 400],
  ['light', 300],
  ['hc', 300],
  ['hcLight', 400],
] as const) {
  test(`open cards at ${width} px in the theme ${theme}: nothing is sideways, axe finds nothing`, async () => {
    await withPanel(toolsState(), { theme, width, height: 2600 }, async (panel) => {
      await message(panel).waitFor();
      const folded = panel.page.locator('.column [aria-expanded="false"]');
      while ((await folded.count()) > 0) await folded.first().click();
      assert.equal(await overflows(panel), false);
      assert.deepEqual(await axeFindings(panel.page), []);
    });
  });
}
