import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { ImageRef } from '../chat/imageProtocol';
import type { PromptExtras, ViewFields } from '../chat/viewStateProtocol';
import type {
  Conversation,
  KeptConversation,
  SubmitOutcome,
} from '../conversation/conversationPorts';
import {
  type DirectMessage,
  type PumpedView,
  type PumpOptions,
  ViewPump,
} from '../conversation/viewPump';
import { isUnsaid } from '../chat/foldersProtocol';
import { type PromptEdit, tryParsePromptEdit } from '../chat/viewProtocol';
import { type DraftPort, draftOwner, PlaceDrafts } from './placeDrafts';
import { PlaceQueues, type PlacesPort } from './placeQueues';
import type { ViewSurface } from './viewSurface';
import { isRunning, nextTurnState, type TurnState, turnStateOf } from './turnState';

/** A folder to work in; undefined in a window without one. */
export type WorkingFolder = { readonly name: string; readonly path: string } | undefined;

/** What a conversation takes over from the one before a reload, and hands on to the next. */
export interface PlaceMemory {
  readonly kept: KeptConversation | undefined;
  readonly keep: (kept: KeptConversation) => void;
}

export interface PlacePorts {
  readonly pump: Omit<PumpOptions, 'draft' | 'draftBox' | 'draftImages' | 'edit' | 'onUnsent'>;
  readonly drafts: DraftPort;
  /** Never throws: where none can be started it returns one that says so. */
  createConversation(folder: WorkingFolder, memory: PlaceMemory): Conversation;
  pickFolder(): WorkingFolder;
  /** Whether the folder belongs to the window. */
  isOpen(folder: string): boolean;
  /** What outlives the window. */
  readonly places: PlacesPort;
  /** What the host knows and the conversation does not. */
  hostFields(folder: WorkingFolder): Partial<ViewFields>;
  onEnded(ending: Promise<void>): void;
}

/**
 * Where a conversation is shown: the side bar, or one editor tab. The place stays, with its views,
 * while a new conversation takes the seat of the old one; a draft goes and comes with its conversation.
 */
export class ConversationPlace implements Disposable {
  readonly id: string;
  readonly #ports: PlacePorts;
  readonly #pump: ViewPump;
  readonly #drafts: PlaceDrafts;
  readonly #queues: PlaceQueues;
  readonly #views = new Map<ViewSurface, PumpedView>();
  readonly #turnChanged = new Emitter<void>();
  /** Prompts that were taken, over all conversations of the place: a doubled one is sent once. */
  readonly #taken = new Set<string>();
  /** Texts that were taken, and that a page may still have in its input: it has not heard of it. */
  #unheard: readonly string[] = [];
  /** For a view that is still being opened. */
  #waiting: DirectMessage[] = [];
  #conversation: Conversation;
  #folder: WorkingFolder;
  #turn: TurnState;
  #touched = false;
  #isOver = false;
  /** One of a folder that is closed stands kept here: what waits in it must not go with its entry. */
  #displaces = false;
  /** What the conversation was last told of the host, as text: the editor changes often. */
  #hostFields = '';

