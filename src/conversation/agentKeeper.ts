import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorMessage, UserFacingError } from '../base/errors';
import type { ChatEvent } from '../chat/chatEvent';
import { formatBytes } from '../chat/toolResult';
import type { ControlHandlers } from '../cli/controlChannel';
import type { CliSession } from '../cli/cliSession';
import type { CliExit } from '../cli/lineTransport';
import { ControlRequestError } from '../cli/outboundCalls';
import type { WireSeat } from '../cli/wireSeat';
import type { FramingFault } from '../protocol/lineFramer';
import type { ConversationMessage } from '../protocol/messages';
import { type PermissionMode, tryParseMode } from '../rules/modes';
import { AgentChoices, type ChoiceKey } from './agentChoices';
import { BackgroundWork } from './backgroundWork';
import { appliedSettings, carryOver, countedCost } from './carryOver';
import { Checkup } from './checkup';
import { CliCommands } from './cliCommands';
import type { ConversationPorts, KeptConversation } from './conversationPorts';
import { launchAgent, type LaunchedAgent } from './launchAgent';
import type { SessionGrants } from './sessionGrants';
import { ServerSet } from './serverSet';
import { tellSilence } from './tellSilence';
import { ToolCallWatch } from './toolCallWatch';

/** Milliseconds that the CLI has to name its open questions. */
const RECHECK_WITHIN_MS = 30_000;

export interface AgentKeeperOptions {
  readonly ports: ConversationPorts;
  readonly conversationId: string;
  readonly handlers: ControlHandlers;
  readonly wire: WireSeat;
  readonly grants: SessionGrants;
  readonly apply: (event: ChatEvent) => void;
  /** Awaited before each start. */
  readonly beforeStart: () => Promise<void>;
  readonly onMessage: (message: ConversationMessage) => void;
  /** What must outlive the process has changed. */
  readonly onLearned: () => void;
  /** `expected`: we ended it. */
  readonly onExit: (exit: CliExit, expected: boolean) => void;
}

/** What the next process is given. */
type KeptAgent = Pick<KeptConversation, 'sessionId' | ChoiceKey | 'grants'>;

interface LiveAgent {
  readonly agent: LaunchedAgent;
  readonly servers: ServerSet;
  /** To its messages. */
  readonly listening: Disposable;
  readonly work: BackgroundWork;
}

/**
 * Keeps at most one CLI for a conversation: started when it is needed, resumed with the session's
 * id after it has ended, and given what was chosen while none ran.
 */
export class AgentKeeper implements Disposable {
  readonly #options: AgentKeeperOptions;
  readonly #store = new DisposableStore();
  readonly #choices: AgentChoices;
  readonly #calls: ToolCallWatch;
  /** One start at a time: a second caller waits for the first, so that no process piles up. */
  #starting: { readonly promise: Promise<CliSession>; readonly abort: AbortController } | undefined;
  #live: LiveAgent | undefined;
  /** Held while the process runs, or starts, ahead of a prompt. */
  #seat: Disposable | undefined;
  /** Settles when all that was ended is gone: two processes on one session would fork it. */
  #gone: Promise<unknown> = Promise.resolve();
  #sessionId: string | undefined;

  readonly commands = new CliCommands();
  readonly #checkup: Checkup;

