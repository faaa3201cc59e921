import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { InspectorHostMessage, InspectorMessage } from '../../chat/inspectorProtocol';
import { Handshake } from '../connection';
import { keepTakenKeys, listenToHost, reportFailures } from '../hostLink';
import { InspectorApp } from './inspectorApp';
import { InspectorProvider } from './inspectorContext';
import { InspectorStore } from './inspectorStore';
import '@vscode/codicons/dist/codicon.css';
import '../base.css';
import '../controls.css';
import './inspector.css';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

/** Messages the host may send. */
const HOST_TYPES = new Set<InspectorHostMessage['type']>([
  'start',
  'frames',
  'counts',
  'named',
  'detail',
]);

function start(): void {
  const vscode = acquireVsCodeApi();
  const post = (message: InspectorMessage) => vscode.postMessage(message);
  const store = new InspectorStore(post);
  const handshake = new Handshake(() => post({ type: 'ready' }));
  listenToHost<InspectorHostMessage>(HOST_TYPES, (message) => {
    if (message.type === 'start') {
      if (message.l10n) l10n.config({ contents: message.l10n });
      handshake.answered();
    }
    store.receive(message);
  });
  reportFailures(post);
  keepTakenKeys();
  render(
    <InspectorProvider value={{ store, post }}>
      <InspectorApp connection={handshake.connection} retry={() => handshake.start()} />
    </InspectorProvider>,
    document.getElementById('root') ?? document.body,
  );
  handshake.start();
}

start();