  constructor(id: string, ports: PlacePorts) {
    this.id = id;
    this.#ports = ports;
    this.#pump = new ViewPump({
      ...ports.pump,
      draft: () => this.draft,
      draftBox: () => this.#drafts.box,
      edit: () => this.edit,
      draftImages: () => this.draftImages,
      onUnsent: (message) => {
        this.send(message);
        if (this.#isOver) this.#keepUnsent();
      },
    });
    this.#pump.onDidFlush((patches) => {
      const next = nextTurnState(this.#turn, patches);
      if (next !== this.#turn) this.#setTurn(next);
    });
    this.#queues = new PlaceQueues(id, ports.places);
    const kept = ports.places.get(id);
    // One of a folder that was closed since stays on the disk, for when it is open again.
    const last = kept && ports.isOpen(kept.folder.path) ? kept : undefined;
    const owner = draftOwner(id, last?.conversation.sessionId);
    this.#drafts = new PlaceDrafts(id, ports.drafts, owner);
    this.#folder = last?.folder ?? ports.pickFolder();
    this.#touched = last !== undefined;
    this.#displaces = kept !== last;
    this.#conversation = this.#create(last?.conversation);
    this.#turn = turnStateOf(this.#conversation.snapshot());
    this.#seat();
  }

  readonly onDidChangeTurn: Event<void> = this.#turnChanged.event;

  get conversation(): Conversation {
    return this.#conversation;
  }

  get folder(): WorkingFolder {
    return this.#folder;
  }

  get turn(): TurnState {
    return this.#turn;
  }

  /** The CLI's session of the conversation; undefined before its first turn. */
  get sessionId(): string | undefined {
    return this.#kept?.sessionId;
  }

  get #kept(): KeptConversation | undefined {
    return this.#displaces ? undefined : this.#ports.places.get(this.id)?.conversation;
  }

  get surfaces(): readonly ViewSurface[] {
    return [...this.#views.keys()];
  }

  get isVisible(): boolean {
    return this.surfaces.some((surface) => surface.visible);
  }

  /** Whether there is something to stop. An agent that is started ahead of a prompt is not. */
  get isRunning(): boolean {
    return isRunning(this.#turn) && (this.#touched || this.#turn.kind !== 'starting');
  }

  /** The same with what goes on in the background: it would end with the conversation. */
  get isWorking(): boolean {
    return this.isRunning || (this.#conversation.snapshot().tasks ?? []).length > 0;
  }

  /** Whether the person did something with the conversation that a new one would lose. */
  get isTouched(): boolean {
    return this.#touched;
  }

  get draft(): string {
    return this.#drafts.text();
  }

  set draft(text: string) {
    this.#drafts.setText(text);
  }

  /** Whether the words that a page tells are of the conversation that is here now. */
  isHere(box: string | undefined): boolean {
    return box === undefined || box === this.#drafts.box;
  }

  /**
   * What a page has in its input. One that goes before it hears what was taken has that in front.
   * @param box the name of the input that the page knows
   */
  typed(text: string, box?: string): void {
    if (!this.isHere(box)) {
      this.#drafts.setText(text, box);
      return;
    }
    let rest = text;
    for (const taken of this.#unheard) {
      if (!rest.trimStart().startsWith(taken)) this.#unheard = [];
      else rest = rest.trimStart().slice(taken.length).trimStart();
    }
    this.draft = rest;
  }

  /** An earlier prompt that is being edited; undefined where none is. */
  get edit(): PromptEdit | undefined {
    return tryParseEdit(this.#drafts.edit());
  }

  set edit(edit: PromptEdit | undefined) {
    this.edited(edit);
  }

  /** What a page has in the place of an earlier prompt, as with {@link typed}. */
  edited(edit: PromptEdit | undefined, box?: string): void {
    this.#drafts.setEdit(edit === undefined ? '' : JSON.stringify(edit), box);
  }

  get draftImages(): readonly ImageRef[] {
    return this.#drafts.images();
  }

  set draftImages(images: readonly ImageRef[]) {
    this.#drafts.setImages(images);
  }

  /** The pictures beside {@link typed} words. */
  attached(images: readonly ImageRef[], box?: string): void {
    this.#drafts.setImages(images, box);
  }

  touch(): void {
    this.#touched = true;
  }

  /** Hands a prompt in. The draft is let go only once the prompt was taken. */
  submit(
    promptId: string,
    text: string,
    extras: PromptExtras = {},
  ): SubmitOutcome | Promise<SubmitOutcome> {
    if (this.#taken.has(promptId)) return { accepted: true };
    const { box } = this.#drafts;
    const outcome = this.#conversation.submit(promptId, text, extras);
    const settle = (settled: SubmitOutcome) =>
      this.#submitted({ promptId, text, box }, extras, settled);
    return outcome instanceof Promise ? outcome.then(settle) : settle(outcome);
  }

  #submitted(
    { promptId, text, box }: Record<'promptId' | 'text' | 'box', string>,
    { images = [] }: PromptExtras,
    outcome: SubmitOutcome,
  ): SubmitOutcome {
    if (outcome.accepted) {
      this.#taken.add(promptId);
      this.#touched = true;
      // What was typed on after Send is the next draft, not part of this prompt.
      // The last letters may not have come as a draft before Send, so a beginning of it counts too.
      const draft = this.#drafts.text(box);
      if (text.trim().startsWith(draft.trim())) {
        if (draft !== '' && this.isHere(box)) this.#unheard = [...this.#unheard, text];
        this.#drafts.setText('', box);
      }
      const sent = new Set(images.map(({ id }) => id));
      if (sent.size > 0) {
        const left = this.#drafts.images(box).filter(({ id }) => !sent.has(id));
        this.#drafts.setImages(left, box);
      }
    }
    return outcome;
  }

  /**
   * Ends the conversation and begins a new one, which has the words that were typed for it.
   * @param text goes on in its input
   */
  startNew(text?: string): void {
    const isTurned = this.#turnDraft(undefined);
    this.#change(this.#ports.pickFolder(), this.#turnQueue(undefined), isTurned);
    if (text !== undefined) this.send({ type: 'insertText', text });
  }

  /**
   * Ends the conversation and shows a past one of its folder, from the disk, with its own draft.
   * @param fork with the draft of what it is a copy of; it is of the conversation that is here, whose choices it takes over
   */
  resume(sessionId: string, fork?: { readonly forkOf: string }): void {
    if (!fork) {
      this.resumeIn(this.#folder, sessionId);
      return;
    }
    const kept = { sessionId, queue: [], sent: [], ...fork, ...this.#carriedOver() };
    this.#change(this.#folder, kept);
  }

  /** The same in a place of its own, which may have picked another folder. */
  resumeIn(folder: WorkingFolder, sessionId: string): void {
    const isTurned = this.#turnDraft(sessionId);
    this.#change(folder, this.#turnQueue(sessionId), isTurned);
  }

  /** Ends the conversation and begins another one in its folder, with choices and draft of this one. */
  beginAgain(): void {
    this.#change(this.#folder, { queue: [], sent: [], ...this.#carriedOver() });
  }

  /** What the person chose, and what waits to be sent: it goes on waiting. */
  #carriedOver(): Partial<KeptConversation> {
    const conversation = this.#kept;
    if (!conversation) return {};
    const { mode, modeChosen, modeBeforePlan, model, modelChosen, effort } = conversation;
    const queue = conversation.queue.map((prompt) => ({ ...prompt, held: true }));
    return { mode, modeChosen, modeBeforePlan, model, modelChosen, effort, queue };
  }

  /** While nothing was said yet, the conversation follows the person to another folder. */
  followFolder(): void {
    if (this.#touched || this.#ports.pickFolder()?.path === this.#folder?.path) return;
    this.startNew();
  }

  /** The same where the person has chosen a folder: what they chose before for the agent stays. */
  moveToFolder(): void {
    const folder = this.#ports.pickFolder();
    if (folder?.path === this.#folder?.path || !this.#isUnsaid) return;
    const kept = this.#touched ? { queue: [], sent: [], ...this.#carriedOver() } : undefined;
    this.#change(folder, kept);
  }

  /** A conversation has its folder for as long as it lives: its session belongs to it. */
  get #isUnsaid(): boolean {
    return this.sessionId === undefined && isUnsaid(this.#conversation.snapshot().items);
  }

  refreshFields(): void {
    const fields = { ...this.#ports.hostFields(this.#folder) };
    if (this.sessionId !== undefined) fields.folders = undefined;
    const text = JSON.stringify(fields);
    if (text === this.#hostFields) return;
    this.#hostFields = text;
    this.#conversation.setFields(fields);
  }

  /** Puts a view on the place; the result takes it off. */
  attach(surface: ViewSurface): Disposable & Pick<PumpedView, 'ready' | 'send'> {
    const view = this.#pump.attach(surface, surface.visible);
    for (const message of this.#waiting.splice(0)) view.send(message);
    this.#views.set(surface, view);
    surface.setTitle(this.#turn.title);
    const visibility = surface.onDidChangeVisibility((visible) => {
      view.setVisible(visible);
    });
    return {
      ready: () => {
        // A new page has only what it is given.
        this.#unheard = [];
        view.ready();
      },
      send: (message) => {
        view.send(message);
      },
      dispose: () => {
        visibility.dispose();
        this.#views.delete(surface);
        view.dispose();
        if (this.#views.size === 0) this.#conversation.releaseSpare();
      },
    };
  }

  /** For the input of one view: of the visible one, else of the next that opens. */
  send(message: DirectMessage): void {
    const views = [...this.#views];
    const [, view] = views.find(([surface]) => surface.visible) ?? views[0] ?? [];
    if (view) view.send(message);
    else this.#waiting.push(message);
  }

  dispose(): void {
    this.#isOver = true;
    this.#views.clear();
    this.#pump.dispose();
    this.#keepUnsent();
    this.#turnChanged.dispose();
    this.#ports.onEnded(this.#conversation.dispose());
  }

  /** Text that no input has got stands in it when the window is back. */
  #keepUnsent(): void {
    for (const message of this.#waiting.splice(0)) {
      if (message.type !== 'insertText') continue;
      this.draft = [this.draft, message.text].filter((text) => text !== '').join('\n');
      this.draftImages = [...this.draftImages, ...(message.images ?? [])];
    }
  }

  /** The place is closed: what was typed is there again when its conversation is. */
  putDraftAway(): void {
    this.#drafts.putAway(draftOwner(this.id, this.sessionId));
  }

  /** @returns whether the input has what belongs to that conversation now, an edit too */
  #turnDraft(sessionId: string | undefined): boolean {
    const from = draftOwner(this.id, this.sessionId);
    const to = draftOwner(this.id, sessionId);
    if (from === to) return false;
    this.#drafts.turn(from, to);
    this.#unheard = [];
    return true;
  }

  #turnQueue(sessionId: string | undefined): KeptConversation | undefined {
    const kept = this.#queues.turn(sessionId);
    this.#displaces = false;
    return kept;
  }

  #putDisplacedAway(): void {
    if (this.#displaces) this.#queues.putAway();
    this.#displaces = false;
  }

  #change(folder: WorkingFolder, kept: KeptConversation | undefined, isTurned = false): void {
    this.#putDisplacedAway();
    this.#ports.onEnded(this.#conversation.dispose());
    // One that came with its conversation stays.
    if (!isTurned) this.edit = undefined;
    this.#ports.places.set(this.id, folder && kept ? { folder, conversation: kept } : undefined);
    this.#folder = folder;
    this.#conversation = this.#create(kept);
    this.#touched = kept !== undefined;
    this.#seat();
  }

  #create(kept: KeptConversation | undefined): Conversation {
    const folder = this.#folder;
    return this.#ports.createConversation(folder, {
      kept,
      keep: (conversation) => {
        this.#putDisplacedAway();
        if (folder) this.#ports.places.set(this.id, { folder, conversation });
      },
    });
  }

  #seat(): void {
    this.#hostFields = '';
    this.refreshFields();
    this.#setTurn(turnStateOf(this.#conversation.snapshot()));
    this.#pump.setSource(this.#conversation);
  }

  #setTurn(turn: TurnState): void {
    this.#turn = turn;
    for (const surface of this.surfaces) surface.setTitle(turn.title);
    this.#turnChanged.fire();
  }
}

function tryParseEdit(text: string): PromptEdit | undefined {
  if (text === '') return undefined;
  try {
    return tryParsePromptEdit(JSON.parse(text));
  } catch {
    return undefined;
  }
}
