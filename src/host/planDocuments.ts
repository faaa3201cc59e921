import * as l10n from '@vscode/l10n';
import {
  type CodeLens,
  EventEmitter,
  FilePermission,
  type FileStat,
  FileSystemError,
  FileType,
  languages,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { changeBetween, type TextChange } from '../base/changeBetween';
import { type Disposable, DisposableStore } from '../base/disposable';
import { UserFacingError } from '../base/errors';
import type { PlanCard, PlanComment } from '../chat/askProtocol';
import { planText } from '../chat/planCard';
import { moveComments } from '../chat/planComments';
import { planFileName } from '../chat/planName';
import type { PlanCommentCommand } from './commands';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';
import { PLAN_SCHEME, type PlanFiles, type PlanTexts } from './planFiles';
import { WINDOW_PLACE } from './placeIds';
import { planLens } from './planLens';
import { PlanThreads } from './planThreads';
import { savePlan } from './savePlan';

/** How long a tab that a reload left waits for its conversation, in milliseconds. */
const RESTORE_WITHIN_MS = 20_000;
/** Of those that are decided; older ones are let go. */
const MOST_DECIDED = 20;

/** What the views may do with plans. */
export interface PlanActions {
  act(
    place: ConversationPlace,
    cardId: string,
    action: 'open' | 'save' | 'discardEdits',
  ): Promise<void>;
  removeComment(place: ConversationPlace, cardId: string, commentId: string): void;
  saveDecided(place: ConversationPlace, toolUseId: string): Promise<void>;
}

interface OpenPlan {
  readonly cardId: string;
  readonly uri: Uri;
  readonly place: ConversationPlace;
  /** As the document has it, or would have it: what is typed counts at once, saved or not. */
  text: string;
  /** Milliseconds since the epoch; grows when the text changes otherwise than by its document. */
  mtime: number;
  state: 'waiting' | 'closing' | 'decided';
}

interface WaitingPlan {
  readonly place: ConversationPlace;
  readonly card: PlanCard;
}

interface DecidedPlan {
  readonly place: ConversationPlace;
  readonly text: string;
}

/**
 * Plans as documents. The card of the conversation holds edits and comments, so that they survive
 * all of this; a document shows them and takes new ones. Where a document is closed with unsaved
 * changes these stay: the card says so, and takes them back by its own button.
 */
export class PlanDocuments implements Disposable, PlanTexts, PlanActions {
  readonly threads: PlanThreads;
  readonly #hub: ConversationHub;
  readonly #files: PlanFiles;
  readonly #plans = new Map<string, OpenPlan>();
  readonly #store = new DisposableStore();
  readonly #lensChanged = this.#store.add(new EventEmitter<void>());

  constructor(hub: ConversationHub, files: PlanFiles) {
    this.#hub = hub;
    this.#files = files;
    this.threads = this.#store.add(
      new PlanThreads({
        isOpen: (uri) => this.#open(uri) !== undefined,
        text: (uri) => this.#open(uri)?.text ?? '',
        change: (uri, next) => this.#comment(uri, next),
      }),
    );
    const lens = {
      onDidChangeCodeLenses: this.#lensChanged.event,
      provideCodeLenses: ({ uri }: TextDocument): CodeLens[] => this.#lens(uri),
    };
    for (const listener of [
      languages.registerCodeLensProvider({ scheme: PLAN_SCHEME }, lens),
      workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === PLAN_SCHEME) this.#settle(this.#plans.get(cardIdOf(uri)));
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== PLAN_SCHEME) return;
        this.threads.show(uri, []);
        this.#settle(this.#plans.get(cardIdOf(uri)));
      }),
      hub.onDidChangeTurn((place) => this.#follow(place)),
    ]) {
      this.#store.add(listener);
    }
    for (const document of workspace.textDocuments) this.#opened(document);
  }

  dispose(): void {
    this.#store.dispose();
    this.#plans.clear();
  }

  run(command: PlanCommentCommand, target: unknown): void {
    this.threads.run(command, target);
  }

  async act(
    place: ConversationPlace,
    cardId: string,
    action: 'open' | 'save' | 'discardEdits',
  ): Promise<void> {
    const card = cardIn(place, cardId);
    if (card?.plan === undefined || card.cutFrom !== undefined) {
      throw new UserFacingError(l10n.t('This plan does not wait any more.'));
    }
    switch (action) {
      case 'open': {
        const document = await workspace.openTextDocument(this.#plan(place, card).uri);
        await window.showTextDocument(document, { preview: false });
        return;
      }
      case 'save':
        return savePlan(planText(card), place.folder?.path);
      case 'discardEdits':
        return this.#discard(place, card);
    }
  }

  removeComment(place: ConversationPlace, cardId: string, commentId: string): void {
    place.conversation.asks.reviewPlan(cardId, ({ edited, comments }) => ({
      edited,
      comments: comments.filter(({ id }) => id !== commentId),
    }));
  }

  async saveDecided(place: ConversationPlace, toolUseId: string): Promise<void> {
    const text = decidedText(place, toolUseId);
    if (text === undefined) {
      throw new UserFacingError(l10n.t('This plan is not here as a whole, so it cannot be saved.'));
    }
    await savePlan(text, place.folder?.path);
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { text, mtime, state } = await this.#await(uri);
    return {
      type: FileType.File,
      ctime: mtime,
      mtime,
      size: Buffer.byteLength(text),
      ...(state === 'decided' ? { permissions: FilePermission.Readonly } : {}),
    };
  }

  async read(uri: Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#await(uri)).text);
  }

  /** What is saved has counted before, as it was typed; another program may write it too. */
  async write(uri: Uri, content: Uint8Array): Promise<void> {
    const plan = await this.#await(uri);
    if (plan.state === 'decided') throw FileSystemError.NoPermissions(uri);
    const text = new TextDecoder().decode(content);
    plan.mtime = Math.max(Date.now(), plan.mtime + 1);
    if (text !== plan.text) this.#take(plan, text, [changeBetween(plan.text, text)]);
  }

  /** The plan of a card, as a document that is not opened yet. */
  #plan(place: ConversationPlace, card: PlanCard): OpenPlan {
    const known = this.#plans.get(card.id);
    if (known?.state === 'waiting') return known;
    const name = planFileName(card.plan ?? '');
    const uri = Uri.from({ scheme: PLAN_SCHEME, path: `/${name}`, query: queryOf(card) });
    const text = planText(card);
    const plan: OpenPlan = {
      ...{ cardId: card.id, uri, place, text },
      ...{ mtime: Date.now(), state: 'waiting' },
    };
    this.#plans.set(card.id, plan);
    return plan;
  }

  /** Of a document whose plan still waits. */
  #open(uri: Uri): OpenPlan | undefined {
    const plan = this.#plans.get(cardIdOf(uri));
    return plan?.state === 'waiting' ? plan : undefined;
  }

  /** Also of a tab that a reload left, whose conversation comes back meanwhile. */
  async #await(uri: Uri): Promise<OpenPlan> {
    const cardId = cardIdOf(uri);
    const known = this.#plans.get(cardId);
    if (known) return known;
    const found = await this.#find(cardId, callIdOf(uri));
    if (!found) throw FileSystemError.FileNotFound(uri);
    if ('card' in found) return this.#plan(found.place, found.card);
    const plan: OpenPlan = { cardId, uri, ...found, mtime: Date.now(), state: 'decided' };
    this.#plans.set(cardId, plan);
    return plan;
  }

  #find(cardId: string, callId: string): Promise<WaitingPlan | DecidedPlan | undefined> {
    const look = (): WaitingPlan | DecidedPlan | undefined => {
      for (const place of this.#hub.all) {
        const card = cardIn(place, cardId);
        if (card?.plan !== undefined && card.cutFrom === undefined) return { place, card };
        const text = decidedText(place, callId);
        if (text !== undefined) return { place, text };
      }
      return undefined;
    };
    // The side bar's conversation is made on first use, with or without its view.
    this.#hub.place(WINDOW_PLACE);
    const now = look();
    if (now) return Promise.resolve(now);
    return new Promise((resolve) => {
      const done = (found: ReturnType<typeof look>): void => {
        clearTimeout(timer);
        listener.dispose();
        resolve(found);
      };
      const timer = setTimeout(() => done(undefined), RESTORE_WITHIN_MS);
      const listener = this.#hub.onDidChangeTurn(() => {
        const found = look();
        if (found) done(found);
      });
    });
  }

  /** A document may hold what was typed before a reload, or line ends that it made alike. */
  #opened(document: TextDocument): void {
    const { uri } = document;
    if (uri.scheme !== PLAN_SCHEME || document.isClosed) return;
    const plan = this.#open(uri);
    if (!plan) {
      // With unsaved changes it comes back from VS Code's own copy, and nobody has asked for its text.
      if (!this.#plans.has(cardIdOf(uri))) void this.#link(document);
      return;
    }
    const text = document.getText();
    if (text !== plan.text) this.#take(plan, text, [changeBetween(plan.text, text)]);
    this.threads.show(plan.uri, cardIn(plan.place, plan.cardId)?.comments ?? []);
    this.#lensChanged.fire();
  }

  async #link(document: TextDocument): Promise<void> {
    const isThere = await this.#await(document.uri).then(
      () => true,
      () => false,
    );
    // Where its conversation is gone it is a text like any other.
    if (isThere) this.#opened(document);
  }

  #edited({ document, contentChanges }: TextDocumentChangeEvent): void {
    if (document.uri.scheme !== PLAN_SCHEME || contentChanges.length === 0) return;
    const plan = this.#open(document.uri);
    if (!plan) return;
    const changes = contentChanges.map(({ rangeOffset: offset, rangeLength: length, text }) => ({
      ...{ offset, length, text },
    }));
    this.#take(plan, document.getText(), changes);
  }

  /** The text is another one: the card has it, and comments stand on their lines again. */
  #take(plan: OpenPlan, text: string, changes: readonly TextChange[]): void {
    const before = plan.text;
    plan.text = text;
    let comments: readonly PlanComment[] = [];
    plan.place.conversation.asks.reviewPlan(plan.cardId, (card) => {
      const moved = moveComments(card.comments, before, changes);
      comments =
        moved.text === text
          ? moved.comments
          : moveComments(card.comments, before, [changeBetween(before, text)]).comments;
      return { edited: text, comments };
    });
    if (isShown(plan.uri)) this.threads.show(plan.uri, comments);
  }

  #comment(uri: Uri, next: (comments: readonly PlanComment[]) => readonly PlanComment[]): void {
    const plan = this.#open(uri);
    plan?.place.conversation.asks.reviewPlan(plan.cardId, ({ edited, comments }) => ({
      edited,
      comments: next(comments),
    }));
  }

  /** The cards have changed: what was decided is read only, what was removed there goes here too. */
  #follow(place: ConversationPlace): void {
    for (const plan of this.#plans.values()) {
      if (plan.place !== place || plan.state !== 'waiting') continue;
      const card = cardIn(place, plan.cardId);
      if (!card) void this.#decided(plan);
      else if (isShown(plan.uri)) this.threads.show(plan.uri, card.comments);
    }
  }

  /** Nothing is asked when its tab is closed: what was typed has gone along with the answer. */
  async #decided(plan: OpenPlan): Promise<void> {
    plan.state = 'closing';
    this.threads.show(plan.uri, []);
    this.#lensChanged.fire();
    await documentOf(plan.uri)?.save();
    this.#settle(plan);
  }

  /**
   * Read only is what needs no saving any more. Fact: while VS Code saves a document by itself,
   * `save` may come back before that has written, and what it writes later would be refused.
   */
  #settle(plan: OpenPlan | undefined): void {
    if (plan?.state !== 'closing' || documentOf(plan.uri)?.isDirty === true) return;
    plan.state = 'decided';
    this.#files.changed(plan.uri);
    const decided = [...this.#plans.values()].filter(({ state }) => state === 'decided');
    for (const { cardId } of decided.slice(0, -MOST_DECIDED)) this.#plans.delete(cardId);
  }

  async #discard(place: ConversationPlace, card: PlanCard): Promise<void> {
    const plan = this.#plan(place, card);
    const original = card.plan ?? '';
    const document = documentOf(plan.uri);
    if (!document) {
      this.#take(plan, original, [changeBetween(plan.text, original)]);
      plan.mtime = Math.max(Date.now(), plan.mtime + 1);
      return;
    }
    // As an edit, so that Undo brings it back.
    const { offset, length, text } = changeBetween(document.getText(), original);
    const edit = new WorkspaceEdit();
    const range = new Range(document.positionAt(offset), document.positionAt(offset + length));
    edit.replace(plan.uri, range, text);
    await workspace.applyEdit(edit);
  }

  #lens(uri: Uri): CodeLens[] {
    const plan = this.#plans.get(cardIdOf(uri));
    return plan ? [planLens(plan.state === 'waiting')] : [];
  }
}

