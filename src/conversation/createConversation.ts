import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { DisposableStore } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Event } from '../base/event';
import type { ChatEvent } from '../chat/chatEvent';
import type { ConversationModel } from '../chat/conversationModel';
import type { PermissionAnswerKind } from '../chat/permissionAnswer';
import type { Patch } from '../chat/patchProtocol';
import type { WaitingPrompt } from '../chat/promptExpansion';
import type { SuggestQuery } from '../chat/suggestProtocol';
import type { QueueAction } from '../chat/viewProtocol';
import type { ViewFields, ViewState } from '../chat/viewStateProtocol';
import type { CliSession } from '../cli/cliSession';
import { WireSeat } from '../cli/wireSeat';
import type { Router } from '../mcp/router';
import type { ConversationMessage } from '../protocol/messages';
import { AgentKeeper } from './agentKeeper';
import { AskDesk } from './askDesk';
import type { ChangeDesk } from './changeDesk';
import { Composing } from './composing';
import { LiveFacts } from './conversationFacts';
import { createChanges, createIdleTimer, createModel } from './conversationParts';
import { answerBy, createConversationRouter } from './conversationRouter';
import { ConversationTelemetry } from './conversationTelemetry';
import { ConversationMemory } from './conversationMemory';
import { cardRequests } from './cardRequests';
import { createDesk } from './createDesk';
import { createPermit } from './createPermit';
import type {
  CardRequestsPort,
  Conversation,
  ConversationPorts,
  KeptConversation,
  SubmitOutcome,
  SuggestSource,
} from './conversationPorts';
import { failedPrompt } from './failures';
import { createConversationHooks, type HookDesk } from './hookDesk';
import type { IdleTimer } from './idleTimer';
import { cardsToKeep, InterruptedQuestions } from './interruptedQuestions';
import { Parking } from './parking';
import type { PermissionDesk } from './permissionDesk';
import { renameLive } from './renameLive';
import { restoreConversation } from './restoreConversation';
import { SessionGrants } from './sessionGrants';
import { SideQuestions } from './sideQuestions';
import { createTasks } from './taskDesk';
import { liveTitles } from './toolTitles';
import { TurnFlow } from './turnFlow';
import { createUnreachedCalls, type UnreachedCalls } from './unreachedCalls';
import { createWriteGuard, type WriteGuard } from './writeGuard';

/** Creates a conversation. Nothing is started before {@link Conversation.prewarm} or a prompt. */
export function createConversation(ports: ConversationPorts): Conversation {
  return new LiveConversation(ports);
}

/**
 * Joins the rooms: prompts go to the turn flow, the CLI's messages to the model, its tool calls to
 * the router, its questions to the permission desk, its hooks to the guard.
 */
