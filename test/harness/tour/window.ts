import type { Page } from 'playwright-core';
import { runCommand } from '../workbench';

export type ThemeKind = 'dark' | 'light';

const THEMES: Readonly<Record<ThemeKind, string>> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
};

export const themeSetting = (kind: ThemeKind) => ({ 'workbench.colorTheme': THEMES[kind] });

/**
 * Changes between dark and light by VS Code's own command, and waits until the workbench wears it.
 * A change of settings.json on disk is not noticed: this server has no native file watcher.
 */
export async function toggleTheme(page: Page, to: ThemeKind): Promise<void> {
  await runCommand(page, 'Preferences: Toggle between Light/Dark Themes');
  await page.locator(`.monaco-workbench.${to === 'dark' ? 'vs-dark' : 'vs'}`).waitFor();
}

/** Drags the edge of the side bar until it is so wide, give or take a pixel. */
export async function setSideBarWidth(page: Page, width: number): Promise<void> {
  const sideBar = page.locator('.part.sidebar');
  const box = await sideBar.boundingBox();
  if (box === null) throw new Error('tour: the side bar is not shown');
  const edge = box.x + box.width;
  const middle = box.y + box.height / 2;
  await page.mouse.move(edge, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + width, middle, { steps: 8 });
  await page.mouse.up();
  // Away from the edge, which is drawn thick while the pointer rests on it.
  await page.mouse.move(edge + 300, box.y + box.height - 40);
}
