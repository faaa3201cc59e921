import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { RunToolHostMessage, RunToolMessage, RunView } from '../../chat/runToolProtocol';
import type { ViewMessage } from '../../chat/viewProtocol';
import { AskDrafts } from '../askDrafts';
import { Handshake } from '../connection';
import { keepTakenKeys, listenToHost, reportFailures } from '../hostLink';
import { RunToolApp } from './runToolApp';
import '@vscode/codicons/dist/codicon.css';
import '../base.css';
import '../controls.css';
import '../tools.css';
import '../forms.css';
import '../contrast.css';
import './runTool.css';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const HOST_TYPES = new Set<RunToolHostMessage['type']>(['show']);

const timers = {
  set: (fn: () => void, ms: number) => setTimeout(fn, ms),
  clear: (handle: unknown) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

function start(): void {
  const vscode = acquireVsCodeApi();
  const post = (message: RunToolMessage) => vscode.postMessage(message);
  const view = signal<RunView | undefined>(undefined);
  const drafts = new AskDrafts({ post: (message) => sendCard(message, post), timers });
  const handshake = new Handshake(() => post({ type: 'ready' }));
  listenToHost<RunToolHostMessage>(HOST_TYPES, (message) => {
    if (message.l10n) l10n.config({ contents: message.l10n });
    handshake.answered();
    view.value = message.view;
  });
  reportFailures(post);
  keepTakenKeys();
  // The page may be closed in the next moment, and opened again.
  window.addEventListener('pagehide', () => drafts.flush());
  render(
    <RunToolApp
      view={view}
      connection={handshake.connection}
      retry={() => handshake.start()}
      drafts={drafts}
      post={post}
    />,
    document.getElementById('root') ?? document.body,
  );
  handshake.start();
}

/** What a card of the panel says, in the words of this page. */
function sendCard(message: ViewMessage, post: (message: RunToolMessage) => void): void {
  if (message.type === 'askDraft') {
    post({ type: 'draft', cardId: message.cardId, draft: message.draft });
  } else if (message.type === 'answerAsk') {
    const { cardId, reply } = message;
    if (reply.action === 'accept') post({ type: 'submit', cardId, draft: reply.draft });
    else post({ type: 'decline', cardId });
  }
}

start();
