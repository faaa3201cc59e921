import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { ErrorItem } from '../chat/viewStateProtocol';
import { ErrorButtons } from './errorButtons';
import { Icon } from './icon';

/** What failed, what was kept, what to do. */
export function ErrorAlert({ item }: { readonly item: ErrorItem }) {
  return (
    <div role="alert" class="alert">
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
      {item.details !== undefined && <Details text={item.details} />}
      <ErrorButtons itemId={item.id} actions={item.actions} />
    </div>
  );
}

/** Technical text, folded. */
export function Details({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false);
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
