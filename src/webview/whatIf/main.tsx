import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { WhatIfHostMessage, WhatIfMessage } from '../../chat/whatIfProtocol';
import { Handshake } from '../connection';
import { WhatIfApp } from './whatIfApp';
import { WhatIfProvider } from './whatIfContext';
import { WhatIfStore } from './whatIfStore';
import '@vscode/codicons/dist/codicon.css';
import '../base.css';
import '../controls.css';
import '../forms.css';
import './whatIf.css';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

/** Messages the host may send; anything else (extensions of the browser, say) is none of ours. */
const HOST_TYPES = new Set(['start', 'verdict']);

function start(): void {
  const vscode = acquireVsCodeApi();
  const post = (message: WhatIfMessage) => vscode.postMessage(message);
  const store = new WhatIfStore(post);
  const handshake = new Handshake(() => post({ type: 'ready' }));
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (!isHostMessage(event.data)) return;
    if (event.data.type === 'start') {
      if (event.data.l10n) l10n.config({ contents: event.data.l10n });
      handshake.answered();
    }
    store.receive(event.data);
  });
  const report = (reason: unknown) => {
    const text = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    post({ type: 'viewError', message: text.slice(0, 4000) });
  };
  window.addEventListener('error', (event) => report(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => report(event.reason));
  render(
    <WhatIfProvider value={{ store, post }}>
      <WhatIfApp connection={handshake.connection} retry={() => handshake.start()} />
    </WhatIfProvider>,
    document.getElementById('root') ?? document.body,
  );
  handshake.start();
}

/** The host is ours and trusted; this only tells its messages from others in the same window. */
function isHostMessage(value: unknown): value is WhatIfHostMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    HOST_TYPES.has(value.type)
  );
}

start();
