import * as l10n from '@vscode/l10n';
import type { ApprovalFile, ToolFilesApprovalCard } from '../chat/viewStateProtocol';
import { DiffView } from './diffView';
import { IconButton } from './icon';
import { usePanel } from './panelContext';

/** The sign is text, so that colour is not the only thing that tells. */
const SIGNS: Readonly<Record<ApprovalFile['change'], string>> = {
  added: '+',
  changed: '~',
  removed: '−',
};

/** What is asked about: that code would run, and which. */
export function ToolFilesBody({ card }: { readonly card: ToolFilesApprovalCard }) {
  const { packages, moreFiles = 0 } = card;
  return (
    <>
      <p dir="auto">
        {card.isFirst
          ? l10n.t('This workspace brings tools for the agent.')
          : l10n.t('Tools of this workspace were changed since you approved them.')}{' '}
        {l10n.t(
          'Their code runs inside the editor with your rights: it can do whatever you can. Approve only what you have read.',
        )}
      </p>
      <ul class="card-files" aria-label={l10n.t('Files')}>
        {card.files.map((file, index) => (
          <File key={file.path} card={card} file={file} index={index} />
        ))}
      </ul>
      {moreFiles > 0 && (
        <p class="card-why">
          {moreFiles === 1
            ? l10n.t('One more file is not named here; “Show what is new” shows it.')
            : l10n.t(
                '{0} more files are not named here; “Show what is new” shows them.',
                moreFiles,
              )}
        </p>
      )}
      {packages.length > 0 && (
        <p dir="auto" class="card-packages">
          {l10n.t('It also runs these packages of the workspace, whose code is not shown:')}{' '}
          <bdi>{packages.join(', ')}</bdi>
        </p>
      )}
      <p class="card-why" dir="auto">
        {l10n.t('Your answer counts for just this content. After any change you are asked again.')}
      </p>
    </>
  );
}

function File(props: {
  readonly card: ToolFilesApprovalCard;
  readonly file: ApprovalFile;
  readonly index: number;
}) {
  const { card, file, index } = props;
  const { post } = usePanel();
  return (
    <li>
      <div class="card-file">
        <span class={`card-sign diff-${file.change}`} aria-hidden="true">
          {SIGNS[file.change]}
        </span>
        <span class="sr-only">{changeWord(file.change)} </span>
        <bdi class="card-path" dir="ltr">
          {file.path}
        </bdi>
        {file.size !== undefined && <span class="figure">{file.size}</span>}
        <IconButton
          icon="diff"
          name={l10n.t('Show what is new in {0}', file.path)}
          onClick={() => post({ type: 'showApproval', approvalId: card.id, file: index })}
        />
      </div>
      {file.hasLooped === true && (
        <p class="card-why" dir="auto">
          {l10n.t('It ran for ever before, and held up the editor.')}
        </p>
      )}
      {file.diff && <DiffView diff={file.diff} head={false} />}
    </li>
  );
}

function changeWord(change: ApprovalFile['change']): string {
  switch (change) {
    case 'added':
      return l10n.t('New:');
    case 'changed':
      return l10n.t('Changed:');
    case 'removed':
      return l10n.t('Removed:');
  }
}
