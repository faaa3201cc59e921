import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import type { SandboxPanel } from './sandbox';

/** What an answer, a card or a name never becomes. */
const FORBIDDEN =
  'script, iframe, object, embed, form, base, meta, link, style, svg, math, video, audio, template, marquee';
/** What the panel asks for by itself: its state, and pictures that the state names. */
export const SAID = new Set(['ready', 'loadPicture']);
/** Addresses that may stand in a link: what the host opens after a question, and paths. */
export const HARMLESS = /^(?:(?:https?|mailto|file):|(?![a-z][a-z0-9+.-]*:))/i;

/** Draws it, and resolves when two frames have passed since. */
export async function draw(panel: SandboxPanel, state: ViewState, mark: string): Promise<void> {
  await panel.snapshot(state);
  await panel.page.waitForFunction((words) => document.body.textContent.includes(words), mark);
  await panel.page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

export interface Found {
  readonly elements: readonly string[];
  readonly attributes: readonly string[];
  readonly ran: boolean;
}

export async function look({ page }: { readonly page: Page }): Promise<Found> {
  return page.evaluate(
    ([forbidden, harmless]) => {
      const root = document.getElementById('root') ?? document.body;
      const attributes = [...root.querySelectorAll('*')].flatMap((element) =>
        [...element.attributes].filter(
          ({ name, value }) =>
            /^on/i.test(name) ||
            /^(srcdoc|formaction|action|ping|xlink:href|autofocus)$/i.test(name) ||
            // A picture of ours is a blob; nothing else is loaded by an address.
            (/^(src|srcset|poster|data|background)$/i.test(name) && !value.startsWith('blob:')) ||
            (name === 'href' && !new RegExp(harmless, 'i').test(value.trim())) ||
            (name === 'style' && /url\(|expression|position:\s*fixed/i.test(value)),
        ),
      );
      return {
        elements: [...root.querySelectorAll(forbidden)].map(({ outerHTML }) => outerHTML),
        attributes: attributes.map(({ name, value }) => `${name}=${value}`),
        ran: 'pwned' in window || 'pwned' in {},
      };
    },
    [FORBIDDEN, HARMLESS.source] as const,
  );
}

/** Nothing of it ran, loaded or went anywhere. */
export async function untouched(panel: SandboxPanel): Promise<void> {
  assert.deepEqual(await look(panel), { elements: [], attributes: [], ran: false });
  assert.deepEqual(panel.requests, []);
  assert.equal(panel.page.url(), 'https://panel.invalid/');
}
