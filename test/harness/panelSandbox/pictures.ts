// Draws the panel's states into test/.artifacts/panel. Usage: node test/harness/runTs.mjs THIS_FILE
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../paths';
import { PanelSandbox, type PanelOptions } from './sandbox';
import { agentState, emptyState, errorState, longState, streamingState, workState } from './states';
import type { ViewState } from '../../../src/chat/viewStateProtocol';

const SHOTS: readonly (readonly [string, ViewState, PanelOptions])[] = [
  ['empty-dark-400', emptyState(), { theme: 'dark', height: 700 }],
  ['empty-light-300', emptyState(), { theme: 'light', width: 300, height: 700 }],
  ['work-dark-400', workState(), { theme: 'dark' }],
  ['work-light-300', workState(), { theme: 'light', width: 300, height: 1080 }],
  ['work-dark-1000', workState(), { theme: 'dark', width: 1000, height: 900, ground: 'editor' }],
  ['work-hc-400', workState(), { theme: 'hc' }],
  ['work-hcLight-400', workState(), { theme: 'hcLight' }],
  ['error-dark-400', errorState(), { theme: 'dark', height: 600 }],
  ['error-light-400', errorState(), { theme: 'light', height: 600 }],
  ['streaming-dark-400', streamingState(), { theme: 'dark' }],
  ['streaming-light-1000', streamingState(), { theme: 'light', width: 1000, height: 800 }],
  ['long-dark-300', longState(), { theme: 'dark', width: 300, height: 2000 }],
];

test('the states are drawn', async () => {
  const out = inRoot('test/.artifacts/panel');
  mkdirSync(out, { recursive: true });
  const sandbox = await PanelSandbox.start();
  try {
    for (const [name, state, options] of SHOTS) {
      const panel = await sandbox.open(state, {
        ...options,
        context: {
          deviceScaleFactor: 1.5,
          viewport: { width: options.width ?? 400, height: options.height ?? 980 },
        },
      });
      await panel.page.getByRole('textbox', { name: 'Message' }).waitFor();
      if (name.startsWith('work')) {
        await panel.page.getByRole('button', { name: 'Problems, done' }).click();
      }
      await panel.page.evaluate(() => document.fonts.ready.then(() => undefined));
      await panel.page.mouse.move(0, 0);
      await panel.page.screenshot({ path: `${out}/${name}.png` });
      const wide = await panel.page.evaluate(
        () =>
          document.documentElement.scrollWidth > innerWidth ||
          (document.querySelector('.scroller')?.scrollWidth ?? 0) > innerWidth,
      );
      if (wide || panel.errors.length > 0) console.log(name, wide ? 'SIDEWAYS' : '', panel.errors);
      await panel.close();
    }
    const panel = await sandbox.open(workState(), { height: 700 });
    await panel.page.getByRole('button', { name: 'Permission mode: Ask' }).click();
    await panel.page.screenshot({ path: `${out}/picker-dark-400.png` });
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('button', { name: /^Usage: / }).click();
    await panel.page.screenshot({ path: `${out}/usage-dark-400.png` });
    await panel.close();
    const agent = await sandbox.open(agentState(), { height: 700, theme: 'light' });
    await agent.page.getByRole('button', { name: 'Agent, running' }).click();
    await agent.page.getByRole('textbox', { name: 'Message' }).fill('and then\nthe changelog');
    await agent.page.getByRole('article', { name: 'Claude' }).hover();
    await agent.page.screenshot({ path: `${out}/agent-light-400.png` });
    await agent.close();
  } finally {
    await sandbox.close();
  }
});
