import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { plainWords, renderMarkdown } from '../chat/markdown';
import type { HostMessage, ViewMessage } from '../chat/viewProtocol';
import { Announcer } from './announcer';
import { AnsweredCards } from './answeredCards';
import { CodeColours } from './codeColours';
import { App } from './app';
import { AskDrafts } from './askDrafts';
import { AttachmentsModel } from './attachmentsModel';
import { fromBase64, toBase64 } from './base64';
import { CodePaste } from './codePaste';
import { ComposerModel } from './composerModel';
import { Handshake } from './connection';
import { ConversationsModel } from './conversationsModel';
import type { TimerPort } from './draftTimer';
import { EditModel } from './editModel';
import { FindModel } from './findModel';
import { FoldBook } from './foldBook';
import { followFontSize } from './fontSize';
import { ImageLoader } from './imageLoader';
import { lookAtPicture, thumbOf } from './lookAtPicture';
import { keepTakenKeys, listenToHost, reportFailures } from './hostLink';
import { PanelProvider, type Panel } from './panelContext';
import { PictureCache } from './pictureCache';
import { quietTime } from './quietTime';
import { ReadingModel } from './readingModel';
import { ReasonDrafts } from './reasonDrafts';
import { toSafeNodes } from './sanitize';
import { Sequence } from './sequence';
import { SuggestModel } from './suggestModel';
import { SymbolModel } from './symbolModel';
import { collapseAll, jumpByPrompt } from './useReading';
import { ViewStore } from './viewStore';
import '@vscode/codicons/dist/codicon.css';
import './base.css';
import './controls.css';
import './transcript.css';
import './edit.css';
import './tools.css';
import './toolBody.css';
import './forms.css';
import './plan.css';
import './setUp.css';
import './side.css';
import './bottom.css';
import './changes.css';
import './suggest.css';
import './attachments.css';
import './conversations.css';
import './find.css';
import './reading.css';
import './codeColours.css';
import './contrast.css';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
};

/** Messages the host may send. */
const HOST_TYPES = new Set<HostMessage['type']>([
  'snapshot',
  'patches',
  'focusInput',
  'insertText',
  'suggestions',
  'symbols',
  'submitted',
  'conversations',
  'openFind',
  'openConversations',
  'image',
  'read',
  'edited',
  'pastedCode',
  'picture',
  'attachFiles',
  'attachRefused',
]);

function start(): void {
  const vscode = acquireVsCodeApi();
  const answered = new AnsweredCards();
  const post = (message: ViewMessage) => {
    answered.note(message);
    vscode.postMessage(message);
  };
  // VS Code keeps it over a reload and hands it to the host, which finds the tab's draft by it.
  vscode.setState({ place: document.body.dataset.place });
  const panel = createPanel(post, answered);
  followFontSize(panel.store, document.documentElement);
  const handshake = new Handshake(() => post({ type: 'ready' }));
  listenToHost(HOST_TYPES, createReceiver(panel, handshake));
  reportFailures(post);
  keepTakenKeys();
  // Nothing typed may be lost when the view goes away between two posts of the draft.
  const flush = () => {
    panel.composer.flush();
    panel.asks.flush();
    panel.reasons.flush();
    panel.edits.flush();
  };
  window.addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);
  const root = document.getElementById('root') ?? document.body;
  render(
    <PanelProvider value={panel}>
      <App connection={handshake.connection} retry={() => handshake.start()} />
    </PanelProvider>,
    root,
  );
  handshake.start();
  // What draws words is made with the first of them, which takes longer than a frame has.
  void quietTime().then(() => toSafeNodes(renderMarkdown('**Beforehand**, `code`\n\n- one')));
}

const timers: TimerPort = {
  set: (fn, ms) => window.setTimeout(fn, ms),
  clear: (handle) => window.clearTimeout(typeof handle === 'number' ? handle : undefined),
};

function createPanel(post: Panel['post'], answered: AnsweredCards): Panel {
  const store = new ViewStore();
  const asks = new AskDrafts({ post, timers });
  const reasons = new ReasonDrafts({ post, timers });
  const newId = () => crypto.randomUUID();
  const edits = new EditModel({ post, timers, newId });
  const pictures = new PictureCache({
    ask: (id) => post({ type: 'loadPicture', id }),
    draw: async (blob) => URL.createObjectURL(await thumbOf(blob)),
  });
  const attachments = new AttachmentsModel({
    ...{ post, newId, look: lookAtPicture, encode: toBase64 },
    show: (id, blob) => pictures.put(id, blob),
  });
  const composer = new ComposerModel({
    ...{ post, timers, now: () => Date.now(), newId, attachments },
    selection: () => {
      const { selection } = store.current;
      return selection?.isOn === true ? selection.id : undefined;
    },
  });
  const suggest = new SuggestModel({
    ask: (queryId, query) => post({ type: 'suggest', queryId, query }),
    replace: (start, end, text) => composer.replace(start, end, text),
    run: (command) => composer.submitText(command),
    enter: ({ text, caret }) => {
      if (store.current.sendKey === 'enter') composer.submit(false, text);
      else composer.breakLine(caret);
    },
    timers,
  });
  return {
    store,
    composer,
    attachments,
    pictures,
    suggest,
    paste: new CodePaste({ post, newId }),
    find: createFind(store, edits),
    images: new ImageLoader(post),
    reading: new ReadingModel((keys) => post({ type: 'pins', keys: [...keys] })),
    folds: new FoldBook(),
    symbols: createSymbols(post),
    conversations: new ConversationsModel(() => post({ type: 'listConversations' })),
    edits,
    asks,
    reasons,
    answered,
    announcer: new Announcer(timers),
    colours: new CodeColours(),
    post,
    openPopups: signal(0),
    modelPickerRequests: signal(0),
  };
}