class LiveConversation implements Conversation {
  readonly id = randomUUID();
  readonly wire = new WireSeat();
  readonly tasks = createTasks(() => this.#agent.live);
  readonly onDidChange: Event<void>;
  readonly #ports: ConversationPorts;
  readonly #model: ConversationModel;
  readonly #facts: LiveFacts;
  readonly #telemetry: ConversationTelemetry;
  readonly #unreached: UnreachedCalls;
  readonly #router: Router;
  readonly #desk: PermissionDesk;
  readonly asks: AskDesk;
  readonly side: SideQuestions;
  readonly changes: ChangeDesk;
  readonly #lost: InterruptedQuestions;
  readonly #grants = new SessionGrants();
  readonly #guard: WriteGuard;
  readonly #flow: TurnFlow;
  readonly #agent: AgentKeeper;
  readonly #composing: Composing;
  /** Made last: what is set up before is not worth keeping. */
  readonly #memory: ConversationMemory | undefined;
  readonly #store = new DisposableStore();
  readonly #idle: IdleTimer;
  readonly #parking: Parking;
  /** Set while an earlier conversation is read from the disk: until then no process is started. */
  #restoring: Promise<void> | undefined;
  /** Whether a view wants a CLI ahead of the first prompt. */
  #wantsSpare = false;

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    this.#model = createModel(ports);
    this.onDidChange = this.#model.onDidChange;
    const apply = (event: ChatEvent): void => {
      this.#model.apply(event);
      if (event.type === 'promptSubmitted') {
        // The person goes on with something else than what was interrupted.
        this.#lost.drop();
        this.asks.dropLost();
        this.#telemetry.begin();
      }
      this.#idle.touch();
      this.#remember();
    };
    this.#idle = this.#store.add(createIdleTimer(ports, () => void this.#parking.park()));
    this.#parking = new Parking({
      ports,
      agent: () => this.#agent,
      isQuiet: () => this.#isQuiet(),
      onKept: () => this.#idle.touch(),
    });
    this.#lost = new InterruptedQuestions(apply);
    this.#facts = new LiveFacts({
      id: this.id,
      cwd: ports.folder?.path ?? '',
      mode: () => this.#agent.mode,
      turns: () => this.#flow,
    });
    this.#telemetry = new ConversationTelemetry(this.id, ports);
    this.changes = createChanges(ports, apply);
    this.#guard = createWriteGuard(ports, apply, () => this.#agent.mode, this.changes);
    this.asks = this.#createAsks(apply);
    const agent = (): Promise<CliSession> => this.#startAgent(false);
    this.side = new SideQuestions({ log: ports.log, apply, agent, newId: randomUUID });
    this.#router = this.#createRouter(apply);
    const isHeld = (): boolean => this.#desk.isAsking || this.asks.isAsking;
    this.#unreached = this.#store.add(createUnreachedCalls(ports, isHeld, apply));
    this.#desk = this.#createDesk(apply);
    this.#agent = this.#createKeeper(apply);
    this.#flow = this.#createFlow(apply);
    this.#composing = this.#createComposing();
    // What was set up so far is part of every snapshot; a first listener must hear of what comes.
    this.#model.takePatches();
    this.#memory = ports.keep && new ConversationMemory(ports.keep);
    if (ports.kept) this.#restoring = this.#restore(ports.kept);
  }

  #createFlow(apply: (event: ChatEvent) => void): TurnFlow {
    return new TurnFlow({
      log: this.#ports.log,
      clock: this.#ports.clock,
      apply,
      agent: () => this.#startAgent(),
      live: () => this.#agent.live,
      endAgent: () => this.#agent.end(),
      expand: (text) => this.#composing.expandToSend(text),
      pictures: (images) => this.#composing.images.blocks(images),
      newId: randomUUID,
      now: this.#ports.now,
    });
  }

  #createComposing(): Composing {
    return new Composing({
      ports: this.#ports,
      facts: this.#facts,
      router: this.#router,
      commands: this.#agent.commands,
      agent: () => this.#startAgent(),
      settledAgent: () => this.#agent.settled(),
      take: (prompt) => this.#take(prompt),
    });
  }

  #createDesk(apply: (event: ChatEvent) => void): PermissionDesk {
    return createDesk(this.#ports, {
      apply,
      writes: () => this.#guard.writes,
      onLost: (card) => {
        // With a process that we have ended its questions were given up.
        if (this.#agent.live) this.#lost.add(card);
      },
      onStopped: (reason) => this.#flow.lead(reason),
    });
  }

  #createAsks(apply: (event: ChatEvent) => void): AskDesk {
    return new AskDesk({
      ...{ apply, log: this.#ports.log, titles: liveTitles(this.#ports.registry) },
      isLive: () => this.#agent.live !== undefined,
      say: (prompt) => void this.submit(randomUUID(), prompt),
      setMode: (mode) => this.setMode(mode),
    });
  }

  #createRouter(apply: (event: ChatEvent) => void): Router {
    return createConversationRouter({
      ports: this.#ports,
      facts: this.#facts,
      telemetry: this.#telemetry,
      apply,
      ask: (question) => this.asks.askForTool(question),
      verdict: this.#guard.policy.verdict,
      notify: (server, message) => this.#agent.notify(server, message),
    });
  }

  #createKeeper(apply: (event: ChatEvent) => void): AgentKeeper {
    const keeper = new AgentKeeper({
      ports: this.#ports,
      conversationId: this.id,
      wire: this.wire,
      apply,
      grants: this.#grants,
      beforeStart: () => this.#beforeStart(),
      onLearned: () => this.#remember(),
      handlers: {
        can_use_tool: createPermit({
          ...{ ...this.#guard, desk: this.#desk, asks: this.asks, grants: this.#grants },
          cwd: this.#ports.folder?.path ?? '.',
        }),
        elicitation: (request, { requestId, signal }) =>
          this.asks.elicit(requestId, request, signal),
        hook_callback: this.#createHooks(),
        mcp_message: answerBy(this.#router, this.#unreached, this.changes),
      },
      onMessage: (message) => this.#receive(message),
      onExit: (exit, expected) => {
        if (!expected) this.asks.loseAll();
        this.#router.cancelAll('The agent has ended');
        this.#unreached.forget();
        this.#guard.forget();
        this.changes.settle();
        this.#flow.exited(exit, expected);
        this.#remember();
      },
    });
    return this.#store.add(keeper);
  }

  #createHooks(): HookDesk['answer'] {
    const hooks = createConversationHooks(this.#ports, {
      ...{ id: this.id, guard: this.#guard, agent: () => this.#agent.settled() },
      ask: (requestId, question, signal) => this.#desk.askForGuard(requestId, question, signal),
      stop: () => void this.#flow.stop(),
    });
    return this.#store.add(hooks).answer;
  }

  snapshot = (): ViewState => this.#model.snapshot();
  takePatches = (): Patch[] => this.#model.takePatches();

  prewarm(): void {
    if (this.#store.isDisposed) return;
    this.#wantsSpare = true;
    this.#idle.touch();
    this.#prewarmNow().catch((error: unknown) => {
      // The first prompt meets the same fault and shows it; nobody has asked for anything yet.
      this.#ports.log.info(`The agent could not be started ahead: ${errorMessage(error)}`);
    });
  }

  async #prewarmNow(): Promise<void> {
    if (this.#restoring) await this.#restoring;
    if (this.#wantsSpare) await this.#agent.prewarm();
  }

  releaseSpare(): void {
    this.#wantsSpare = false;
    this.#agent.giveUpSpare();
  }

  recheckQuestions(): void {
    if (!this.#flow.isRunning) return;
    this.#agent.recheck().catch((error: unknown) => {
      // An older CLI, or one that ends just now: what waits is known from before.
      this.#ports.log.info(`The open questions could not be asked for: ${errorMessage(error)}`);
    });
  }

  submit: Conversation['submit'] = (id, text, extras) => {
    const { intake } = this.#composing;
    const send = (whole: string) => intake.submit({ id, text: whole, ...extras });
    return this.side.take(text, extras?.images?.length) ?? this.#flow.withLead(text, send);
  };

  #take(prompt: WaitingPrompt): SubmitOutcome {
    if (this.#store.isDisposed) {
      return { accepted: false, reason: l10n.t('This conversation has ended.') };
    }
    return this.#flow.submit(prompt);
  }

  /** Something that the person has said with a button. */
  #say(text: string): void {
    this.#take({ id: randomUUID(), text });
  }

  cancelSubmit = (): void => this.#composing.intake.stop();

  panelCommand = (text: string) => this.#composing.panelCommand(text);

  suggest(query: SuggestQuery): readonly SuggestSource[] {
    return this.#store.isDisposed ? [] : this.#composing.suggest(query);
  }

  stop(): Promise<void> {
    if (!this.#flow.isRunning) {
      this.cancelSubmit();
      this.#desk.denyAll();
      this.asks.declineAll();
    }
    return this.#flow.stop();
  }

  answerPermission(cardId: string, answer: PermissionAnswerKind, reason?: string): void {
    const waits = this.#lost.has(cardId) || this.#desk.request(cardId) !== undefined;
    if (waits && answer === 'denyAndStop') this.#flow.holdQueue();
    if (this.#lost.has(cardId)) {
      const prompt = this.#lost.answer(cardId, answer, reason);
      if (prompt !== undefined) this.#say(prompt);
      else if (answer === 'denyAndStop') this.#flow.lead(reason?.trim() ?? '');
    } else if (!this.#desk.answer(cardId, answer, reason)) {
      this.#ports.log.debug(`An answer came for a card that does not wait: ${cardId}`);
    }
  }

  draftReason(cardId: string, text: string): void {
    if (!this.#desk.draft(cardId, text)) this.#lost.draft(cardId, text);
  }

  setModel = (model: string): Promise<void> => this.#agent.setModel(model);
  setMode = (mode: string): Promise<void> => this.#agent.setMode(mode);

  retry(itemId: string): void {
    if (this.#flow.isRunning || this.#store.isDisposed) return;
    const failed = failedPrompt(this.#model.snapshot(), itemId, this.selection);
    if (!failed) return;
    this.#model.apply({ type: 'itemRemoved', id: itemId });
    // Below later prompts the answer would seem to be theirs: there it is said again.
    const again = failed.isLast ? undefined : this.#composing.sayAgain(failed.prompt);
    this.#flow.retry(failed.prompt, again);
  }

  setUpDone: Conversation['setUpDone'] = (what, renew) => {
    if (this.#store.isDisposed) return;
    // A running CLI has read the old login; the next one goes on with the conversation.
    if (renew && !this.#flow.isRunning) void this.#agent.renew();
    this.#model.apply({ type: 'setUpDone', what });
  };

  async toolAction(toolUseId: string, action: 'saveAndRetry' | 'discardAndRetry'): Promise<void> {
    const prompt = await this.#guard.refused.resolve(toolUseId, action);
    if (prompt !== undefined) this.#say(prompt);
  }

  queueAction = (promptId: string, action: QueueAction) => this.#flow.queueAction(promptId, action);
  picture = (id: string) => this.#composing.images.read(id);
  selection = (itemId: string) => this.#composing.selections.of(itemId);

  setFields(fields: Partial<ViewFields>): void {
    this.#model.apply({ type: 'fields', fields });
    if (fields.pins) this.#remember();
  }

  get requests(): CardRequestsPort {
    return cardRequests(this.#ports, (cardId) => this.#desk.request(cardId));
  }

  rules = () => this.#composing.rules();

  serverStatus = async () => (await this.#agent.servers?.status()) ?? [];
  syncServers = async (): Promise<void> => this.#agent.servers?.sync();

  reconnectServer = async (name: string): Promise<void> => this.#agent.servers?.reconnect(name);
  image: Conversation['image'] = (toolUseId, index) => this.#model.image(toolUseId, index);
  rename = (title: string): Promise<boolean> => renameLive(this.#agent, this.#ports.log, title);

  async dispose(): Promise<void> {
    if (this.#store.isDisposed) return;
    this.#composing.dispose();
    this.side.dismiss();
    this.#router.dispose();
    this.#facts.dispose();
    this.#ports.onEnded?.(this.id);
    const { kind } = this.#model.snapshot().status;
    this.#telemetry.end(kind === 'failed' || kind === 'notConnected');
    // First, so that what leaves with the process is not forgotten: it must come back with the next.
    this.#store.dispose();
    await this.#agent.end();
    await this.changes.dispose();
  }

  #receive(message: ConversationMessage): void {
    this.#facts.receive(message);
    this.#unreached.receive(message);
    this.changes.receive(message);
    try {
      this.#model.apply({ type: 'message', message });
    } finally {
      // Whatever the view makes of it: a turn whose end is not seen would hold all that follow.
      this.#flow.receive(message);
    }
    if (message.type === 'stream_event') return;
    this.#idle.touch();
    this.#remember();
  }

  async #restore(kept: KeptConversation): Promise<void> {
    const restored = await restoreConversation(this.#ports, kept, this.#composing);
    if (restored.sessionId !== undefined) await this.changes.restore(restored.sessionId);
    this.#restoring = undefined;
    if (this.#store.isDisposed) return;
    this.#agent.goOnWith({ ...kept, sessionId: restored.sessionId });
    this.#parking.restored(restored.hasGrown);
    for (const event of restored.events) this.#model.apply(event);
    if (restored.sessionId !== undefined) {
      for (const card of kept.questions ?? []) this.#lost.add(card);
      this.asks.restore(kept.asks);
    }
    if (kept.pins) this.setFields({ pins: kept.pins });
    if (restored.queue.length > 0) this.#flow.restore(restored.queue);
    this.#remember();
  }

  async #startAgent(isSeen = true): Promise<CliSession> {
    await this.#restoring;
    return this.#agent.ensure(isSeen);
  }

  async #beforeStart(): Promise<void> {
    const text = await this.#parking.starting();
    if (text === undefined || this.#store.isDisposed) return;
    this.#model.apply({ type: 'notice', text, tone: 'warning' });
  }

  #isQuiet(): boolean {
    const isAsking = this.#desk.isAsking || this.asks.isAsking || this.side.isAsking;
    return !this.#flow.isBusy && !isAsking && this.#router.openCalls === 0;
  }

  #remember(): void {
    // Before it is back nothing is known of it, and what has ended must not speak for its successor.
    if (!this.#memory || this.#restoring || this.#store.isDisposed) return;
    this.changes.settleIn(this.#agent.sessionId);
    this.#memory.update({
      ...this.#agent.kept,
      ...this.#flow.unfinished,
      usage: this.#model.usage,
      pins: this.#model.pins,
      questions: cardsToKeep([...this.#lost.cards, ...this.#desk.cards]),
      asks: this.asks.kept,
    });
  }
}
