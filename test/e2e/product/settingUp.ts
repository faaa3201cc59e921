import assert from 'node:assert/strict';
import { message, say, text } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { AgentStandIn } from '../../harness/product/agentStandIn';
import { theCli } from '../../harness/product/agentFamily';
import { gate } from '../../harness/product/dialogue';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const FIRST = 'is somebody there?';
const AWAY = 'can you hear me?';
const BROKEN = 'tell me a long story';

/** From nothing installed to the first answer. */
export function settingUp(scene: Scene, agent: AgentStandIn): void {
  scene(
    'without a CLI a region says so, and Check again finds the one that was installed',
    async (product) => {
      const { frame } = product;
      const region = frame.getByRole('region', { name: 'Set up', exact: true });
      const check = region.getByRole('button', { name: 'Check again', exact: true });
      await check.waitFor();
      await region.getByText('The agent is a program of its own: the claude CLI').waitFor();
      assert.equal(
        await frame.locator('.suggestion').count(),
        0,
        'what nobody answers is not offered',
      );
      await check.click();
      await region.getByText('Checked again: nothing has changed.').waitFor();
      await agent.install();
      await check.click();
      await region.getByText('One step is left: log in').waitFor();
    },
  );

  scene('the login runs in a terminal, and the panel notices when it is done', async (product) => {
    const { dialogue, frame, page, panel } = product;
    dialogue.on(FIRST, say('Yes, I am here.'));
    await panel.message.fill(FIRST);
    const region = frame.getByRole('region', { name: 'Set up', exact: true });
    await region.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.locator('.terminal-wrapper.active').waitFor();
    await region.getByText('Waiting for the login in the terminal…').waitFor();
    await agent.finishLogin();
    await region.waitFor({ state: 'detached' });
    await eventually(async () => (await panel.message.inputValue()) === FIRST);
    await panel.message.press('Enter');
    await (await panel.waitForAnswer(0)).getByText('Yes, I am here.').waitFor();
    const [request] = product.requestsFor(FIRST);
    assert.match(String(request?.headers.authorization), /stand-in-access/);
  });

  scene(
    'offline is said in plain words, and Retry sends once the line is there',
    async (product) => {
      const { dialogue, frame, panel } = product;
      dialogue.on(AWAY, say('Now I hear you.'));
      await agent.real('http://127.0.0.1:9');
      await begin(product);
      await panel.message.fill(AWAY);
      await panel.message.press('Enter');
      const alert = panel.alert.filter({ hasText: 'The API cannot be reached.' });
      await alert.getByText('Is this machine offline?').waitFor();
      await panel.articles('You').getByText(AWAY).waitFor();
      assert.equal(product.requestsFor(AWAY).length, 0);
      await agent.real();
      // The one that runs knows the old address: as when the line is gone for longer, it is started anew.
      process.kill(await theCli(), 'SIGKILL');
      // Until it is told, Retry would send to the one that is gone.
      await frame
        .getByText(/The agent (?:has|was) ended/)
        .first()
        .waitFor();
      const retry = panel.alert.getByRole('button', { name: 'Retry', exact: true }).last();
      await retry.click();
      await panel.articles('Claude').getByText('Now I hear you.').waitFor();
      assert.equal(await panel.articles('You').count(), 1);
    },
  );

  scene('a CLI that goes in the middle of a turn costs nothing that was said', async (product) => {
    const { dialogue, panel } = product;
    const never = gate();
    let told = 0;
    dialogue.on(BROKEN, () => {
      told += 1;
      return told === 1
        ? message([text('Once upon a time'), never.step])
        : say('Once upon a time all was well.');
    });
    await begin(product);
    await panel.send(BROKEN);
    await panel.articles('Claude').getByText('Once upon a time').waitFor();
    await panel.message.fill('and I keep typing');
    process.kill(await theCli(), 'SIGKILL');
    const retry = panel.alert.last().getByRole('button', { name: 'Retry', exact: true });
    await retry.waitFor();
    await panel.articles('You').getByText(BROKEN).waitFor();
    assert.equal(await panel.message.inputValue(), 'and I keep typing');
    await panel.message.fill('');
    await retry.click();
    await panel.articles('Claude').getByText('all was well.').waitFor();
    await panel.waitForStatus(/^Idle/);
    assert.equal(await panel.articles('You').count(), 1);
  });
}
