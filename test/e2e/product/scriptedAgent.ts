import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { FakeStep } from '../../harness/fakeCli/fakeCliScript';
import type { AgentStandIn } from '../../harness/product/agentStandIn';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

type Json = Readonly<Record<string, unknown>>;

let messages = 0;

/** One message of the model, as the CLI tells it. */
function assistant(block: Json): FakeStep {
  messages += 1;
  const id = `msg_s${messages}`;
  return {
    line: {
      type: 'assistant',
      message: { id, role: 'assistant', content: [block] },
      parent_tool_use_id: null,
      uuid: `a-${id}-$UUID`,
    },
  };
}

const words = (text: string): FakeStep => assistant({ type: 'text', text });
const call = (id: string, name: string, input: Json): FakeStep =>
  assistant({ type: 'tool_use', id, name, input });

function result(id: string, content: string, data: unknown): FakeStep {
  const blocks = [{ type: 'tool_result', tool_use_id: id, content }];
  return {
    line: {
      type: 'user',
      message: { role: 'user', content: blocks },
      parent_tool_use_id: null,
      tool_use_result: data,
      uuid: `u-${id}-$UUID`,
    },
  };
}

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
}
