import { cutText } from '../../base/cutText';
import { jsonText } from '../../base/jsonText';
import type { FrameDetail } from '../../chat/inspectorProtocol';
import { redactFrame, redactText, type RedactOptions } from './redactFrame';
import type { WireEntry } from './wireLog';

/** Characters of the text as a whole. */
const MAX_TEXT = 200_000;
/** A longer text inside is folded to its beginning. */
const MAX_STRING = 2_000;
const FOLDED_TO = 400;

/** A frame as the detail pane shows it: indented, long texts folded, bounded as a whole. */
export function frameDetail(entry: WireEntry, options: RedactOptions): FrameDetail {
  const { value, hidden } = shown(entry, options);
  if (typeof value === 'string') {
    const text = cutText(value, MAX_TEXT);
    return { n: entry.n, text, isFolded: text.length < value.length, hidden };
  }
  const folding = { isFolded: false };
  const text = jsonText(folded(value, folding), { limit: MAX_TEXT });
  const isCut = text.length > MAX_TEXT;
  return {
    n: entry.n,
    text: isCut ? `${cutText(text, MAX_TEXT)}…` : text,
    isFolded: isCut || folding.isFolded,
    hidden,
  };
}

/** The whole of it, as indented JSON. */
export function wholeFrame(entry: WireEntry, options: RedactOptions): string {
  const { value } = shown(entry, options);
  return typeof value === 'string' ? value : jsonText(value);
}

function shown(
  entry: WireEntry,
  options: RedactOptions,
): { readonly value: unknown; readonly hidden: number } {
  let frame: unknown;
  try {
    frame = JSON.parse(entry.text);
  } catch {
    const text = redactText(entry.text, options);
    return { value: text, hidden: text === entry.text ? 0 : 1 };
  }
  if (typeof frame === 'string') return { value: redactText(entry.text, options), hidden: 0 };
  const redacted = redactFrame(frame, options);
  return { value: redacted.frame, hidden: redacted.places.length };
}

/** The redactor has bound the depth. */
function folded(value: unknown, folding: { isFolded: boolean }): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_STRING) return value;
    folding.isFolded = true;
    return `${cutText(value, FOLDED_TO)}… (${value.length} characters)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => folded(entry, folding));
  return Object.fromEntries(
    Object.entries(value).map(([field, entry]) => [field, folded(entry, folding)]),
  );
}
