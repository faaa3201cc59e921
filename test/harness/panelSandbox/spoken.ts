import type { SandboxPanel } from './sandbox';

/** One thing that a screen reader would say, in the order in which it came. */
export interface Spoken {
  /** Which region said it. */
  readonly by: 'polite' | 'assertive' | 'status' | 'alert';
  readonly text: string;
  /** When, in milliseconds since the page was opened. */
  readonly at: number;
}

/** Notes from here on whatever a live region of the panel says, as a screen reader hears it. */
export async function listen({ page }: SandboxPanel): Promise<void> {
  await page.getByRole('main').waitFor();
  await page.evaluate(() => {
    const heard: { by: string; text: string; at: number }[] = [];
    const typed: number[] = [];
    Object.assign(window, { heard, typed });
    document.addEventListener('input', () => typed.push(performance.now()), true);
    const regionOf = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement;
      return (
        element?.closest<HTMLElement>('[data-live], [role="status"], [role="alert"]') ?? undefined
      );
    };
    const say = (region: HTMLElement, text: string) => {
      const isOff = region.ariaLive === 'off';
      const by = region.dataset.live ?? region.role ?? '';
      if (!isOff && text.trim() !== '')
        heard.push({ by, text: text.trim(), at: performance.now() });
    };
    const observer = new MutationObserver((records) => {
      const whole = new Set<HTMLElement>();
      for (const { target, addedNodes } of records) {
        const region = regionOf(target);
        for (const node of addedNodes) {
          const own =
            node instanceof HTMLElement && node.matches('[role="alert"]') ? node : undefined;
          const inside =
            node instanceof HTMLElement
              ? [...node.querySelectorAll<HTMLElement>('[role="alert"]')]
              : [];
          for (const alert of own ? [own] : inside) whole.add(alert);
          // Of a list that grows only what is added is said.
          if (region?.dataset.live !== undefined) say(region, node.textContent ?? '');
        }
        if (region && region.dataset.live === undefined) whole.add(region);
      }
      for (const region of whole) if (region.isConnected) say(region, region.innerText);
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

/** What was said since {@link listen}. */
export function heard({ page }: SandboxPanel): Promise<readonly Spoken[]> {
  return page.evaluate(() => Reflect.get(window, 'heard') as Spoken[]);
}

/** When something was typed since {@link listen}. */
export function typedAt({ page }: SandboxPanel): Promise<readonly number[]> {
  return page.evaluate(() => Reflect.get(window, 'typed') as number[]);
}
