import type { Page } from 'playwright-core';
import { THEMES, themeCss, type ThemeName } from './themes';

/** A place where Tab stops. */
export interface Stop {
  /** In document order, from 0; -1 for what is no control of the list. */
  readonly at: number;
  readonly words: string;
  /** What is wrong with its ring, by theme; empty where it is seen. */
  readonly faults: readonly string[];
}

/**
 * What Tab should stop at, in document order, which is the order of reading: all that takes the focus
 * and is no part of a whole that has keys of its own (a list box, a menu, a group of radio buttons).
 * Each is marked, so that the walk knows it again.
 */
export function expectedStops(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const all = [
      ...document.querySelectorAll<HTMLElement>(
        'button, input, textarea, select, a[href], [tabindex], summary',
      ),
    ].filter(
      (one) =>
        one.tabIndex >= 0 &&
        !one.matches(':disabled') &&
        one.checkVisibility({ visibilityProperty: true }),
    );
    const stops = all.filter((one) => {
      // It comes and goes with what Tab scrolls to.
      if (one.matches('.jump')) return false;
      if (!(one instanceof HTMLInputElement) || one.type !== 'radio') return true;
      // Of a group the chosen one, or the first.
      const group = all.filter(
        (other) => other instanceof HTMLInputElement && other.name === one.name,
      );
      const chosen = group.find((other) => other instanceof HTMLInputElement && other.checked);
      return one === (chosen ?? group[0]);
    });
    stops.forEach((one, at) => (one.dataset.stop = String(at)));
    return stops.map(({ tagName, ariaLabel, textContent }) => {
      return `${tagName.toLowerCase()} ${(ariaLabel ?? textContent.trim()).slice(0, 60)}`;
    });
  });
}

/** Controls that Tab passes by though nothing leads to them by keys, and stops without role or name. */
export function faultyStops(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>('button, input, textarea, a[href]');
    const passed = [...controls].filter(
      (one) => one.tabIndex < 0 && one.closest('[role="menu"], [role="listbox"]') === null,
    );
    const others = document.querySelectorAll<HTMLElement>('[tabindex="0"]');
    const nameless = [...others].filter(
      (one) =>
        !one.matches('button, input, textarea, a[href]') &&
        (one.role === null || (one.ariaLabel ?? one.textContent.trim()) === ''),
    );
    return [...passed, ...nameless].map((one) => one.outerHTML.slice(0, 120));
  });
}

/** Puts the focus before all that Tab reaches. */
export async function toStart(page: Page): Promise<void> {
  await page.evaluate(() => {
    const main = document.querySelector('main');
    if (!main) throw new Error('no panel');
    main.tabIndex = -1;
    main.focus();
    main.removeAttribute('tabindex');
  });
}

/**
 * What stands at the focus, and how its ring looks in each theme.
 * @param seen kinds of controls whose ring was looked at; it grows
 */
