import { type AnsiPart, parseAnsi } from '../base/ansiText';
import { findListedPlaces } from '../base/filePlaces';

/** A stretch of an output in one look; one that names a place in a file leads there. */
export interface OutputPart extends AnsiPart {
  readonly href?: string;
}

/** Lines that a folded output shows. */
export const FOLDED_LINES = 12;
/** So few more are not worth a fold. */
const SPARE_LINES = 4;

/** What a tool printed, with its colours and the places that it names. */
export function outputParts(text: string): readonly OutputPart[] {
  const parts = parseAnsi(text);
  const places = findListedPlaces(parts.map((part) => part.text).join(''));
  if (places.length === 0) return parts;
  const cut: OutputPart[] = [];
  let before = 0;
  let at = 0;
  for (const part of parts) {
    let from = 0;
    while (from < part.text.length) {
      const place = places[at];
      const start = (place?.start ?? Infinity) - before;
      const end = (place?.end ?? Infinity) - before;
      const isInside = from >= start;
      const to = Math.min(part.text.length, isInside ? end : start);
      const piece = { ...part, text: part.text.slice(from, to) };
      cut.push(isInside && place ? { ...piece, href: place.href } : piece);
      from = to;
      if (to >= end) at += 1;
    }
    before += part.text.length;
  }
  return cut;
}

/** What of the parts is shown while the output is folded; undefined where it is short enough. */
export function foldedParts(
  parts: readonly OutputPart[],
  keep: 'start' | 'end',
): readonly OutputPart[] | undefined {
  const text = parts.map((part) => part.text).join('');
  const ends = lineEnds(text);
  if (ends.length <= FOLDED_LINES + SPARE_LINES) return undefined;
  return keep === 'start'
    ? slice(parts, 0, ends[FOLDED_LINES - 1] ?? 0)
    : slice(parts, (ends[ends.length - FOLDED_LINES - 1] ?? 0) + 1, text.length);
}

/** Where each line ends; the empty one behind the last end counts for none. */
function lineEnds(text: string): readonly number[] {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return text.endsWith('\n') || text === '' ? ends : [...ends, text.length];
}

function slice(parts: readonly OutputPart[], from: number, to: number): OutputPart[] {
  const kept: OutputPart[] = [];
  let before = 0;
  for (const part of parts) {
    const text = part.text.slice(Math.max(0, from - before), Math.max(0, to - before));
    if (text !== '') kept.push({ ...part, text });
    before += part.text.length;
  }
  return kept;
}

/** Classes of a look; none for plain text. */
export function lookClasses(part: AnsiPart): string {
  return [
    part.color === undefined ? '' : `ansi-${part.color}`,
    part.background === undefined ? '' : `ansi-bg-${part.background}`,
    ...(['bold', 'dim', 'italic', 'underline', 'strike', 'reverse'] as const).map((look) =>
      part[look] === true ? `ansi-${look}` : '',
    ),
  ]
    .filter(Boolean)
    .join(' ');
}
