import * as l10n from '@vscode/l10n';
import type { DiffHunk, FileDiff } from '../chat/viewStateProtocol';

type LineKind = 'same' | 'added' | 'removed';

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

const SIGNS: Readonly<Record<LineKind, string>> = { same: ' ', added: '+', removed: '−' };

/** One file's change; `head` shows its path. The signs are text, so that colour is not the only thing that tells. */
export function DiffView({ diff, head }: { readonly diff: FileDiff; readonly head: boolean }) {
  return (
    <div class="diff" dir="ltr">
      {head && (
        <div class="diff-head" title={diff.path}>
          <bdi>{diff.path}</bdi>
        </div>
      )}
      <div
        class="diff-scroll"
        tabIndex={0}
        role="group"
        aria-label={l10n.t('Change of {0}', diff.path)}
      >
        <div class="diff-lines">
          {diff.hunks.map((hunk, index) => (
            <Hunk key={index} hunk={hunk} first={index === 0} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Hunk({ hunk, first }: { readonly hunk: DiffHunk; readonly first: boolean }) {
  return (
    <>
      {!first && <div class="diff-gap" aria-hidden="true" />}
      {numberLines(hunk).map((line, index) => (
        <div key={index} class={`diff-line diff-${line.kind}`}>
          <span class="diff-number" aria-hidden="true">
            {line.number}
          </span>
          <span class="diff-sign">{SIGNS[line.kind]}</span>
          <code>{line.text}</code>
        </div>
      ))}
    </>
  );
}