function cardIn(place: ConversationPlace, cardId: string): PlanCard | undefined {
  const card = place.turn.asks.find(({ id }) => id === cardId);
  return card?.kind === 'plan' ? card : undefined;
}

/** In the query, where it disturbs no name that is shown. */
function queryOf({ id, toolUseId = '' }: PlanCard): string {
  return new URLSearchParams({ card: id, call: toolUseId }).toString();
}

function cardIdOf({ query }: Uri): string {
  return new URLSearchParams(query).get('card') ?? '';
}

/** Of the call by which the agent proposed it: the transcript keeps what was decided by this. */
function callIdOf({ query }: Uri): string {
  return new URLSearchParams(query).get('call') ?? '';
}

/** A plan that was decided, where the transcript has all of it. */
function decidedText(place: ConversationPlace, toolUseId: string): string | undefined {
  const plan = place.conversation
    .snapshot()
    .items.flatMap((item) => (item.kind === 'assistant' ? item.blocks : []))
    .flatMap((block) => (block.kind === 'tool' && block.id === toolUseId ? block.plan : undefined))
    .find((part) => part !== undefined);
  return plan === undefined || plan.isCut === true ? undefined : plan.text;
}

function documentOf(uri: Uri): TextDocument | undefined {
  const key = uri.toString();
  return workspace.textDocuments.find((each) => !each.isClosed && each.uri.toString() === key);
}

function isShown(uri: Uri): boolean {
  return documentOf(uri) !== undefined;
}
