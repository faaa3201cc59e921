import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Page } from 'playwright-core';

export type ThemeKind = 'dark' | 'light';

const THEMES: Readonly<Record<ThemeKind, string>> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
};

export const themeSetting = (kind: ThemeKind) => ({ 'workbench.colorTheme': THEMES[kind] });

/** Changes the theme as a person does in settings.json, and waits until the workbench wears it. */
export async function switchTheme(page: Page, dataFolder: string, kind: ThemeKind): Promise<void> {
  const file = path.join(dataFolder, 'User', 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...settings, ...themeSetting(kind) }, undefined, 2));
  await page.locator(`.monaco-workbench.${kind === 'dark' ? 'vs-dark' : 'vs'}`).waitFor();
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
  await page.mouse.move(edge + 400, 5);
}
