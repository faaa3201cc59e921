import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { FakeStep } from '../../harness/fakeCli/fakeCliScript';
import type { AgentStandIn } from '../../harness/product/agentStandIn';
import type { Scene } from '../../harness/product/scene';
import { assistant, call, result, words } from './agentStream';
import { begin } from './begin';

type Json = Readonly<Record<string, unknown>>;

const MATCHES = 'src/cart.ts:3:export interface CartLine {\nsrc/pricing.ts:12:cart: CartLine';
const WEB = [
  { title: 'Growing quinces', url: 'https://garden.example/quince' },
  { title: 'A command', url: 'command:workbench.action.terminal.new' },
];
const todos = (...states: readonly string[]): Json => ({
  todos: states.map((status, at) => ({
    ...{ content: `Water bed ${at + 1}`, status, activeForm: `Watering bed ${at + 1}` },
  })),
});
/** A line of 64 characters; 5 MB of them. */
const LINE = `${'0123456789'.repeat(6)}abc\n`;
const LARGE = LINE.repeat(Math.ceil(5_000_000 / LINE.length));

const TURN: readonly FakeStep[] = [
  call('search', 'Grep', { pattern: 'CartLine', path: 'src', output_mode: 'content' }),
  result('search', MATCHES, { mode: 'content', numFiles: 2, numLines: 2, content: MATCHES }),
  call('web', 'WebSearch', { query: 'how to grow quinces' }),
  result('web', 'Links: …', {
    query: 'how to grow quinces',
    results: ['Some words', { tool_use_id: 'srv', content: WEB }],
    durationSeconds: 1,
  }),
  call('todo-1', 'TodoWrite', todos('in_progress', 'pending')),
  result('todo-1', 'Todos have been modified', {}),
  words('I water.'),
  { gate: 'watered' },
  call('todo-2', 'TodoWrite', todos('completed', 'in_progress')),
  result('todo-2', 'Todos have been modified', {}),
  call('large', 'Fetch_everything', { what: 'all' }),
  result('large', LARGE, {}),
  words('That was all of it.'),
  { result: {} },
];

const MODELS = [
  { value: 'large', displayName: 'Large', description: 'Thinks long' },
  { value: 'small', displayName: 'Small', description: 'Is quick' },
];
/** One helper whose call comes first, and one that speaks before its call is there. */
const LATE: readonly FakeStep[] = [
  assistant({ type: 'text', text: 'I would rather not' }, null, 'a-declined'),
  {
    line: {
      type: 'system',
      subtype: 'model_refusal_fallback',
      fallback_model: 'Small',
      retracted_message_uuids: ['a-declined'],
    },
  },
  words('I ask around.'),
  call('one', 'Agent', { description: 'first helper', prompt: 'look' }),
  call('read-late', 'Read', { file_path: 'late.txt' }, 'two'),
  call('read-early', 'Read', { file_path: 'early.txt' }, 'one'),
  { gate: 'called' },
  call('two', 'Agent', { description: 'second helper', prompt: 'look' }),
  result('read-late', 'late', {}, 'two'),
  result('read-early', 'early', {}, 'one'),
  result('one', 'seen', {}),
  result('two', 'seen', {}),
  words('Both have answered.'),
  { result: {} },
];

