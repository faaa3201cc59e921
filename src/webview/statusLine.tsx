import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Usage } from '../chat/viewStateProtocol';
import { isFolderOpen } from './folderPicker';
import { usePanel } from './panelContext';
import { useNow } from './useNow';
import { usePopup } from './usePopup';
import { WaitNote } from './waitNote';
import { cost, statusWords, usageWords } from './words';

/** Under the message box: the state in words, the folder, the context fill, tokens and cost. */
export function StatusLine() {
  const { store } = usePanel();
  store.watch('fields');
  store.watch('items');
  const { status, folder, usage } = store.current;
  const now = useNow(status.kind === 'retrying');
  return (
    <div class="status-line">
      {/* A countdown would be read out each second; its start is said once by the change of kind. */}
      <span
        role="status"
        class={`status status-${status.kind}`}
        aria-live={status.kind === 'retrying' ? 'off' : 'polite'}
      >
        {statusWords(status, now)}
      </span>
      <WaitNote />
      <span class="status-end">
        {folder && !isFolderOpen(store.current) && (
          <span class="folder" title={folder.path}>
            <span class="sr-only">{l10n.t('Folder:')} </span>
            <bdi>{folder.name}</bdi>
          </span>
        )}
        {usage?.contextFill !== undefined && <ContextMeter fill={usage.contextFill} />}
        {usage && <UsageButton usage={usage} />}
      </span>
    </div>
  );
}

function ContextMeter({ fill }: { readonly fill: number }) {
  const bar = useRef<HTMLSpanElement>(null);
  const percent = Math.round(Math.min(1, Math.max(0, fill)) * 100);
  useLayoutEffect(() => bar.current?.style.setProperty('inline-size', `${percent}%`), [percent]);
  return (
    <span
      class={percent >= 80 ? 'meter meter-high' : 'meter'}
      role="meter"
      aria-label={l10n.t('Context used')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={l10n.t('{0} percent', percent)}
      title={l10n.t('Context used: {0} %', percent)}
    >
      <span class="meter-bar" ref={bar} />
    </span>
  );
}

function UsageButton({ usage }: { readonly usage: Usage }) {
  const popup = usePopup();
  const words = usageWords(usage);
  return (
    <div class="usage" ref={popup.root}>
      <button
        ref={popup.button}
        type="button"
        class="usage-button"
        aria-expanded={popup.open}
        aria-label={l10n.t('Usage: {0}', words)}
        onClick={() => popup.setOpen(!popup.open)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !popup.open) return;
          event.stopPropagation();
          popup.close(true);
        }}
      >
        {words}
      </button>
      {popup.open && <UsageDetails usage={usage} />}
    </div>
  );
}

function UsageDetails({ usage }: { readonly usage: Usage }) {
  const full = new Intl.NumberFormat();
  const rows: readonly (readonly [string, string])[] = [
    [l10n.t('Cost of the conversation'), cost(usage.costUsd)],
    ...(usage.contextTokens === undefined
      ? []
      : [[l10n.t('Tokens in the context'), full.format(usage.contextTokens)] as const]),
    [l10n.t('Tokens in, last turn'), full.format(usage.inputTokens)],
    [l10n.t('Tokens out, last turn'), full.format(usage.outputTokens)],
    [l10n.t('Model turns, last prompt'), full.format(usage.turns)],
  ];
  return (
    <dl class="popup usage-details">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
