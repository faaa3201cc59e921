import type { Locator } from 'playwright-core';

/** Ends a composition with Enter, as the browsers tell it: within it, and right behind its end. */
export async function pressComposedEnter(box: Locator): Promise<void> {
  await box.evaluate((element) => {
    const press = (init: KeyboardEventInit) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
      );
    element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    press({ isComposing: true });
    element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    // The one thing that tells this Enter from a plain one is the deprecated code.
    press(Object.fromEntries([['keyCode', 229]]));
  });
}
