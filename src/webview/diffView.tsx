import * as l10n from '@vscode/l10n';
import type { DiffHunk, FileDiff } from '../chat/viewStateProtocol';
import { numberLines, type LineKind } from './diffLines';

const SIGNS: Readonly<Record<LineKind, string>> = { same: ' ', added: '+', removed: '−' };

/** One file's change; `head` shows its path. The signs are text, so that colour is not the only thing that tells. */
export function DiffView(props: {
  readonly diff: FileDiff;
  readonly head: boolean;
  /** Makes the path a link. */
  readonly href?: string | undefined;
}) {
  const { diff, head, href } = props;
  return (
    <div class="diff" dir="ltr">
      {head && (
        <div class="diff-head" title={diff.path}>
          {href === undefined ? (
            <bdi>{diff.path}</bdi>
          ) : (
            <a class="place" href="#" data-href={href}>
              <bdi>{diff.path}</bdi>
            </a>
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
      {diff.hasCutLines === true && (
        <div class="diff-head diff-rest">
          {l10n.t('Lines that end with … are longer. “Show diff” has all of them.')}
        </div>
      )}
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
