// Draws *What would happen?* into test/.artifacts/panel. Usage: node test/harness/runTs.mjs THIS_FILE
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import type { VerdictShown } from '../../../src/chat/whatIfProtocol';
import { inRoot } from '../paths';
import { WhatIfSandbox, type WhatIfOptions } from './whatIfSandbox';

const VERDICTS: Readonly<Record<string, VerdictShown>> = {
  'npm test -- --watch': {
    ...{ verdict: 'allow', why: 'A rule allows it.' },
    rule: { text: 'Bash(npm test:*)', source: 'localSettings' },
  },
  'git push origin main': {
    ...{ verdict: 'deny', why: 'A rule forbids it.' },
    rule: { text: 'Bash(git push:*)', source: 'userSettings' },
  },
  'node build.mjs && rm -rf dist': { verdict: 'ask', why: 'No rule allows the command.' },
  'find . -name "*.ts" -exec wc -l {} +': {
    verdict: 'unknown',
    why: 'The agent knows more commands that only read than are known here.',
  },
};

const SHOTS: readonly (readonly [string, WhatIfOptions, string])[] = [
  ['whatif-dark', { theme: 'dark' }, 'npm test -- --watch'],
  ['whatif-light', { theme: 'light' }, 'git push origin main'],
  ['whatif-hc', { theme: 'hc' }, 'node build.mjs && rm -rf dist'],
  ['whatif-hcLight', { theme: 'hcLight' }, 'find . -name "*.ts" -exec wc -l {} +'],
  ['whatif-dark-300', { theme: 'dark', width: 300, height: 900 }, 'git push origin main'],
  [
    'whatif-light-notes',
    {
      theme: 'light',
      shown: {
        notes: [
          '/home/ann/.claude/settings.json cannot be read, so none of its rules count: Unexpected end of JSON input',
        ],
      },
    },
    '',
  ],
  ['whatif-empty', { theme: 'dark', shown: { rules: [], folder: undefined } }, ''],
];

test('the page is drawn', async () => {
  const out = inRoot('test/.artifacts/panel');
  mkdirSync(out, { recursive: true });
  const sandbox = await WhatIfSandbox.start();
  try {
    for (const [name, options, command] of SHOTS) {
      const judge = (): VerdictShown => VERDICTS[command] ?? { verdict: 'unknown', why: '' };
      const { page, errors, close } = await sandbox.open({ ...options, judge }).then((one) => ({
        ...{ page: one.page, errors: one.errors },
        close: () => one.close(),
      }));
      await page.getByLabel('Command').fill(command);
      if (command !== '') await page.getByText(VERDICTS[command]?.why ?? '').waitFor();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.mouse.move(0, 0);
      await page.screenshot({ path: `${out}/${name}.png` });
      if (errors.length > 0) console.log(name, errors);
      await close();
    }
  } finally {
    await sandbox.close();
  }
});
