import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, toolUse } from '../../harness/model/script';
import type { Scene } from '../../harness/product/scene';

const RUN = 'run the checks';
const CHANGE = 'change the greeting';
const BOTH = 'ask somebody else';

/** Rows of the agent's own tools, as the real agent calls them. */
export function toolCardScenes(scene: Scene): void {
  scene('a command that fails shows its end state and its output in colour', async (product) => {
    const { dialogue, panel } = product;
    const command = `printf 'one \\033[31mred\\033[0m line\\n'; exit 3`;
    dialogue.on(
      RUN,
      message([toolUse('Bash', { command, description: 'Checks' })]),
      say('It failed.'),
    );
    const number = await panel.articles('Claude').count();
    await panel.send(RUN);
    const card = panel.permission(/^Permission request: Run a command$|^Permission request: Bash$/);
    await card.getByRole('button', { name: 'Allow once', exact: true }).click();
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('It failed.').waitFor();
    const row = answer.getByRole('group', { name: 'Run a command, failed', exact: true });
    await row.getByText('exit code 3').or(row.getByText('exit 3')).first().waitFor();
    await row.getByRole('button', { name: 'Run a command, failed', exact: true }).click();
    const output = row.getByRole('group', { name: 'Result', exact: true });
    await output.locator('.ansi-1', { hasText: 'red' }).waitFor();
    assert.ok(!(await output.innerText()).includes('\u001b'));
  });

  scene('an edit stands open with its difference', async (product) => {
    const { dialogue, panel, workspace } = product;
    const file = path.join(workspace, 'greeting.txt');
    await writeFile(file, 'Good morning\n');
    dialogue.on(
      CHANGE,
      message([toolUse('Read', { file_path: file })]),
      message([toolUse('Edit', { file_path: file, old_string: 'morning', new_string: 'evening' })]),
      say('It is evening.'),
    );
    const number = await panel.articles('Claude').count();
    await panel.send(CHANGE);
    const card = panel.permission(/^Permission request: Edit/);
    await card.getByRole('button', { name: 'Allow once', exact: true }).click();
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('It is evening.').waitFor();
    assert.equal(await readFile(file, 'utf8'), 'Good evening\n');
    const row = answer.getByRole('group', { name: 'Edit, done', exact: true });
    await row.getByText('Good evening').first().waitFor();
    await row.getByText('Good morning').first().waitFor();
  });

  scene('a sub-agent is a group of its own, with its calls inside', async (product) => {
    const { dialogue, panel } = product;
    dialogue.on(
      BOTH,
      message([
        toolUse('Task', {
          description: 'Count the editors',
          prompt: 'how many editors are open, helper?',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
      ]),
      say('The helper has counted.'),
    );
    dialogue.on(
      /how many editors are open, helper\?/,
      message([toolUse('mcp__editor__open_editors')]),
      say('Some editors.'),
    );
    const number = await panel.articles('Claude').count();
    await panel.send(BOTH);
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('The helper has counted.').waitFor();
    const agent = answer.getByRole('group', { name: 'Agent: Count the editors' }).first();
    await agent.waitFor();
    const open = agent.locator('[aria-expanded="false"]').first();
    if ((await open.count()) > 0) await open.click();
    await agent.getByText('Open editors').first().waitFor();
  });
}
