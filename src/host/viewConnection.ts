import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../base/disposable';
import { assertNever } from '../base/assertNever';
import type { AskReply } from '../chat/askProtocol';
import type { PanelCommandCall } from '../chat/panelCommands';
import type { SuggestQuery } from '../chat/suggestProtocol';
import { type QueueAction, tryParseViewMessage, type ViewMessage } from '../chat/viewProtocol';
import type { ViewState } from '../chat/viewStateProtocol';
import type { Clock } from '../conversation/clock';
import type { SubmitOutcome, SuggestSource } from '../conversation/conversationPorts';
import { gatherSuggestions } from '../conversation/gatherSuggestions';
import type { ConversationPlace } from './conversationPlace';
import { handleForHost, type HostPorts, isForHost } from './hostMessages';
import { handlePast, isPastMessage, type PastMessage, type PastPorts } from './pastMessages';
import { type PanelCommandPorts, panelCommandOutcome, runPanelCommand } from './panelCommands';
import { type AttachPorts, ViewAttachments } from './viewAttachments';
import { handleResult, isResultMessage, type ResultPorts } from './viewResults';
import type { ViewSurface } from './viewSurface';

/**
 * How long a visible page may take to say `ready`, in milliseconds, before it is loaded again. Over a
 * slow connection, or on a busy machine, 10 s were seen; to load it again then only takes longer.
 */
export const READY_TIMEOUT_MS = 30_000;

/** What a view can ask of the host beyond its conversation. */
export interface ConnectionPorts extends PastPorts, ResultPorts, HostPorts, PanelCommandPorts {
  readonly clock: Clock;
  readonly attach: AttachPorts;
  readonly isTrusted: () => boolean;
  /** What the editor knows of a word that is being typed. */
  suggest(query: SuggestQuery, place: ConversationPlace): readonly SuggestSource[];
  /** The person turned to this place. */
  focused(place: ConversationPlace): void;
  /** Opens a page of the web after the editor's own question; false where the person did not want it. */
  openPage(url: string): Promise<boolean>;
  /** Shows what could not be done. */
  report(error: unknown): void;
}

/** Joins one webview and its place: validates what the webview sends, and does it. */
export class ViewConnection implements Disposable {
  readonly #surface: ViewSurface;
  readonly #place: ConversationPlace;
  readonly #ports: ConnectionPorts;
  readonly #store = new DisposableStore();
  readonly #view: ReturnType<ConversationPlace['attach']>;
  readonly #attachments: ViewAttachments;
  #readyTimer: Disposable | undefined;
  #suggesting = new AbortController();
  #isReady = false;
  /** Cards whose page is being opened: a second press opens no second one. */
  readonly #opening = new Set<string>();
  #reloads = 0;
  /** The message that ran a command of the panel's own last. */
  #ranAs: string | undefined;

