import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { WhatIfHostMessage, WhatIfMessage } from '../../chat/whatIfProtocol';
import { Handshake } from '../connection';
import { keepTakenKeys, listenToHost, reportFailures } from '../hostLink';
import { WhatIfApp } from './whatIfApp';
import { WhatIfProvider } from './whatIfContext';
import { WhatIfStore } from './whatIfStore';
import '@vscode/codicons/dist/codicon.css';
import '../base.css';
import '../controls.css';
import '../forms.css';
import './whatIf.css';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

/** Messages the host may send. */
const HOST_TYPES = new Set<WhatIfHostMessage['type']>(['start', 'verdict']);

function start(): void {
  const vscode = acquireVsCodeApi();
  const post = (message: WhatIfMessage) => vscode.postMessage(message);
  const store = new WhatIfStore(post);
  const handshake = new Handshake(() => post({ type: 'ready' }));
  listenToHost<WhatIfHostMessage>(HOST_TYPES, (message) => {
    if (message.type === 'start') {
      if (message.l10n) l10n.config({ contents: message.l10n });
      handshake.answered();
    }
    store.receive(message);
  });
  reportFailures(post);
  keepTakenKeys();
  render(
    <WhatIfProvider value={{ store, post }}>
      <WhatIfApp connection={handshake.connection} retry={() => handshake.start()} />
    </WhatIfProvider>,
    document.getElementById('root') ?? document.body,
  );
  handshake.start();
}

start();
