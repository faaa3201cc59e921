import type { Panel } from './panel';
import type { EventEntry } from './transcript';

/** The figures of the last turn, from what opens under the usage button. */
export async function readUsage(panel: Panel): Promise<EventEntry> {
  await panel.usage.click();
  const figures = await panel.usageFigures();
  await panel.usage.click();
  return usageEvent(figures);
}

/** Reads the labelled figures. Throws if one is missing. */
export function usageEvent(figures: ReadonlyMap<string, string>): EventEntry {
  const figure = (label: string): number => {
    const shown = figures.get(label) ?? '';
    const found = Number(/[\d.]+/.exec(shown.replaceAll(',', ''))?.[0]);
    if (Number.isNaN(found)) {
      throw new Error(`tour: no "${label}" in the usage: ${JSON.stringify([...figures])}`);
    }
    return found;
  };
  const inputTokens = figure('Tokens in, last turn');
  const outputTokens = figure('Tokens out, last turn');
  return {
    event: 'result',
    cost: figure('Cost of the conversation'),
    tokens: inputTokens + outputTokens,
    inputTokens,
    outputTokens,
    turns: figure('Model turns, last prompt'),
  };
}