export async function readStop(
  page: Page,
  themes: readonly ThemeName[] | 'as it is',
  seen = new Set<string>(),
): Promise<Stop> {
  const { kind, ...stop } = await page.evaluate(
    ({ sheets, seen }) => {
      const one = document.activeElement;
      if (!(one instanceof HTMLElement) || one === document.body)
        return { kind: '', at: -1, words: 'nothing', faults: [] };
      const kind = [one, one.parentElement].map((part) => part?.className ?? '').join(' in ');
      const words = `${one.tagName.toLowerCase()}.${one.className} ${one.ariaLabel ?? one.textContent.trim()}`;
      const stop = { kind, at: Number(one.dataset.stop ?? -1), words: words.slice(0, 90) };
      if (seen.includes(kind)) return { ...stop, faults: [] };
      const body = document.body.className;
      const old = document.adoptedStyleSheets;
      // What another theme leaves out must not come from this one.
      const own = [...document.styleSheets].find(
        ({ href }) => href?.endsWith('theme.css') === true,
      );
      if (own && sheets) own.disabled = true;
      const faults = sheets?.flatMap(({ name, bodyClass, css }) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [sheet];
        document.body.className = bodyClass;
        const fault = ringFault(one);
        return fault === undefined ? [] : [`${name}: ${fault}`];
      });
      document.adoptedStyleSheets = old;
      document.body.className = body;
      if (own) own.disabled = false;
      return { ...stop, faults: faults ?? [ringFault(one) ?? []].flat() };

      /** The outline of the control or of what it paints over its row, or the edge of its box. */
      function ringFault(element: HTMLElement): string | undefined {
        const box = element.closest<HTMLElement>('.composer-box') ?? element;
        const edged = element.matches('textarea, input, select') ? box : undefined;
        const row = element.matches('.row-button') ? element.parentElement : undefined;
        const rings = [
          ring(element, getComputedStyle(element)),
          ring(row ?? element, getComputedStyle(element, '::after')),
          ring(element, getComputedStyle(element, '::before')),
          ...(edged ? [edge(edged)] : []),
        ].filter((found) => found !== undefined);
        const [best] = rings.sort((a, b) => b.contrast - a.contrast);
        if (!best) return 'no ring';
        if (best.contrast < 3) return `a ring of contrast ${best.contrast.toFixed(2)}`;
        const cut = cutSides(best.area, best.owner);
        return cut > 1 ? `a ring of which ${cut} sides are cut off` : undefined;
      }

      function ring(owner: HTMLElement, style: CSSStyleDeclaration) {
        const width = parseFloat(style.outlineWidth);
        if (style.content === 'none' || style.outlineStyle === 'none' || width < 1)
          return undefined;
        const { left, right, top, bottom } = owner.getBoundingClientRect();
        // A mark that is painted in the middle of its target.
        const inset =
          style.content !== 'normal' ? Math.max(0, right - left - parseFloat(style.width)) / 2 : 0;
        const grown = parseFloat(style.outlineOffset) + width - (inset || 0);
        const area = {
          ...{ left: left - grown, right: right + grown },
          ...{ top: top - grown, bottom: bottom + grown },
        };
        // Where it is drawn inside it lies on the control's own ground.
        const isOutside = parseFloat(style.outlineOffset) >= 0;
        const ground = isOutside ? owner.parentElement : owner;
        return { owner, area, contrast: contrast(style.outlineColor, groundOf(ground)) };
      }

      function edge(owner: HTMLElement) {
        const style = getComputedStyle(owner);
        if (parseFloat(style.borderTopWidth) < 1) return undefined;
        const area = owner.getBoundingClientRect();
        const ground = groundOf(owner.parentElement);
        return { owner, area, contrast: contrast(style.borderTopColor, ground) };
      }

      function cutSides(
        area: { left: number; right: number; top: number; bottom: number },
        owner: HTMLElement,
      ): number {
        const cut = new Set<string>();
        if (area.left < -0.5) cut.add('left');
        if (area.right > innerWidth + 0.5) cut.add('right');
        if (area.top < -0.5) cut.add('top');
        if (area.bottom > innerHeight + 0.5) cut.add('bottom');
        for (let up = owner.parentElement; up; up = up.parentElement) {
          const style = getComputedStyle(up);
          const box = up.getBoundingClientRect();
          if (style.overflowX !== 'visible') {
            if (area.left < box.left - 0.5) cut.add('left');
            if (area.right > box.right + 0.5) cut.add('right');
          }
          if (style.overflowY !== 'visible') {
            if (area.top < box.top - 0.5) cut.add('top');
            if (area.bottom > box.bottom + 0.5) cut.add('bottom');
          }
        }
        return cut.size;
      }

      function groundOf(element: Element | null): readonly number[] {
        const layers: number[][] = [];
        for (let up = element; up; up = up.parentElement) {
          const layer = channels(getComputedStyle(up).backgroundColor);
          layers.push(layer);
          if ((layer[3] ?? 0) >= 1) break;
        }
        return layers.reduceRight(
          (under, [r = 0, g = 0, b = 0, a = 0]) =>
            [r, g, b].map((value, i) => value * a + (under[i] ?? 0) * (1 - a)),
          [255, 255, 255],
        );
      }

      function channels(colour: string): number[] {
        const [r = 0, g = 0, b = 0, a = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
        return [r, g, b, a];
      }

      function contrast(colour: string, ground: readonly number[]): number {
        const [r = 0, g = 0, b = 0, a = 1] = channels(colour);
        const seen = [r, g, b].map((value, i) => value * a + (ground[i] ?? 0) * (1 - a));
        const [high = 0, low = 0] = [light(seen), light(ground)].sort((x, y) => y - x);
        return (high + 0.05) / (low + 0.05);
      }

      function light(rgb: readonly number[]): number {
        const [r = 0, g = 0, b = 0] = rgb.map((value) => {
          const part = value / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      }
    },
    { sheets: themes === 'as it is' ? undefined : themes.map(sheetOf), seen: [...seen] },
  );
  seen.add(kind);
  return stop;
}

function sheetOf(name: ThemeName) {
  return { name, bodyClass: THEMES[name].bodyClass, css: themeCss(name, 'sideBar') };
}

/**
 * Targets of less than 24 px. Links in text are as large as their line (WCAG 2.5.8, inline); a mark
 * counts with the label that it belongs to.
 */
export function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, input, textarea, select, a[href], [role="option"], [role="menuitem"], [role="link"]',
      ),
    ]
      .filter(
        (one) =>
          one.checkVisibility({ visibilityProperty: true }) &&
          !one.matches('a[href], [role="link"]'),
      )
      .flatMap((one) => {
        const { width, height } = one.getBoundingClientRect();
        const words = one.ariaLabel ?? one.textContent.trim();
        const isSmall = width < 23.99 || height < 23.99;
        return isSmall ? [`${words.slice(0, 60)}: ${width}×${height}`] : [];
      }),
  );
}