/** Tools that the real CLI does not offer here, by a scripted one. */
export function scriptedAgent(scene: Scene, agent: AgentStandIn): void {
  const rowIn = (answer: Locator, name: string): Locator =>
    answer.getByRole('group', { name, exact: true });
  const open = (row: Locator): Promise<void> =>
    row
      .getByRole('button', { name: /, done$/ })
      .first()
      .click();

  scene(
    'a search, the web and a list of to-dos each show what matters of them',
    async (product) => {
      const { page, panel, workspace } = product;
      await agent.fake({ turns: [[...TURN]] });
      await begin(product);
      await panel.send('water the garden');
      const answer = panel.articles('Claude').first();
      await answer.getByText('I water.').waitFor();
      const search = rowIn(answer, 'Search in files, done');
      await search.locator('.tool-summary', { hasText: 'CartLine' }).waitFor();
      await search.locator('.figure', { hasText: '2 matches in 2 files' }).waitFor();
      const list = answer.getByRole('list', { name: 'To-dos', exact: true });
      const entries = async (): Promise<string> =>
        (await list.getByRole('listitem').allInnerTexts())
          .map((one) => one.replace(/\s+/g, ' ').trim())
          .join();
      await eventually(
        async () => (await entries()) === 'in progress: Watering bed 1,to do: Water bed 2',
      );
      // It looks for it in the folder in which it works.
      await writeFile(path.join(workspace, 'watered'), '');
      await panel.waitForAnswer(0);
      // It stands once, at its last state.
      await eventually(
        async () => (await entries()) === 'done: Water bed 1,in progress: Watering bed 2',
      );
      await open(search);
      await search.getByText('in src', { exact: true }).waitFor();
      await search.getByRole('link', { name: 'src/cart.ts:3', exact: true }).click();
      await page.locator('.tab.active', { hasText: 'cart.ts' }).waitFor();
      await page.locator('.statusbar').getByText('Ln 3, Col 1').waitFor();
      const web = rowIn(answer, 'Search the web, done');
      await open(web);
      const links = web.getByRole('list', { name: 'Results', exact: true }).getByRole('link');
      assert.deepEqual(await links.allInnerTexts(), ['Growing quinces']);
      await web.getByText('garden.example', { exact: true }).waitFor();
      await links.click();
      const question = page.locator('.monaco-dialog-box');
      await question.getByText('https://garden.example/quince').waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
    },
  );

  scene(
    'a result of five megabytes is folded with its size, and holds nobody up',
    async (product) => {
      const { panel } = product;
      const answer = panel.articles('Claude').first();
      const row = answer.getByRole('group', { name: /^Fetch everything, done$/ });
      await open(row);
      const output = row.getByRole('group', { name: 'Result', exact: true });
      await output.waitFor();
      const shown = (await output.innerText()).length;
      assert.ok(shown > 100 && shown < 20_000, `${shown} characters`);
      await row.getByRole('button', { name: /^Show more of/ }).waitFor();
      await row.getByText(/^The first \S+ of 5\S* characters/).waitFor();
      await panel.message.fill('still here');
      await panel.message.fill('');
      await panel.scrollToEnd();
      await answer.getByText('That was all of it.').waitFor();
    },
  );

  scene('what a sub-agent says before its call is there stands under it', async (product) => {
    const { panel, workspace } = product;
    await agent.fake({ turns: [[...LATE]], initialize: { response: { models: MODELS } } });
    await begin(product);
    await panel.send('ask two helpers');
    const answer = panel.articles('Claude').first();
    await answer.getByText('I ask around.').waitFor();
    await rowIn(answer, 'Agent: first helper').waitFor();
    const second = answer.getByRole('group', { name: /^Agent: second helper/ });
    const first = answer.getByRole('group', { name: /^Agent: first helper/ });
    // What has no place yet hides nowhere, and is nobody else's.
    await answer.getByText('late.txt').first().waitFor();
    assert.equal(await first.getByText('late.txt').count(), 0);
    await writeFile(path.join(workspace, 'called'), '');
    await panel.waitForAnswer(0);
    await answer.getByText('Both have answered.').waitFor();
    await second.waitFor();
    for (const [group, file, other] of [
      [first, 'early.txt', 'late.txt'],
      [second, 'late.txt', 'early.txt'],
    ] as const) {
      const fold = group.locator('[aria-expanded="false"]').first();
      if ((await fold.count()) > 0) await fold.click();
      await group.getByText(file).first().waitFor();
      assert.equal(await answer.getByText(file, { exact: true }).count(), 1);
      assert.equal(await group.getByText(other).count(), 0);
    }
  });

  scene(
    'who answers in whose place, and from where on, is said in a quiet line',
    async (product) => {
      const { frame, page, panel } = product;
      const log = frame.getByRole('log', { name: 'Conversation', exact: true });
      await log.getByText('The model declined; Small answers.', { exact: true }).waitFor();
      assert.equal(await log.getByText('I would rather not').count(), 0);
      await frame.getByRole('button', { name: 'Model: Large', exact: true }).click();
      const list = frame.getByRole('listbox', { name: /^Model/ });
      await list.getByRole('option', { name: /^Small/ }).click();
      const line = log.getByText('The model is now Small.', { exact: true });
      await line.waitFor();
      await panel.message.focus();
      await panel.send('and now?');
      await panel.waitForAnswer(1);
      const order = await log
        .locator('[role="article"], article, .quiet-line')
        .evaluateAll((all) =>
          all.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()),
        );
      assert.deepEqual(
        order.slice(-3).map((one) => /^(?:You|Claude)/.exec(one)?.[0] ?? one),
        ['The model is now Small.', 'You', 'Claude'],
      );
      await page.keyboard.press('Escape');
    },
  );
}
