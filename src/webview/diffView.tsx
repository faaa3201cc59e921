import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { DiffHunk, FileDiff } from '../chat/viewStateProtocol';
import { numberLines, type LineKind } from './diffLines';

const SIGNS: Readonly<Record<LineKind, string>> = { same: ' ', added: '+', removed: '−' };

/**
 * One file's change; `head` shows its path, `action` stands at the end of that line. The signs are
 * text, so that colour is not the only thing that tells.
 */
export function DiffView(props: {
  readonly diff: FileDiff;
  readonly head: boolean;
  readonly action?: ComponentChildren;
}) {
  const { diff, head, action } = props;
  const hasAction = action !== undefined && action !== false;
  return (
    <div class="diff" dir="ltr">
      {(head || hasAction) && (
        <div class="diff-head" title={diff.path}>
          <bdi>{head ? diff.path : ''}</bdi>
          {hasAction && (
            <>
              <span class="figure">
                <span class="added">+{diff.added}</span>{' '}
                <span class="removed">−{diff.removed}</span>
              </span>
              {action}
            </>
          )}
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
      {diff.omittedLines !== undefined && (
        <div class="diff-head diff-rest">
          {l10n.t('{0} more lines are not shown here', diff.omittedLines)}
        </div>
      )}
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
