// Draws every state of the panel for docs/panel.md: four kinds of theme, narrow and wide.
// Usage: node test/harness/runTs.mjs test/harness/panelSandbox/gallery.ts
// With PATCHBAY_PICTURES=plan only those whose names hold it.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inRoot } from '../paths';
import { GALLERY, type GalleryState } from './galleryStates';
import { drawSheet, type SheetPart } from './gallerySheet';
import { PanelSandbox } from './sandbox';
import type { ThemeName } from './themes';

const THEMES: readonly ThemeName[] = ['dark', 'light', 'hc', 'hcLight'];
const OUT = inRoot('docs/images/states');

test('every state is drawn', async () => {
  const wanted = process.env.PATCHBAY_PICTURES ?? '';
  await mkdir(OUT, { recursive: true });
  const sandbox = await PanelSandbox.start();
  try {
    for (const state of GALLERY.filter(({ name }) => name.includes(wanted))) {
      const narrow = await parts(sandbox, state, 300);
      await writeFile(`${OUT}/${state.name}-300.png`, await drawSheet(sandbox, narrow, 1));
      const wide = await parts(sandbox, state, 1400);
      await writeFile(`${OUT}/${state.name}-1400.png`, await drawSheet(sandbox, wide, 0.5));
    }
  } finally {
    await sandbox.close();
  }
});

/** The state in each theme. Nothing may be wider than the panel, and nothing may have failed. */
async function parts(
  sandbox: PanelSandbox,
  state: GalleryState,
  width: number,
): Promise<readonly SheetPart[]> {
  const drawn: SheetPart[] = [];
  const height = width === 300 ? state.height : Math.min(state.height, 700);
  for (const theme of THEMES) {
    const ground = width === 300 ? 'sideBar' : 'editor';
    const panel = await sandbox.open(state.state(), { theme, width, height, ground });
    await panel.page.getByRole('main').waitFor();
    await state.prepare?.(panel);
    await panel.page.mouse.move(0, 0);
    await panel.page.evaluate(() => document.fonts.ready.then(() => undefined));
    const isWide = await panel.page.evaluate(
      () => document.documentElement.scrollWidth > innerWidth,
    );
    assert.equal(isWide, false, `${state.name} scrolls sideways at ${width} px`);
    assert.deepEqual(panel.errors, [], state.name);
    drawn.push({ png: await panel.page.screenshot(), width, height });
    await panel.close();
  }
  return drawn;
}
