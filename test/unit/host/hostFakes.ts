import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import type { ImageData } from '../../../src/chat/imageShelf';
import { type PanelCommandCall, tryParsePanelCommand } from '../../../src/chat/panelCommands';
import type { Patch } from '../../../src/chat/patchProtocol';
import type { SuggestQuery } from '../../../src/chat/suggestProtocol';
import type { HostMessage } from '../../../src/chat/viewProtocol';
import type { ImageRef } from '../../../src/chat/imageProtocol';
import type { SentSelection } from '../../../src/chat/selectionProtocol';
import type {
  PromptExtras,
  QueuedPrompt,
  TranscriptItem,
  ViewFields,
  ViewState,
} from '../../../src/chat/viewStateProtocol';
import { WireSeat } from '../../../src/cli/wireSeat';
import type {
  Conversation,
  SubmitOutcome,
  SuggestSource,
} from '../../../src/conversation/conversationPorts';
import type { Picture } from '../../../src/conversation/conversationImages';
import { ConversationHub, type HubPorts } from '../../../src/host/conversationHub';
import type { PlaceMemory, WorkingFolder } from '../../../src/host/conversationPlace';
import type { KeptPlace } from '../../../src/host/placeStore';
import { createRefusedConversation } from '../../../src/host/refusedConversation';
import type { ViewSurface } from '../../../src/host/viewSurface';
import { TestClock } from '../conversation/testClock';

/** A conversation that writes down what is done with it. */
export class RecordedConversation implements Conversation {
  readonly #base: Conversation = createRefusedConversation({ message: 'unused' });
  readonly #changed = new Emitter<void>();
  readonly #fields: Partial<ViewFields> = {};
  #patches: Patch[] = [];
  readonly calls: string[] = [];
  readonly submitted: string[] = [];
  items: TranscriptItem[] = [];
  readonly submittedImages: ImageRef[] = [];
  readonly pictures = new Map<string, Picture>();
  readonly selections = new Map<string, SentSelection>();
  queuedImages: readonly ImageRef[] | undefined;
  outcome: SubmitOutcome | Promise<SubmitOutcome> = { accepted: true };
  sources: readonly SuggestSource[] = [];
  ended = false;
  /** Settles the end; at once unless a test holds it back. */
  ending: Promise<void> = Promise.resolve();
  readonly id = 'recorded';
  readonly wire = new WireSeat();
  readonly onDidChange = this.#changed.event;

  constructor(
    readonly folder: WorkingFolder,
    readonly memory: PlaceMemory,
  ) {}

