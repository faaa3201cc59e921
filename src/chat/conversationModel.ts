import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import { Emitter, type Event } from '../base/event';
import type { CliMessage } from '../protocol/messages';
import type { ChatEvent } from './chatEvent';
import { type ImageData, ImageShelf } from './imageShelf';
import { MessageTracks } from './messageTracks';
import type { ModelContext } from './modelContext';
import { chooseModel } from './modelLine';
import type { ToolTitles } from './toolTitles';
import type { Patch } from './patchProtocol';
import { reduceAsk } from './reduceAsks';
import { reduceAssistant } from './reduceAssistant';
import { reducePermission } from './reducePermissions';
import { reduceResult } from './reduceResult';
import { closeCost, countFrom } from './runningCost';
import { reduceRestored } from './reduceRestored';
import { reduceStream } from './reduceStream';
import { reduceRateLimit, reduceSystem } from './reduceSystem';
import { reduceUser } from './reduceTools';
import { TaskBook } from './taskBook';
import { ToolTracker } from './toolTracker';
import { TranscriptStore } from './transcriptStore';
import { TurnItems } from './turnItems';
import { clear, endTurn, settleSetUp, submitPrompt, takePrompt } from './turnSteps';
import { TurnStatusTracker } from './turnStatus';
import type { Usage, ViewFields, ViewState } from './viewStateProtocol';

/** One conversation as data: events go in, patches come out. */
export interface ConversationModel {
  apply(event: ChatEvent): void;
  /**
   * What changed since the last call, coalesced: one patch for any number of changes of one thing.
   * Applied in order to the state of that time they give {@link snapshot}.
   */
  takePatches(): Patch[];
  /**
   * The whole state, as a copy. It holds what {@link takePatches} has not handed out yet: take and
   * send those first, else a view would get them twice.
   */
  snapshot(): ViewState;
  /** A picture of a call's result; undefined where it is not kept any more. */
  image(toolUseId: string, index: number): ImageData | undefined;
  /** What it has used so far. */
  readonly usage: Usage | undefined;
  readonly pins: readonly string[] | undefined;
  /** Fires once when there is something to take, and again only after it was taken. */
  readonly onDidChange: Event<void>;
}

export interface ConversationModelOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The working folder; paths are shown relative to it. */
  readonly folder?: ViewFields['folder'];
  readonly toolTitles?: ToolTitles;
  /** Fields that differ from an empty conversation's. */
  readonly initial?: Partial<ViewFields>;
}

/** Creates the model of one conversation. Pure: no timer, no input or output of its own. */
export function createConversationModel(options: ConversationModelOptions): ConversationModel {
  const store = new TranscriptStore({
    ...emptyState(),
    folder: options.folder,
    ...options.initial,
  });
  const images = new ImageShelf();
  const context = createContext(store, images, options);
  const changed = new Emitter<void>();
  /** That there is something to take. */
  let isTold = false;
  return {
    apply(event) {
      applyEvent(context, event);
      if (isTold || !store.hasPending()) return;
      isTold = true;
      changed.fire();
    },
    takePatches: () => {
      isTold = false;
      return store.takePatches();
    },
    snapshot: () => store.snapshot(),
    image: (toolUseId, index) => images.get(toolUseId, index),
    get usage() {
      return store.state.usage;
    },
    get pins() {
      return store.state.pins;
    },
    onDidChange: changed.event,
  };
}

/** The state of a conversation in which nothing has happened. */
export function emptyState(): ViewState {
  return {
    items: [],
    title: '',
    status: { kind: 'idle' },
    permissions: [],
    asks: [],
    queue: [],
    folder: undefined,
    model: '',
    models: [],
    mode: 'default',
    modes: [],
    usage: undefined,
    notice: undefined,
    suggestions: [],
    toolCount: 0,
    sendKey: 'enter',
  };
}

function createContext(
  store: TranscriptStore,
  images: ImageShelf,
  options: ConversationModelOptions,
): ModelContext {
  const items = new TurnItems(store);
  const replay: ModelContext['replay'] = { at: undefined };
  const now = (): number => replay.at ?? options.now();
  const titles = options.toolTitles ?? new Map<string, string>();
  return {
    store,
    items,
    status: new TurnStatusTracker(store, now),
    tracks: new MessageTracks(),
    tools: new ToolTracker({ store, items, now, folder: options.folder?.path, titles, images }),
    tasks: new TaskBook(store, now),
    now,
    replay,
    turn: { apiFailure: undefined, refused: false, replaysOldRows: false },
    usage: {
      endedCostUsd: 0,
      processCostUsd: 0,
      baselineUsd: 0,
      contextTokens: undefined,
      contextModel: undefined,
      titleIsNamed: false,
    },
    chosen: { line: undefined },
  };
}

function applyEvent(context: ModelContext, event: ChatEvent): void {
  switch (event.type) {
    case 'message':
      applyMessage(context, event.message);
      return;
    case 'promptSubmitted':
    case 'promptTaken':
    case 'queueChanged':
      applyPrompt(context, event);
      return;
    case 'toolProgress':
      context.tools.progress(event.toolUseId, event.text);
      return;
    case 'permissionRequested':
    case 'permissionDrafted':
    case 'permissionSettled':
      reducePermission(context, event);
      return;
    case 'askRequested':
    case 'askDrafted':
    case 'planReviewed':
    case 'askSettled':
      reduceAsk(context, event);
      return;
    case 'cliStarting':
    case 'cliReady':
    case 'cliExited':
    case 'cliParked':
    case 'costCounted':
      applyProcess(context, event);
      return;
    case 'turnStarting':
    case 'turnDropped':
    case 'stopRequested':
    case 'stopFailed':
      applyTurn(context, event);
      return;
    case 'failed':
    case 'notice':
    case 'setUpDone':
    case 'itemRemoved':
      applyNews(context, event);
      return;
    case 'fields':
    case 'modelChosen':
      applyFields(context, event);
      return;
    case 'toolActions':
      context.tools.setActions(event.toolUseId, event.actions);
      return;
    case 'restored':
      reduceRestored(context, event);
      return;
    case 'cleared':
      clearAll(context);
      return;
    default:
      assertNever(event, 'chat event');
  }
}

