import type { Page } from 'playwright-core';
import { THEMES, themeCss, type ThemeName } from './themes';

/** Changes the theme of an open panel, as VS Code does when another one is chosen. */
export async function wearTheme(page: Page, name: ThemeName): Promise<void> {
  const worn = { bodyClass: THEMES[name].bodyClass, css: themeCss(name, 'sideBar') };
  await page.evaluate(({ bodyClass, css }) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
    document.body.className = bodyClass;
    // What this theme leaves out must not come from the one before.
    const own = [...document.styleSheets].find(({ href }) => href?.endsWith('theme.css') === true);
    if (own) own.disabled = true;
  }, worn);
}