  snapshot(): ViewState {
    return {
      ...this.#base.snapshot(),
      status: { kind: 'idle' },
      models: [{ id: 'opus', label: 'Opus' }],
      modes: [{ id: 'auto', label: 'Auto', description: 'Decides itself.' }],
      items: this.items,
      ...this.#fields,
    };
  }
  takePatches(): Patch[] {
    return this.#patches.splice(0);
  }
  prewarm(): void {
    this.calls.push('prewarm');
  }
  releaseSpare(): void {
    this.calls.push('releaseSpare');
  }
  recheckQuestions(): void {
    this.calls.push('recheckQuestions');
  }
  submit(
    _promptId: string,
    text: string,
    extras?: PromptExtras,
  ): SubmitOutcome | Promise<SubmitOutcome> {
    this.submitted.push(text);
    if (extras?.steers === true) this.calls.push(`steer ${text}`);
    if (extras?.images) this.submittedImages.push(...extras.images);
    if (extras?.selection) this.calls.push(`selected ${extras.selection.path}`);
    return this.outcome;
  }
  cancelSubmit(): void {
    this.calls.push('cancelSubmit');
  }
  panelCommand(text: string): PanelCommandCall | undefined {
    return tryParsePanelCommand(text, (name) => name === 'export');
  }
  suggest(query: SuggestQuery): readonly SuggestSource[] {
    this.calls.push(`suggest ${query.text}`);
    return this.sources;
  }
  stop(): Promise<void> {
    this.calls.push('stop');
    return Promise.resolve();
  }
  answerPermission(cardId: string, answer: string, reason?: string): void {
    this.calls.push(['answer', cardId, answer, reason].join(' ').trim());
  }
  draftReason(cardId: string, text: string): void {
    this.calls.push(`reason ${cardId} ${text}`);
  }
  readonly asks = {
    answer: (cardId: string, reply: object): void => {
      this.calls.push(`ask ${cardId} ${JSON.stringify(reply)}`);
    },
    draft: (cardId: string, draft: object): void => {
      this.calls.push(`draft ${cardId} ${JSON.stringify(draft)}`);
    },
    reviewPlan: (cardId: string): void => {
      this.calls.push(`review ${cardId}`);
    },
    url: (cardId: string): string | undefined =>
      cardId.startsWith('link') ? `https://example.com/${cardId}` : undefined,
  };
  readonly side = {
    dismiss: (): void => {
      this.calls.push('dismiss side questions');
    },
  };
  setModel(model: string): Promise<void> {
    this.calls.push(`model ${model}`);
    return Promise.resolve();
  }
  setMode(mode: string): Promise<void> {
    this.calls.push(`mode ${mode}`);
    return Promise.reject(new Error(`mode ${mode} is refused`));
  }
  retry(itemId: string): void {
    this.calls.push(`retry ${itemId}`);
  }
  setUpDone(what: string, renew: boolean): void {
    this.calls.push(`set up ${what} ${renew}`);
  }
  toolAction(toolUseId: string, action: string): Promise<void> {
    this.calls.push(`${action} ${toolUseId}`);
    return Promise.resolve();
  }
  readonly changes = {
    keep: (ids: readonly string[]): Promise<void> => this.#called(`keep ${ids.join(' ')}`),
    undo: (ids: readonly string[]): Promise<void> => this.#called(`undo ${ids.join(' ')}`),
    redo: (id: string): Promise<void> => this.#called(`redo ${id}`),
    forgetUndone: (): Promise<void> => this.#called('forgetUndone'),
    change: (): Promise<undefined> => Promise.resolve(undefined),
  };
  #called(what: string): Promise<void> {
    this.calls.push(what);
    return Promise.resolve();
  }
  readonly tasks = {
    stop: (taskId: string): Promise<void> => {
      this.calls.push(`stop task ${taskId}`);
      return Promise.resolve();
    },
    output: (taskId: string): Promise<string> => Promise.resolve(`output of ${taskId}`),
  };
  image(toolUseId: string, index: number): ImageData | undefined {
    return toolUseId === 'seen' ? { mediaType: 'image/png', data: `${index}` } : undefined;
  }
  queueAction(promptId: string, action: string): QueuedPrompt | undefined {
    this.calls.push(`${action} ${promptId}`);
    const { queuedImages: images } = this;
    return action === 'edit' ? { id: promptId, text: 'queued text', images } : undefined;
  }
  picture(id: string): Promise<Picture | undefined> {
    return Promise.resolve(this.pictures.get(id));
  }
  selection(itemId: string): SentSelection | undefined {
    return this.selections.get(itemId);
  }
  setFields(fields: Partial<ViewFields>): void {
    Object.assign(this.#fields, fields);
    this.#patches.push({ op: 'set', fields });
    this.#changed.fire();
  }
  readonly requests = { edit: () => Promise.resolve(undefined), whole: () => undefined };
  rules(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  serverStatus(): Promise<[]> {
    return Promise.resolve([]);
  }
  syncServers(): Promise<void> {
    this.calls.push('sync servers');
    return Promise.resolve();
  }
  /** Whether a CLI runs that takes titles. */
  takesTitles = false;
  rename(title: string): Promise<boolean> {
    this.calls.push(`rename ${title}`);
    return Promise.resolve(this.takesTitles);
  }
  reconnectServer(name: string): Promise<void> {
    this.calls.push(`reconnect ${name}`);
    return Promise.resolve();
  }
  dispose(): Promise<void> {
    this.ended = true;
    return this.ending;
  }
}

/** A webview without a browser. */
export class FakeSurface implements ViewSurface {
  readonly visibility = new Emitter<boolean>();
  readonly activated = new Emitter<void>();
  readonly disposed = new Emitter<void>();
  readonly received = new Emitter<unknown>();
  readonly onDidChangeVisibility = this.visibility.event;
  readonly onDidActivate = this.activated.event;
  readonly onDidDispose = this.disposed.event;
  readonly onDidReceiveMessage = this.received.event;
  readonly messages: HostMessage[] = [];
  readonly calls: string[] = [];

  constructor(
    readonly place: string,
    public visible = true,
  ) {}

  post(message: HostMessage): Promise<boolean> {
    this.messages.push(structuredClone(message));
    return Promise.resolve(true);
  }
  reveal(): void {
    this.calls.push('reveal');
  }
  setTitle(title: string): void {
    this.calls.push(`title ${title}`);
  }
  setBadge(count: number): void {
    this.calls.push(`badge ${count}`);
  }
  reload(): void {
    this.calls.push('reload');
  }
  showFailure(reason: string): void {
    this.calls.push(`failure ${reason}`);
  }
}

/** A hub over recorded conversations; `folder` is where the person works. */
export function hubOf(overrides: Partial<HubPorts> = {}) {
  const clock = new TestClock();
  const drafts = new Map<string, string>();
  const draftImages = new Map<string, readonly ImageRef[]>();
  const places = new Map<string, KeptPlace>();
  const made: RecordedConversation[] = [];
  const where: { folder: WorkingFolder } = { folder: { name: 'shop', path: '/w/shop' } };
  const hub = new ConversationHub({
    log: silentLogger,
    drafts: {
      get: (place) => drafts.get(place) ?? '',
      set: (place, text) => {
        drafts.set(place, text);
      },
      images: (place) => draftImages.get(place) ?? [],
      setImages: (place, images) => {
        draftImages.set(place, images);
      },
    },
    pump: { clock, l10n: () => undefined, onError: () => undefined },
    places: {
      get: (place) => places.get(place),
      set: (place, kept) => {
        if (kept) places.set(place, kept);
        else places.delete(place);
      },
      ofSession: (sessionId) =>
        [...places].flatMap(([place, { conversation }]) =>
          conversation.sessionId === sessionId ? place : [],
        ),
    },
    isOpen: (folder) => folder.startsWith('/w/'),
    createConversation: (folder, memory) => {
      const conversation = new RecordedConversation(folder, memory);
      made.push(conversation);
      return conversation;
    },
    pickFolder: () => where.folder,
    hostFields: () => ({ notice: 'a notice' }),
    ...overrides,
  });
  return { hub, clock, drafts, places, made, where };
}
