import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ErrorItem } from '../chat/viewStateProtocol';
import { ErrorButtons } from './errorButtons';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { useFold } from './useFold';

/** What failed, what was kept, what to do. */
export function ErrorAlert({ item }: { readonly item: ErrorItem }) {
  const { store } = usePanel();
  const isOld = useRef(store.isKnown(item.id));
  useLayoutEffect(() => () => store.know(item.id), [store, item.id]);
  return (
    // Scrolled to again it has been heard.
    <div role="alert" class="alert" aria-live={isOld.current ? 'off' : undefined}>
      <p class="alert-message" dir="auto">
        <Icon name="error" class="alert-sign" />
        <span>{item.message}</span>
      </p>
      {item.next !== undefined && <p dir="auto">{item.next}</p>}
      {item.kept !== undefined && (
        <p class="alert-kept" dir="auto">
          {item.kept}
        </p>
      )}
      {item.details !== undefined && <Details text={item.details} fold={`details:${item.id}`} />}
      <ErrorButtons itemId={item.id} actions={item.actions} />
    </div>
  );
}

/** Technical text, folded; `fold` is the name of that in the transcript. */
export function Details({ text, fold }: { readonly text: string; readonly fold?: string }) {
  const [open, setOpen] = useFold(fold);
  return (
    <div>
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span>{l10n.t('Details')}</span>
      </button>
      {open && (
        <pre class="output" tabIndex={0} dir="ltr" role="group" aria-label={l10n.t('Details')}>
          {text}
        </pre>
      )}
    </div>
  );
}
