import type { DiffHunk } from '../chat/viewStateProtocol';

export type LineKind = 'same' | 'added' | 'removed';

export interface NumberedLine {
  readonly kind: LineKind;
  /** The line's number in the old file where it was removed, else in the new one. */
  readonly number: number;
  readonly text: string;
}

/** A hunk's lines with the number that a reader looks for. */
export function numberLines(hunk: DiffHunk): readonly NumberedLine[] {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return hunk.lines.map((line) => {
    const text = line.slice(1);
    if (line.startsWith('-')) return { kind: 'removed', number: oldLine++, text };
    if (line.startsWith('+')) return { kind: 'added', number: newLine++, text };
    oldLine += 1;
    return { kind: 'same', number: newLine++, text };
  });
}
