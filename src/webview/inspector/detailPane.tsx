import * as l10n from '@vscode/l10n';
import type { FrameRow } from '../../chat/frameRowProtocol';
import { IconButton } from '../icon';
import { duration } from '../words';
import { byteCount, clockTime, roleWord } from './frameWords';
import { useInspector } from './inspectorContext';
import { JsonText } from './jsonText';

/** The selected frame as a whole. */
export function DetailPane() {
  const { store, post } = useInspector();
  const { value: row } = store.selectedRow;
  const { value: detail } = store.detail;
  const n = store.selected.value ?? 0;
  const isThere = detail?.n === n && detail.text !== undefined;
  return (
    <section
      class="detail"
      aria-label={l10n.t('Frame {0}', n)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        store.closeDetail();
      }}
    >
      <div class="detail-head">
        <h2 class="detail-title">{row ? title(row) : l10n.t('Frame {0}', n)}</h2>
        <IconButton
          icon="copy"
          name={l10n.t('Copy frame')}
          onClick={() => post({ type: 'copyFrame', n })}
        />
        <IconButton
          icon="go-to-file"
          name={l10n.t('Open frame in editor')}
          onClick={() => post({ type: 'openFrame', n })}
        />
        <IconButton icon="close" name={l10n.t('Close')} onClick={() => store.closeDetail()} />
      </div>
      {row && <Facts row={row} />}
      {detail?.n === n && detail.text === undefined && (
        <p class="detail-note">{l10n.t('This frame is no longer kept.')}</p>
      )}
      {isThere && <Notes isFolded={detail.isFolded} hidden={detail.hidden} />}
      {isThere && <JsonText text={detail.text} name={l10n.t('Frame {0} as JSON', n)} />}
    </section>
  );
}

function title(row: FrameRow): string {
  return [row.label, row.detail].filter((part) => part !== undefined).join(' · ');
}

function Facts({ row }: { readonly row: FrameRow }) {
  const { store } = useInspector();
  const { partner } = row;
  const way = row.dir === 'in' ? l10n.t('received') : l10n.t('sent');
  const facts = [way, roleWord(row), clockTime(row.t), byteCount(row.bytes), row.id ?? ''];
  return (
    <p class="facts">
      <span>{facts.filter((fact) => fact !== '').join(' · ')}</span>
      {partner !== undefined && (
        <button type="button" class="link-button" onClick={() => store.reveal(partner)}>
          {partnerWords(row)}
        </button>
      )}
    </p>
  );
}

function partnerWords({ role, state, ms = 0 }: FrameRow): string {
  if (role === 'request') {
    return state === 'takenBack'
      ? l10n.t('Go to where it was taken back')
      : l10n.t('Go to the answer, after {0}', duration(ms));
  }
  return role === 'answer'
    ? l10n.t('Go to the request, {0} before', duration(ms))
    : l10n.t('Go to the request');
}

function Notes({ isFolded, hidden }: { readonly isFolded: boolean; readonly hidden: number }) {
  if (!isFolded && hidden === 0) return null;
  const notes = [
    hidden > 0 ? l10n.t('{0} hidden', hidden.toLocaleString()) : '',
    isFolded ? l10n.t('Long texts are folded; the editor has all of it') : '',
  ];
  return <p class="detail-note">{notes.filter((note) => note !== '').join(' · ')}</p>;
}
