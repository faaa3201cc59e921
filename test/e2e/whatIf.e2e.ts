import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { VerdictShown } from '../../src/chat/whatIfProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import {
  type SandboxWhatIf,
  SHOWN,
  type WhatIfOptions,
  WhatIfSandbox,
} from '../harness/panelSandbox/whatIfSandbox';

let sandbox: WhatIfSandbox | undefined;
before(async () => {
  sandbox = await WhatIfSandbox.start();
});
after(() => sandbox?.close());

const judge: WhatIfOptions['judge'] = ({ tool, input, mode }): VerdictShown =>
  input.startsWith('npm')
    ? {
        ...{ verdict: 'allow', why: `Asked: ${tool} ${input} ${mode}` },
        rule: { text: 'Bash(npm test:*)', source: 'localSettings' },
      }
    : { verdict: 'ask', why: `Asked: ${tool} ${input} ${mode}` };

/** Opens the page, uses it, and checks that nothing in it was logged as an error. */
async function withPage(
  options: WhatIfOptions,
  use: (opened: SandboxWhatIf) => Promise<void>,
): Promise<void> {
  assert.ok(sandbox);
  const opened = await sandbox.open({ judge, ...options });
  try {
    await opened.page.getByRole('heading', { name: 'Rules' }).waitFor();
    await use(opened);
    assert.deepEqual(opened.errors, []);
    assert.deepEqual(
      opened.posted.filter(({ type }) => type === 'viewError'),
      [],
    );
  } finally {
    await opened.close();
  }
}

test('the keyboard leads through the form, and the verdict follows what is typed', async () => {
  await withPage({}, async ({ page }) => {
    const { keyboard } = page;
    await page.getByLabel('Tool').focus();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('npm test');
    const status = page.getByRole('status');
    await status.getByText('Asked: Bash npm test default').waitFor();
    await status.getByText('Runs without asking').waitFor();
    await status.getByText('Bash(npm test:*)').waitFor();
    await status.getByText('Your settings for this folder').waitFor();
    await page.getByLabel('Mode').selectOption('plan');
    await status.getByText('Asked: Bash npm test plan').waitFor();
    await page.getByLabel('Tool').selectOption('Read');
    await page.getByLabel('Path').fill('a.txt');
    await status.getByText('Asked: Read a.txt plan').waitFor();
    await status.getByText('You are asked').waitFor();
    await page.getByLabel('Path').fill('');
    await status.getByText('Type what the agent would call the tool with.').waitFor();
    await page.getByLabel('Tool').selectOption('Bash');
    assert.equal(await page.getByLabel('Command').inputValue(), 'npm test');
  });
});

test('all rules stand there with their source; those not in force say why; a source opens its file', async () => {
  await withPage({}, async ({ page, posted }) => {
    for (const { text } of SHOWN.rules) await page.getByText(text, { exact: true }).waitFor();
    assert.equal(await page.getByText(/^Not in force\./).count(), 2);
    await page.getByRole('heading', { name: 'Forbidden 2' }).waitFor();
    await page.getByRole('button', { name: 'Settings of the project' }).first().press('Enter');
    await eventually(() => posted.some(({ type }) => type === 'openFile'));
    assert.deepEqual(
      posted.find(({ type }) => type === 'openFile'),
      { type: 'openFile', file: '/w/.claude/settings.json' },
    );
    await page.getByRole('button', { name: 'Read the rules again' }).click();
    await eventually(() => posted.some(({ type }) => type === 'refresh'));
  });
});

test('of thousands of rules some are drawn, and the filter finds the others', async () => {
  const rules = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ behavior: 'allow' as const, source: 'userSettings' },
    text: `Bash(tool${index}:*)`,
  }));
  await withPage({ shown: { rules } }, async ({ page }) => {
    await page.getByText('300 of 2000 rules are shown').waitFor();
    await page.getByLabel('Filter rules').fill('tool1999');
    await page.getByText('Bash(tool1999:*)').waitFor();
    assert.equal(await page.locator('.rule').count(), 1);
    await page.getByLabel('Filter rules').fill('nothing of that kind');
    await page.getByText('No rule fits the filter.').waitFor();
  });
});

test('at 300 pixels nothing sticks out, and no theme has a finding of axe', async () => {
  const long = `Read(${'very/long/path/'.repeat(12)}**)`;
  const rules = [...SHOWN.rules, { behavior: 'deny' as const, text: long, source: 'session' }];
  for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
    await withPage({ theme, width: 300, shown: { rules } }, async ({ page }) => {
      await page.getByLabel('Command').fill(`npm ${'x'.repeat(200)}`);
      await page.getByText('Runs without asking').waitFor();
      const over = await page.evaluate(() => {
        const main = document.querySelector('main');
        return main === null ? -1 : main.scrollWidth - main.clientWidth;
      });
      assert.equal(over, 0, theme);
      assert.deepEqual(await axeFindings(page), [], theme);
    });
  }
});