  constructor(surface: ViewSurface, place: ConversationPlace, ports: ConnectionPorts) {
    this.#surface = surface;
    this.#place = place;
    this.#ports = ports;
    this.#view = this.#store.add(place.attach(surface));
    this.#attachments = new ViewAttachments(place, ports.attach, (message) => {
      this.#view.send(message);
    });
    this.#store.add(
      surface.onDidActivate(() => {
        ports.focused(place);
      }),
    );
    this.#store.add(
      surface.onDidChangeVisibility((visible) => {
        this.#watchReady();
        // What an empty conversation offers does not follow the editor while nobody sees it.
        if (visible && this.#isReady && !place.isTouched) place.refreshFields();
      }),
    );
    this.#store.add({
      dispose: () => {
        this.#readyTimer?.dispose();
        this.#suggesting.abort();
      },
    });
    this.#watchReady();
    this.#store.add(
      surface.onDidReceiveMessage((value) => {
        this.#receive(value);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  #receive(value: unknown): void {
    const message = tryParseViewMessage(value);
    if (message === undefined) {
      this.#ports.log.warn('A message of the chat view was not understood and is dropped');
      return;
    }
    this.#handle(message).catch((error: unknown) => {
      this.#ports.report(error);
    });
  }

  // Async, so that what throws at once and what fails later end in the same place.
  async #handle(message: ViewMessage): Promise<void> {
    if (isForHost(message)) return handleForHost(message, this.#place, this.#ports);
    if (isPastMessage(message)) return this.#handlePast(message);
    if (isResultMessage(message)) {
      return handleResult(message, this.#place, this.#ports, (answer) => {
        this.#view.send(answer);
      });
    }
    const { conversation } = this.#place;
    switch (message.type) {
      case 'ready':
        this.#ready();
        return;
      case 'submit':
        return this.#submit(message);
      case 'stop':
        return conversation.stop();
      case 'pins':
      case 'dismissSide':
      case 'cancelSubmit':
        this.#tell(message);
        return;
      case 'draft':
        this.#typed(message.text, message.box);
        this.#attachments.draft(message.images ?? [], message.box);
        return;
      case 'suggest':
        return this.#suggest(message.queryId, message.query);
      case 'attach':
      case 'detach':
      case 'loadPicture':
      case 'openPicture':
      case 'chooseFiles':
      case 'dropFiles':
      case 'pastedText':
        return this.#attachments.handle(message);
      case 'inputFocused':
        this.#ports.focused(this.#place);
        this.#prewarm();
        return;
      case 'answerPermission':
      case 'permissionDraft':
      case 'answerAsk':
      case 'askDraft':
        return this.#handleCard(message);
      case 'setModel':
      case 'setMode':
        return this.#choose(message);
      case 'retry':
        conversation.retry(message.itemId);
        return;
      case 'toolAction':
        return conversation.toolAction(message.toolUseId, message.action);
      case 'queue':
        this.#queue(message.promptId, message.action);
        return;
      default:
        assertNever(message, 'view message');
    }
  }

  #tell(message: Extract<ViewMessage, { type: 'pins' | 'dismissSide' | 'cancelSubmit' }>): void {
    const { conversation } = this.#place;
    if (message.type === 'pins') conversation.setFields({ pins: message.keys });
    else if (message.type === 'dismissSide') conversation.side.dismiss();
    else conversation.cancelSubmit();
  }

  async #handleCard(message: CardMessage): Promise<void> {
    const { conversation } = this.#place;
    switch (message.type) {
      case 'answerPermission':
        conversation.answerPermission(message.cardId, message.answer, message.reason);
        return;
      case 'permissionDraft':
        conversation.draftReason(message.cardId, message.reason);
        return;
      case 'answerAsk':
        return this.#answerAsk(message.cardId, message.reply);
      case 'askDraft':
        conversation.asks.draft(message.cardId, message.draft);
    }
  }

  #handlePast(message: PastMessage): Promise<void> {
    // A view that goes hands on its draft, which says nothing about where the person is.
    if (message.type !== 'editDraft') this.#ports.focused(this.#place);
    return handlePast(message, this.#place, this.#ports, (answer) => {
      this.#view.send(answer);
    });
  }

  #choose(message: ChoiceMessage): Promise<void> {
    const { conversation } = this.#place;
    if (!isOffered(message, conversation.snapshot())) {
      this.#ports.log.warn('The chat view asked for what it was not offered');
      return Promise.resolve();
    }
    this.#place.touch();
    if (message.type === 'setModel') return conversation.setModel(message.model);
    return conversation.setMode(message.mode);
  }

  /** Whoever has left the caret in the input comes back without a focus. */
  #typed(text: string, box: string | undefined): void {
    const isMore = text !== '' && text !== this.#place.draft && this.#place.isHere(box);
    this.#place.typed(text, box);
    if (isMore) this.#prewarm();
  }

  /** Before trust, no process starts unless the person asks for something. */
  #prewarm(): void {
    if (this.#ports.isTrusted()) this.#place.conversation.prewarm();
  }

  #submit({
    promptId,
    text,
    images: ids = [],
    selection: shown,
    steers,
  }: SubmitMessage): void | Promise<void> {
    this.#ports.focused(this.#place);
    const own = this.#place.conversation.panelCommand(text);
    if (own) return this.#runOwn(own, { promptId, text, pictures: ids.length });
    const images = this.#attachments.refs(ids);
    const reason = this.#attachments.refusal(images, ids.length);
    if (reason !== undefined) {
      this.#submitted(promptId, { accepted: false, reason });
      return;
    }
    const selection =
      shown === undefined ? undefined : this.#ports.selections.take(shown, this.#place);
    const outcome = this.#place.submit(promptId, text, {
      ...(images.length > 0 ? { images } : {}),
      ...(selection === undefined ? {} : { selection }),
      ...(steers === true ? { steers } : {}),
    });
    if (outcome instanceof Promise) {
      return outcome.then((late) => {
        this.#submitted(promptId, late);
      });
    }
    this.#submitted(promptId, outcome);
  }

  /** A command of the panel's own: the agent never hears of it. */
  async #runOwn(
    call: PanelCommandCall,
    sent: { readonly promptId: string; readonly text: string; readonly pictures: number },
  ): Promise<void> {
    const { promptId, text } = sent;
    const outcome = panelCommandOutcome(call, sent.pictures);
    this.#submitted(promptId, outcome);
    if (!outcome.accepted) return;
    // One that was chosen in the list leaves the rest of the message where it is.
    if (this.#place.draft.trim() === text.trim()) this.#place.draft = '';
    // Handed in twice, as when the answer is late, it is run once.
    if (this.#ranAs === promptId) return;
    this.#ranAs = promptId;
    await runPanelCommand(call.command, this.#place, this.#ports, (message) => {
      this.#view.send(message);
    });
  }

  #submitted(promptId: string, outcome: SubmitOutcome): void {
    this.#place.send({
      type: 'submitted',
      promptId,
      ...(outcome.accepted ? {} : { refused: outcome.reason }),
    });
  }

  /** The next question ends this one: whoever types on wants no more of it. */
  async #suggest(queryId: number, query: SuggestQuery): Promise<void> {
    this.#suggesting.abort();
    const suggesting = (this.#suggesting = new AbortController());
    // The agent names its commands once it has started.
    this.#prewarm();
    const sources = [
      ...this.#ports.suggest(query, this.#place),
      ...this.#place.conversation.suggest(query),
    ];
    await gatherSuggestions(sources, suggesting.signal, (answer) => {
      this.#view.send({ type: 'suggestions', queryId, answer });
    });
  }

  /** A page is opened first: where it is not, the card goes on waiting. */
  async #answerAsk(cardId: string, reply: AskReply): Promise<void> {
    const { asks } = this.#place.conversation;
    const url = reply.action === 'accept' ? asks.url(cardId) : undefined;
    if (url !== undefined) {
      if (this.#opening.has(cardId)) return;
      this.#opening.add(cardId);
      try {
        if (!(await this.#ports.openPage(url))) return;
      } finally {
        this.#opening.delete(cardId);
      }
    }
    asks.answer(cardId, reply);
  }

  #queue(promptId: string, action: QueueAction): void {
    const prompt = this.#place.conversation.queueAction(promptId, action);
    if (prompt === undefined) return;
    const { text, images } = prompt;
    if (images) this.#ports.attach.images.know(images);
    this.#place.send({ type: 'insertText', text, ...(images ? { images } : {}) });
  }

  #ready(): void {
    this.#isReady = true;
    this.#readyTimer?.dispose();
    this.#place.refreshFields();
    this.#view.ready();
    this.#place.conversation.recheckQuestions();
  }

  /** A page that stays silent is loaded once more, then replaced by the reason: never just blank. */
  #watchReady(): void {
    this.#readyTimer?.dispose();
    if (this.#isReady || !this.#surface.visible) return;
    this.#readyTimer = this.#ports.clock.after(READY_TIMEOUT_MS, () => {
      this.#ports.log.warn('The chat view did not become ready in time');
      if (this.#reloads > 0) {
        this.#surface.showFailure(l10n.t('The page did not start. What you typed is kept.'));
        return;
      }
      this.#reloads += 1;
      this.#surface.reload();
      this.#watchReady();
    });
  }
}

/** Only what stands in the lists of the panel can be chosen in it. */
function isOffered(message: ChoiceMessage, { models, modes }: ViewState): boolean {
  if (message.type === 'setModel') return models.some(({ id }) => id === message.model);
  return modes.some(
    ({ id, disabledReason }) => id === message.mode && disabledReason === undefined,
  );
}

type ChoiceMessage = Extract<ViewMessage, { type: 'setModel' | 'setMode' }>;
type CardMessage = Extract<
  ViewMessage,
  { type: 'answerPermission' | 'permissionDraft' | 'answerAsk' | 'askDraft' }
>;
type SubmitMessage = Extract<ViewMessage, { type: 'submit' }>;
