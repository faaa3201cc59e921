import { realCliPath } from '../paths';
import { runCommand } from '../workbench';
import type { Product } from './product';

/**
 * Sets settings where a person does in a window like this one, in the remote's settings: a change of
 * the file behind the editor's back is not noticed here. All others there fall back, but the CLI's path.
 */
export async function setSettings(
  { page }: Product,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await runCommand(page, 'Preferences: Open Remote Settings (JSON)');
  const tab = page.locator('.tab.active', { hasText: 'settings.json' });
  await tab.waitFor();
  // The tab may be there before the text: then the one of before still stands below it.
  const text = page.locator('.editor-instance .view-lines', { hasText: 'patchbay.cli.path' });
  await text.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(JSON.stringify({ 'patchbay.cli.path': realCliPath, ...settings }));
  await page.locator('.tab.active.dirty').waitFor();
  await page.keyboard.press('Control+S');
  await page.locator('.tab.active:not(.dirty)', { hasText: 'settings.json' }).waitFor();
  await page.keyboard.press('Control+F4');
}