function createFind(store: ViewStore, edits: EditModel): FindModel {
  return new FindModel({
    // What is being edited stands in a box, in which nothing can be marked.
    items: () =>
      (store.state?.items ?? []).filter((item) => item.kind !== 'user' || !edits.isOf(item)),
    plain: plainWords,
    quiet: quietTime,
  });
}

function createSymbols(post: Panel['post']): SymbolModel {
  return new SymbolModel({
    ask: (names) => post({ type: 'findSymbols', names }),
    open: (name) => post({ type: 'openSymbol', name }),
    now: () => Date.now(),
  });
}

function createReceiver(panel: Panel, handshake: Handshake): (message: HostMessage) => void {
  const sequence = new Sequence();
  const { store, composer, suggest } = panel;
  return (message) => {
    switch (message.type) {
      case 'snapshot':
        sequence.take(message);
        takeSnapshot(panel, message);
        handshake.answered();
        return;
      case 'patches': {
        const what = sequence.take(message);
        if (what === 'use') store.apply(message.patches);
        else if (what === 'gap') handshake.start();
        return;
      }
      case 'insertText':
        if (message.images) panel.attachments.put(message.images);
        if (message.inline === true) composer.insertInline(message.text);
        else composer.insert(message.text);
        return;
      case 'pastedCode':
        panel.paste.answered(message.pasteId, message.mention);
        return;
      case 'attachFiles':
      case 'attachRefused':
      case 'picture':
        takePictures(panel, message);
        return;
      case 'suggestions':
        suggest.answered(message.queryId, message.answer);
        return;
      case 'symbols':
        panel.symbols.answered(message.found);
        return;
      case 'focusInput':
      case 'openFind':
      case 'openConversations':
      case 'read':
        doAsked(panel, message);
        return;
      case 'edited':
        panel.edits.refused(message.promptId, message.refused);
        return;
      case 'conversations':
        panel.conversations.answered(message.answer);
        return;
      case 'image':
        panel.images.answered(message.toolUseId, message.index, message.image);
        return;
      case 'submitted':
        composer.submitted(message.promptId, message.refused);
    }
  };
}

function takeSnapshot(panel: Panel, message: Extract<HostMessage, { type: 'snapshot' }>): void {
  const { store, announcer, folds } = panel;
  const { state, draft, images, box, edit } = message;
  if (message.l10n) l10n.config({ contents: message.l10n });
  panel.composer.start(draft, images, box);
  panel.edits.start(edit, state.items, box);
  panel.images.reset();
  panel.pictures.reset();
  if (!store.sharesItemsWith(state)) announcer.forget();
  if (store.isOther(state)) folds.forget();
  store.reset(state);
}

/** What a command of the editor, or of the message box, does here. */
function doAsked(
  panel: Panel,
  message: Extract<HostMessage, { type: 'focusInput' | 'openFind' | 'openConversations' | 'read' }>,
): void {
  if (message.type === 'focusInput') panel.composer.requestFocus();
  else if (message.type === 'openFind') panel.find.open();
  else if (message.type === 'openConversations') panel.conversations.open();
  else if (message.action === 'collapseAll') collapseAll(panel);
  else jumpByPrompt(panel, message.action === 'nextPrompt' ? 1 : -1);
}

type PictureMessage = Extract<HostMessage, { type: 'attachFiles' | 'attachRefused' | 'picture' }>;

function takePictures({ attachments, pictures }: Panel, message: PictureMessage): void {
  switch (message.type) {
    case 'attachFiles':
      attachments.add(
        message.files.map(({ name, data }) => ({ name, blob: new Blob([fromBase64(data)]) })),
      );
      return;
    case 'attachRefused':
      attachments.refused(message.id, message.reason);
      return;
    case 'picture': {
      const { id, picture } = message;
      if (!picture) pictures.gone(id);
      else void pictures.put(id, new Blob([fromBase64(picture.data)], { type: picture.mediaType }));
    }
  }
}

start();
