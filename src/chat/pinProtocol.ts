import type { AssistantItem, TranscriptItem } from './viewStateProtocol';

/** More than these lose the oldest. */
export const MAX_PINS = 50;

/**
 * What an answer is called, so that it is found again after a reload, when its item has another id:
 * the prompt that it answers by the uuid that it was sent with, and which answer to that it is.
 * Without such a prompt its id has to do.
 */
export function pinKey(items: readonly TranscriptItem[], itemId: string): string {
  return pinKeyAt(
    items,
    items.findLastIndex(({ id }) => id === itemId),
    itemId,
  );
}

/** The same for one whose place is known: what stands before its turn is not looked at. */
export function pinKeyAt(items: readonly TranscriptItem[], place: number, itemId: string): string {
  let count = 0;
  for (let at = place; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.kind === 'assistant') count += 1;
    else if (item?.kind === 'user')
      return item.wireId === undefined ? itemId : `${item.wireId}#${count}`;
  }
  return itemId;
}

/** The answers of these names that are there, in the order of the names. */
export function pinnedAnswers(
  items: readonly TranscriptItem[],
  keys: readonly string[],
): readonly AssistantItem[] {
  if (keys.length === 0) return [];
  const byKey = new Map([...answersOf(items)].map(({ item, key }) => [key, item]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

function* answersOf(
  items: readonly TranscriptItem[],
): Generator<{ readonly item: AssistantItem; readonly key: string }> {
  let prompt: string | undefined;
  let count = 0;
  for (const item of items) {
    if (item.kind === 'user') {
      prompt = item.wireId;
      count = 0;
    } else if (item.kind === 'assistant') {
      count += 1;
      yield { item, key: prompt === undefined ? item.id : `${prompt}#${count}` };
    }
  }
}
