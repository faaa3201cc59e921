import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { assertNever } from '../base/assertNever';
import type { ErrorAction, ErrorItem } from '../chat/viewStateProtocol';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { errorActionWords } from './words';

/** What failed, what was kept, what to do. */
export function ErrorAlert({ item }: { readonly item: ErrorItem }) {
  const { post } = usePanel();
  const run = (action: ErrorAction) => {
    switch (action) {
      case 'retry':
        post({ type: 'retry', itemId: item.id });
        return;
      case 'showLog':
      case 'openSettings':
      case 'login':
        post({ type: action });
        return;
      default:
        assertNever(action, 'error action');
    }
  };
  return (
    <div role="alert" class="alert">
      <p class="alert-message" dir="auto">
        <Icon name="error" class="alert-sign" />
        <span>{item.message}</span>
      </p>
      {item.kept !== undefined && <p dir="auto">{item.kept}</p>}
      {item.next !== undefined && <p dir="auto">{item.next}</p>}
      {item.details !== undefined && <Details text={item.details} />}
      {item.actions.length > 0 && (
        <div class="alert-buttons">
          {item.actions.map((action, index) => (
            <button
              key={action}
              type="button"
              class={`button ${index === 0 ? 'primary' : 'secondary'}`}
              onClick={() => run(action)}
            >
              {errorActionWords(action)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function Details({ text }: { readonly text: string }) {
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