type PromptEvent = Extract<ChatEvent, { type: 'promptSubmitted' | 'promptTaken' | 'queueChanged' }>;

/** What the person says: waiting, on its way, and read. */
function applyPrompt(context: ModelContext, event: PromptEvent): void {
  switch (event.type) {
    case 'promptSubmitted':
      submitPrompt(context, event);
      return;
    case 'promptTaken':
      takePrompt(context, event.id);
      return;
    case 'queueChanged':
      context.store.setFields({ queue: event.queue });
      return;
  }
}

type TurnEvent = Extract<
  ChatEvent,
  { type: 'turnStarting' | 'turnDropped' | 'stopRequested' | 'stopFailed' }
>;

function applyTurn(context: ModelContext, event: TurnEvent): void {
  const { status } = context;
  switch (event.type) {
    case 'turnStarting':
      status.enter('waitingForModel');
      return;
    case 'turnDropped':
      dropTurn(context, event.stopped);
      return;
    case 'stopRequested':
      status.requestStop();
      return;
    case 'stopFailed':
      status.cancelStop();
      return;
  }
}

function dropTurn(context: ModelContext, stopped: boolean): void {
  if (stopped) context.items.markStopped(l10n.t('Stopped.'));
  endTurn(context, 'idle');
}

function clearAll(context: ModelContext): void {
  clear(context);
  context.store.setFields({ permissions: [], asks: [], queue: [] });
  context.status.refresh();
}

function applyMessage(context: ModelContext, message: CliMessage): void {
  switch (message.type) {
    case 'stream_event':
      reduceStream(context, message);
      return;
    case 'assistant':
      reduceAssistant(context, message);
      return;
    case 'user':
      reduceUser(context, message);
      return;
    case 'result':
      reduceResult(context, message);
      return;
    case 'system':
      reduceSystem(context, message);
      return;
    case 'rate_limit_event':
      reduceRateLimit(context, message);
      return;
    case 'conversation_reset':
      clear(context);
      return;
    case 'command_lifecycle':
    case 'tool_progress':
    case 'keep_alive':
    case 'auth_status':
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request':
    case 'unknown':
      return;
    default:
      assertNever(message, 'message');
  }
}

type NewsEvent = Extract<ChatEvent, { type: 'failed' | 'notice' | 'setUpDone' | 'itemRemoved' }>;

/** Alerts and quiet lines: they come, and go when they are done with. */
function applyNews(context: ModelContext, event: NewsEvent): void {
  switch (event.type) {
    case 'failed':
      context.items.error(event.error);
      if (event.endsTurn === true) endTurn(context, 'failed');
      return;
    case 'notice':
      context.items.aside(event.text, event.tone, event.actions);
      return;
    case 'setUpDone':
      settleSetUp(context, event.what);
      return;
    case 'itemRemoved':
      context.store.removeItem(event.id);
      return;
  }
}

type ProcessEvent = Extract<
  ChatEvent,
  { type: 'cliStarting' | 'cliReady' | 'cliExited' | 'cliParked' | 'costCounted' }
>;

function applyProcess(context: ModelContext, event: ProcessEvent): void {
  const { store, status } = context;
  switch (event.type) {
    case 'cliStarting':
      if (!status.isActive) status.enter('starting');
      return;
    case 'cliReady': {
      const { models, model, modes, mode, toolCount } = event;
      const fields = { models, model, modes, mode, toolCount };
      store.setFields(definedOnly(fields));
      // One that was started unseen leaves what a failed turn says as it is.
      if (status.isUnconnected) status.enter('idle');
      return;
    }
    case 'cliParked':
      closeCost(context.usage);
      return;
    case 'costCounted':
      countFrom(context, event.usd);
      return;
    case 'cliExited':
      closeCost(context.usage);
      context.tools.endAll();
      context.tasks.clear();
      store.setFields({
        permissions: store.state.permissions.filter(({ interrupted }) => interrupted === true),
        asks: store.state.asks.filter(({ interrupted }) => interrupted === true),
      });
      if (event.error) context.items.error(event.error);
      endTurn(context, event.error ? 'notConnected' : 'idle');
      return;
  }
}

function applyFields(
  context: ModelContext,
  event: Extract<ChatEvent, { type: 'fields' | 'modelChosen' }>,
): void {
  if (event.type === 'fields') setFields(context, event.fields);
  else chooseModel(context, event.model);
}

function setFields({ store, status, usage }: ModelContext, fields: Partial<ViewFields>): void {
  if (fields.title !== undefined && fields.title !== '') usage.titleIsNamed = true;
  store.setFields(fields);
  if ((fields.permissions ?? fields.asks ?? fields.status) !== undefined) status.refresh();
}

function definedOnly(fields: Partial<ViewFields>): Partial<ViewFields> {
  return Object.fromEntries(
    Object.entries<unknown>(fields).filter(([, value]) => value !== undefined),
  );
}