  constructor(options: AgentKeeperOptions) {
    this.#options = options;
    const { ports } = options;
    this.#choices = new AgentChoices(ports, options.apply);
    this.#checkup = new Checkup({
      ownServers: () =>
        ports.registry
          .list()
          .filter((server) => server.tools().length > 0)
          .map(({ name }) => name),
      tell: (text) => {
        this.#warn(text);
      },
      log: ports.log,
    });
    const { now, registry, onToolCall } = ports;
    this.#calls = new ToolCallWatch({
      ...{ conversationId: options.conversationId, now, registry },
      external: () => this.servers?.externalNames ?? [],
      onCall: (call) => onToolCall?.(call),
    });
  }

  get live(): CliSession | undefined {
    return this.#live?.agent.session;
  }

  /** The servers of the CLI that runs. */
  get servers(): ServerSet | undefined {
    return this.#live?.servers;
  }

  /** As it is at the CLI, or will be at the next one. */
  get mode(): PermissionMode {
    return this.#choices.mode;
  }

  /** The CLI's name for the conversation; undefined before its first turn. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get kept(): KeptAgent {
    const { grants } = this.#options;
    return { sessionId: this.#sessionId, ...this.#choices.kept, grants: grants.kept };
  }

  /** Goes on with a session of an earlier process, from the next start on. */
  goOnWith(kept: KeptAgent): void {
    this.#sessionId ??= kept.sessionId;
    // They end with the conversation: without its session it is another one.
    if (kept.sessionId !== undefined) {
      const text = this.#options.grants.restore(kept.grants);
      if (text !== undefined) this.#options.apply({ type: 'notice', text });
    }
    this.#choices.restore(kept);
  }

  /** The running CLI; one that has to be started, or is starting, shows as such. */
  ensure(isSeen = true): Promise<CliSession> {
    if (isSeen && !this.#live) this.#options.apply({ type: 'cliStarting' });
    this.#leaveSeat();
    return this.#run();
  }

  /** Starts the CLI unseen: nobody waits for it yet. It takes the place of any other such one. */
  prewarm(): Promise<CliSession> {
    const isNew = !this.#live && !this.#starting && !this.#store.isDisposed;
    const running = this.#run();
    if (isNew) {
      this.#seat = this.#options.ports.spares.take(() => {
        this.giveUpSpare();
      });
    }
    return running;
  }

  /** Ends a CLI that was started ahead of a prompt and has got none. */
  giveUpSpare(): void {
    if (!this.#seat) return;
    this.#endUnseen().catch((error: unknown) => {
      this.#options.ports.log.error('A CLI that was started ahead could not be ended', error);
    });
  }

  /** Ends the CLI, also one that is starting; resolves when its process group is gone. */
  async end(): Promise<void> {
    const starting = this.#starting;
    const live = this.#live;
    // At once, so that a prompt sent meanwhile starts a new process and does not reach this one.
    this.#starting = undefined;
    this.#live = undefined;
    this.#leaveSeat();
    starting?.abort.abort(new Error('The start was cancelled'));
    // What it still says belongs to a turn that has been ended.
    live?.listening.dispose();
    live?.servers.dispose();
    this.#gone = Promise.all([
      this.#gone,
      starting?.promise.catch(() => undefined),
      live?.agent.session.dispose(),
    ]);
    await this.#gone;
  }

  /**
   * Ends a CLI that has nothing to do, so that nobody notices: the next one goes on where it was.
   * @param mayEnd asked again after each wait
   * @returns whether it was ended
   */
  async park(mayEnd: () => Promise<boolean>): Promise<boolean> {
    const live = this.#live;
    const isFree = (): boolean =>
      live !== undefined && this.#live === live && !live.work.isRunning && !live.work.isBound;
    if (!isFree() || !(await mayEnd()) || !isFree()) return false;
    // What a command left running, such as a server, would end with it: somebody may be using it.
    if (((await live?.agent.session.strays()) ?? 0) > 0 || !isFree()) return false;
    await this.#endUnseen();
    return true;
  }

  /** The next prompt starts a new process, which reads the login anew. One that still works is left. */
  async renew(): Promise<void> {
    if (this.#live?.work.isRunning !== true) await this.#endUnseen();
  }

  async setModel(model: string): Promise<void> {
    const answered = this.#choices.chooseModel(model);
    try {
      const agent = await this.settled();
      await agent?.setModel(model === 'default' || model === '' ? null : model);
      answered();
    } catch (error) {
      // Else it ended before it answered: the next one is started with this model.
      answered(isRefusal(error) ? 'refused' : 'taken');
      if (isRefusal(error)) {
        this.#warn(l10n.t('The model could not be changed: {0}', errorMessage(error)));
      }
    }
  }

  /** A mode that the CLI refuses stays in the list, disabled, with the CLI's reason. */
  async setMode(wanted: string): Promise<void> {
    const mode = tryParseMode(wanted);
    if (mode === undefined) return;
    try {
      const agent = await this.settled();
      this.#choices.expectMode(mode, true);
      await agent?.setPermissionMode(mode);
      this.#choices.chooseMode(mode);
      this.#options.onLearned();
    } catch (error) {
      if (!isRefusal(error)) {
        // It ended before it answered: the next one is started in this mode.
        this.#choices.chooseMode(mode);
        return;
      }
      this.#choices.refuseMode(mode, errorMessage(error));
      this.#warn(l10n.t('The permission mode was not changed: {0}', errorMessage(error)));
    } finally {
      this.#choices.expectMode(mode, false);
    }
  }

  /**
   * A running CLI is asked which of its questions wait, so that none is lost with a frame.
   * Fact: a second `initialize` that declares nothing leaves hooks and servers as they are.
   */
  async recheck(): Promise<void> {
    await this.#live?.agent.session.initialize({}, { timeoutMs: RECHECK_WITHIN_MS });
  }

  /** Hands a notification of one of our servers to the CLI, such as the progress of a call. */
  notify(server: string, message: object): void {
    this.live
      ?.request('mcp_message', { server_name: server, message: { ...message } })
      .catch((error: unknown) =>
        this.#options.ports.log.warn(`A notification was not taken: ${errorMessage(error)}`),
      );
  }

  dispose(): void {
    this.#store.dispose();
  }

  #run(): Promise<CliSession> {
    if (this.#store.isDisposed) return Promise.reject(conversationEnded());
    if (this.#live) return Promise.resolve(this.#live.agent.session);
    if (this.#starting) return this.#starting.promise;
    const abort = new AbortController();
    const promise = this.#start(abort.signal).finally(() => {
      if (this.#starting?.abort !== abort) return;
      this.#starting = undefined;
      if (!this.#live) this.#leaveSeat();
    });
    this.#starting = { promise, abort };
    return promise;
  }

  /** The CLI that runs or is just starting; undefined where there is none. */
  settled(): Promise<CliSession | undefined> {
    return this.#starting?.promise.catch(() => undefined) ?? Promise.resolve(this.live);
  }

  #endUnseen(): Promise<void> {
    if (this.#live) this.#options.apply({ type: 'cliParked' });
    return this.end();
  }

  #leaveSeat(): void {
    this.#seat?.dispose();
    this.#seat = undefined;
  }

  async #start(signal: AbortSignal): Promise<CliSession> {
    const { ports, handlers, wire, beforeStart, grants } = this.#options;
    await this.#gone;
    await beforeStart();
    signal.throwIfAborted();
    const { start, then } = this.#choices.launchMode();
    const options = { handlers, wire, mode: start, model: this.#choices.model, signal };
    const isWaitedFor = (): boolean => this.#seat === undefined;
    const launch = (resume: string | undefined): Promise<LaunchedAgent> =>
      tellSilence(this.#options, isWaitedFor, launchAgent(ports, { ...options, resume }));
    const agent = await launch(this.#sessionId).catch((error: unknown) => {
      if (!this.#sessionIsGone(error)) throw error;
      return launch(undefined);
    });
    try {
      this.#checkWanted(signal);
      const carried = { grants, effort: this.#choices.effort, mode: modeToTell(agent, then) };
      await carryOver(agent.session, carried, ports.log);
      this.#checkWanted(signal);
    } catch (error) {
      await agent.session.dispose();
      agent.dispose();
      throw error;
    }
    this.#adopt(agent);
    return agent.session;
  }

  #checkWanted(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#store.isDisposed) throw conversationEnded();
  }

  /** The session's file was deleted: go on without it rather than never again, and say so. */
  #sessionIsGone(error: unknown): boolean {
    const details = error instanceof UserFacingError ? error.details : undefined;
    if (this.#sessionId === undefined || !details?.includes('No conversation found')) return false;
    this.#sessionId = undefined;
    this.#warn(
      l10n.t(
        'The agent no longer has this conversation on disk. It goes on without what was said before.',
      ),
    );
    return true;
  }

  #adopt(agent: LaunchedAgent): void {
    const work = new BackgroundWork(this.#options.ports.registry);
    const listening = agent.session.onDidReceiveMessage((message) => {
      // Of the pieces of an answer, thousands a second, none of these learns anything.
      if (message.type !== 'stream_event') {
        work.receive(message);
        this.#learn(agent.session, message);
        if (message.type === 'system' && message.subtype === 'init') {
          void this.#checkup.look(agent, message);
        }
        this.#calls.receive(message);
      }
      this.#options.onMessage(message);
    });
    const { ports } = this.#options;
    const warn = (text: string): void => this.#warn(text);
    const servers = new ServerSet({ ...agent.servers, ports, session: agent.session, warn });
    this.#live = { agent, servers, listening, work };
    agent.session.onDidLoseMessage((lost) => {
      if (this.#live?.agent === agent) this.#warn(lostMessage(lost));
    });
    agent.session.onDidExit((exit) => {
      const expected = this.#live?.agent !== agent;
      if (!expected) {
        this.#live = undefined;
        this.#leaveSeat();
      }
      this.#calls.cutOff();
      servers.dispose();
      listening.dispose();
      agent.dispose();
      this.#options.onExit(exit, expected);
    });
    this.#choices.ready(agent.initialized, agent.bypass);
    if (isForeignBypass(agent)) this.#warn(bypassLeft());
    this.commands.started(agent.initialized);
    if (this.#sessionId !== undefined) this.#readCost(agent.session);
  }

  /** Asked before the first prompt is written, so it is answered before that costs anything. */
  #readCost(session: CliSession): void {
    void countedCost(session).then((usd) => {
      if (usd !== undefined && this.live === session) {
        this.#options.apply({ type: 'costCounted', usd });
      }
    });
  }

  /** What the next process must be told. */
  #learn(session: CliSession, message: ConversationMessage): void {
    this.commands.receive(message);
    if (message.type === 'system' && message.subtype === 'init') {
      this.#leaveSeat();
      this.#sessionId = message.session_id ?? this.#sessionId;
    } else if (message.type === 'system' && message.subtype === 'status') {
      if (message.permissionMode !== undefined) this.#choices.modeChanged(message.permissionMode);
    } else if (message.type === 'result') {
      const { local_command: command } = message;
      if (command === 'effort' || command === 'model') this.#learnSettings(session, command);
    }
  }

  #learnSettings(session: CliSession, command: 'effort' | 'model'): void {
    void appliedSettings(session).then(({ effort, model }) => {
      if (command === 'effort' && typeof effort === 'string') this.#choices.chooseEffort(effort);
      if (command === 'model' && model !== undefined) this.#choices.modelChanged(model);
      this.#options.onLearned();
    });
  }

  #warn(text: string): void {
    this.#options.apply({ type: 'notice', text, tone: 'warning' });
  }
}

function lostMessage({ bytes, maxBytes }: FramingFault): string {
  return l10n.t(
    'A message of {0} from the agent was left out: at most {1} can be taken. The conversation goes on; press Stop if nothing more comes.',
    formatBytes(bytes),
    formatBytes(maxBytes),
  );
}

/**
 * Fact: a CLI can be started into it by settings that are not ours, such as `defaultMode` of its own.
 * Ours say whether it may be.
 */
function isForeignBypass({ initialized, bypass }: LaunchedAgent): boolean {
  return initialized.current_permission_mode === 'bypassPermissions' && bypass !== 'on';
}

function modeToTell(
  agent: LaunchedAgent,
  then: PermissionMode | undefined,
): PermissionMode | undefined {
  return isForeignBypass(agent) ? 'default' : then;
}

function bypassLeft(): string {
  return l10n.t(
    'The settings of the agent ask for bypassing permissions. The conversation asks instead, since patchbay.allowBypassPermissions does not allow it.',
  );
}

function conversationEnded(): Error {
  return new Error('The conversation has ended');
}

function isRefusal(error: unknown): boolean {
  return !(error instanceof ControlRequestError) || error.kind === 'refused';
}
