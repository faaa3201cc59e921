import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually';
import type { SandboxPanel } from './sandbox';

type Role = Parameters<Page['getByRole']>[0];

/** So many presses of Tab go once around any panel of the tests. */
const MOST_TABS = 150;

/** Somebody without a pointer: keys only, and a look at where the focus is after each. */
export class Hands {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** From here on each frame in which the focus is on nothing is noted; {@link lost} tells of them. */
  static async on({ page }: SandboxPanel): Promise<Hands> {
    await page.getByRole('main').waitFor();
    await page.evaluate(() => {
      const lost: string[] = [];
      Object.assign(window, { lostFocus: lost, isTabbing: false });
      let last: string | undefined;
      const look = (): void => {
        const at = document.activeElement;
        if (at instanceof HTMLElement && at !== document.body)
          last = `${at.tagName.toLowerCase()} ${at.ariaLabel ?? at.textContent.slice(0, 40)}`;
        else if (last !== undefined && lost.at(-1) !== last && !Reflect.get(window, 'isTabbing'))
          lost.push(last);
        requestAnimationFrame(look);
      };
      look();
    });
    return new Hands(page);
  }

  /** What had the focus before it was on nothing. */
  lost(): Promise<readonly string[]> {
    return this.page.evaluate(() => Reflect.get(window, 'lostFocus') as string[]);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Waits until the focus is there. */
  async at(role: Role, name: string): Promise<void> {
    const there = this.#focused(role, name);
    try {
      await eventually(async () => (await there.count()) === 1, 20_000);
    } catch {
      throw new Error(`The focus is not on ${role} "${name}" but on ${await this.#where()}`);
    }
  }

  /** Presses Tab, or Shift+Tab, until the focus is there. */
  async tabTo(role: Role, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const there = this.#focused(role, name);
    // Behind the last control Tab leaves the panel, and comes in again at its begin.
    await this.#setTabbing(true);
    for (let presses = 0; presses < MOST_TABS; presses += 1) {
      await this.press(key);
      if ((await there.count()) === 1) {
        await this.#setTabbing(false);
        return;
      }
    }
    throw new Error(`${key} does not come to ${role} "${name}"`);
  }

  async #setTabbing(isTabbing: boolean): Promise<void> {
    await this.page.evaluate((is) => Object.assign(window, { isTabbing: is }), isTabbing);
  }

  /** Goes there by Tab and presses Enter. */
  async enter(role: Role, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.tabTo(role, name, key);
    await this.press('Enter');
  }

  /** Enter again and again until it counts: what grants does not answer at once to a key. */
  async enterUntil(condition: () => boolean): Promise<void> {
    await eventually(async () => {
      if (!condition()) await this.press('Enter');
      return condition();
    });
  }

  /** What the keys would take in a list whose focus stays elsewhere. */
  async leadsTo(name: string): Promise<void> {
    await eventually(() =>
      this.page.evaluate((wanted) => {
        const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
        return document.getElementById(id)?.textContent.includes(wanted) === true;
      }, name),
    );
  }

  #focused(role: Role, name: string): Locator {
    return this.page.getByRole(role, { name, exact: true }).and(this.page.locator(':focus'));
  }

  #where(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing');
  }
}
