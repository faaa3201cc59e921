// Draws the wire inspector into test/.artifacts/panel. Usage: node test/harness/runTs.mjs THIS_FILE
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../paths';
import { frameDetailOf, turnFrames } from './inspectorFrames';
import { InspectorSandbox, type InspectorOptions } from './inspectorSandbox';

const SHOTS: readonly (readonly [string, InspectorOptions, number | undefined])[] = [
  ['wire-dark-1100', { theme: 'dark', width: 1100 }, 8],
  ['wire-light-1100', { theme: 'light', width: 1100 }, 8],
  ['wire-hc-1100', { theme: 'hc', width: 1100 }, 8],
  ['wire-hcLight-1100', { theme: 'hcLight', width: 1100 }, 8],
  ['wire-dark-800', { theme: 'dark', width: 800, height: 700 }, 12],
  ['wire-light-420', { theme: 'light', width: 420, height: 700 }, 9],
  ['wire-dark-list', { theme: 'dark', width: 1000, dropped: 5120 }, undefined],
  ['wire-empty', { theme: 'dark', width: 800, rows: [] }, undefined],
];

test('the inspector is drawn', async () => {
  const out = inRoot('test/.artifacts/panel');
  mkdirSync(out, { recursive: true });
  const sandbox = await InspectorSandbox.start();
  try {
    for (const [name, options, n] of SHOTS) {
      const inspector = await sandbox.open({
        rows: turnFrames(),
        detail: frameDetailOf,
        ...options,
      });
      const { page } = inspector;
      await page.getByRole('listbox').waitFor();
      if (n !== undefined) {
        await page.getByRole('option', { name: new RegExp(`^${n}, `) }).click();
        await page.getByRole('group', { name: `Frame ${n} as JSON` }).waitFor();
        await page.getByRole('listbox').focus();
      }
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.mouse.move(0, 0);
      await page.screenshot({ path: `${out}/${name}.png` });
      if (inspector.errors.length > 0) console.log(name, inspector.errors);
      await inspector.close();
    }
  } finally {
    await sandbox.close();
  }
});
