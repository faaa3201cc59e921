import type { Locator } from 'playwright-core';
import type { ToolEntry } from './transcript';

/** The tool calls at the top of an article, without those of a sub-agent. */
export function toolCards(article: Locator): Locator {
  return article.getByRole('group', { name: /, (running|done|failed|denied|cancelled)$/ });
}

/** Unfolds the card, and one click further its raw input. */
export async function unfoldTool(card: Locator): Promise<void> {
  await setFold(card.getByRole('button', { name: /, \w+$/ }).first(), true);
  const raw = card.getByRole('button', { name: /^Raw input/ });
  if ((await raw.count()) > 0) await setFold(raw.first(), true);
}

async function setFold(button: Locator, open: boolean): Promise<void> {
  if ((await button.getAttribute('aria-expanded')) !== String(open)) await button.click();
}

/** Reads the call from its card, which is folded again as it was found. */
export async function readTool(card: Locator): Promise<ToolEntry> {
  const fold = card.getByRole('button', { name: /, \w+$/ }).first();
  const wasOpen = (await fold.getAttribute('aria-expanded')) === 'true';
  await unfoldTool(card);
  const raw = card.getByRole('button', { name: /^Raw input/ }).first();
  const tool = (await raw.innerText()).replace(/^\s*Raw input\s*/, '').trim();
  const input = await card.getByRole('group', { name: 'Raw input', exact: true }).innerText();
  const state = /, (\w+)$/.exec((await card.getAttribute('aria-label')) ?? '')?.[1] ?? '';
  const entry = {
    tool,
    input: parseJson(input),
    result: await shownResult(card),
    isError: state === 'failed' || state === 'denied',
  };
  await setFold(raw, false);
  await setFold(fold, wasOpen);
  return entry;
}

/** A change shows its lines, with their signs, in place of the result. */
async function shownResult(card: Locator): Promise<string> {
  const results = card.getByRole('group', { name: 'Result', exact: true });
  const change = card.getByRole('group', { name: /^Change of / });
  const lines = await change.locator('div:has(> code)').allTextContents();
  // The line's number stands before its sign.
  const changed = lines.map((line) => line.replace(/^\d+/, ''));
  return [...changed, ...(await results.allInnerTexts())].join('\n').trimEnd();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Cut for the view, or no JSON: then it stands as it was seen.
    return text;
  }
}
