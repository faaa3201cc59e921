import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorMessage, UserFacingError } from '../base/errors';
import type { ChatEvent } from '../chat/chatEvent';
import { formatBytes } from '../chat/toolResult';
import type { ViewFields } from '../chat/viewStateProtocol';
import type { ControlHandlers } from '../cli/controlChannel';
import type { CliSession } from '../cli/cliSession';
import type { CliExit } from '../cli/lineTransport';
import { ControlRequestError } from '../cli/outboundCalls';
import type { FramingFault } from '../protocol/lineFramer';
import type { ConversationMessage } from '../protocol/messages';
import { type PermissionMode, tryParseMode } from '../rules/modes';
import type { ConversationPorts } from './conversationPorts';
import { launchAgent, type LaunchedAgent } from './launchAgent';
import { modeOptions, modelOptions } from './pickerOptions';
import { ServerSet } from './serverSet';

export interface AgentKeeperOptions {
  readonly ports: ConversationPorts;
  readonly handlers: ControlHandlers;
  readonly apply: (event: ChatEvent) => void;
  readonly onMessage: (message: ConversationMessage) => void;
  /** `expected`: we ended it. */
  readonly onExit: (exit: CliExit, expected: boolean) => void;
}

interface LiveAgent {
  readonly agent: LaunchedAgent;
  readonly servers: ServerSet;
  /** To its messages. */
  readonly listening: Disposable;
}

/**
 * Keeps at most one CLI for a conversation: started when it is needed, resumed with the session's
 * id after it has ended, and given mode and model that were chosen while none ran.
 */
export class AgentKeeper implements Disposable {
  readonly #options: AgentKeeperOptions;
  readonly #store = new DisposableStore();
  /** One start at a time: a second caller waits for the first, so that no process piles up. */
  #starting: { readonly promise: Promise<CliSession>; readonly abort: AbortController } | undefined;
  #live: LiveAgent | undefined;
  /** Settles when all that was ended is gone: two processes on one session would fork it. */
  #gone: Promise<unknown> = Promise.resolve();
  #sessionId: string | undefined;
  #mode = '';
  #model = '';
  readonly #refusedModes = new Map<string, string>();

  constructor(options: AgentKeeperOptions) {
    this.#options = options;
    const { ports } = options;
    this.#mode = ports.settings().initialPermissionMode;
    this.#model = ports.settings().model;
    this.#applyFields({
      mode: tryParseMode(this.#mode) ?? 'default',
      model: this.#model,
      modes: this.#modes(),
    });
  }

  get live(): CliSession | undefined {
    return this.#live?.agent.session;
  }

  /** The servers of the CLI that runs. */
  get servers(): ServerSet | undefined {
    return this.#live?.servers;
  }

  /** The CLI's name for the conversation; undefined before its first turn. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Goes on with a session of an earlier process, from the next start on. */
  goOnWith(sessionId: string | undefined): void {
    this.#sessionId ??= sessionId;
  }

  /** The running CLI; one that has to be started, or is starting, shows as such. */
  ensure(): Promise<CliSession> {
    if (!this.#live) this.#options.apply({ type: 'cliStarting' });
    return this.prewarm();
  }

  /** Starts the CLI unseen: nobody waits for it yet. */
  prewarm(): Promise<CliSession> {
    if (this.#store.isDisposed) return Promise.reject(conversationEnded());
    if (this.#live) return Promise.resolve(this.#live.agent.session);
    if (this.#starting) return this.#starting.promise;
    const abort = new AbortController();
    const promise = this.#start(abort.signal).finally(() => {
      if (this.#starting?.abort === abort) this.#starting = undefined;
    });
    this.#starting = { promise, abort };
    return promise;
  }

  /** Ends the CLI, also one that is starting; resolves when its process group is gone. */
  async end(): Promise<void> {
    const starting = this.#starting;
    const live = this.#live;
    // At once, so that a prompt sent meanwhile starts a new process and does not reach this one.
    this.#starting = undefined;
    this.#live = undefined;
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

  async setModel(model: string): Promise<void> {
    this.#model = model;
    this.#applyFields({ model });
    try {
      const agent = await this.#settled();
      await agent?.setModel(model === 'default' || model === '' ? null : model);
    } catch (error) {
      // Else it ended before it answered: the next one is started with this model.
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
      const agent = await this.#settled();
      await agent?.setPermissionMode(mode);
      this.#chooseMode(mode);
    } catch (error) {
      if (!isRefusal(error)) {
        // It ended before it answered: the next one is started in this mode.
        this.#chooseMode(mode);
        return;
      }
      this.#refusedModes.set(mode, errorMessage(error));
      this.#applyFields({ modes: this.#modes() });
      this.#warn(l10n.t('The permission mode was not changed: {0}', errorMessage(error)));
    }
  }

  #chooseMode(mode: PermissionMode): void {
    this.#mode = mode;
    this.#applyFields({ mode });
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The CLI that runs or is just starting; undefined where there is none. */
  #settled(): Promise<CliSession | undefined> {
    return this.#starting?.promise.catch(() => undefined) ?? Promise.resolve(this.live);
  }

  async #start(signal: AbortSignal): Promise<CliSession> {
    const { ports, handlers } = this.#options;
    await this.#gone;
    signal.throwIfAborted();
    const options = { handlers, mode: this.#mode, model: this.#model, signal };
    const agent = await launchAgent(ports, { ...options, resume: this.#sessionId }).catch(
      (error: unknown) => {
        if (!this.#sessionIsGone(error)) throw error;
        return launchAgent(ports, { ...options, resume: undefined });
      },
    );
    if (this.#store.isDisposed || signal.aborted) {
      await agent.session.dispose();
      agent.dispose();
      signal.throwIfAborted();
      throw conversationEnded();
    }
    this.#adopt(agent);
    return agent.session;
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
    const listening = agent.session.onDidReceiveMessage((message) => {
      if (message.type === 'system' && message.subtype === 'init') {
        this.#sessionId = message.session_id ?? this.#sessionId;
      }
      if (message.type === 'system' && message.subtype === 'status' && message.permissionMode) {
        this.#mode = message.permissionMode;
      }
      this.#options.onMessage(message);
    });
    const servers = new ServerSet({
      ...agent.servers,
      ports: this.#options.ports,
      session: agent.session,
      warn: (text) => {
        this.#warn(text);
      },
    });
    this.#live = { agent, servers, listening };
    agent.session.onDidLoseMessage((lost) => {
      if (this.#live?.agent === agent) this.#warn(lostMessage(lost));
    });
    agent.session.onDidExit((exit) => {
      const expected = this.#live?.agent !== agent;
      if (!expected) this.#live = undefined;
      servers.dispose();
      listening.dispose();
      agent.dispose();
      this.#options.onExit(exit, expected);
    });
    this.#ready(agent);
  }

  #ready({ initialized }: LaunchedAgent): void {
    const models = modelOptions(initialized.models ?? []);
    this.#mode = tryParseMode(initialized.current_permission_mode) ?? this.#mode;
    this.#options.apply({
      type: 'cliReady',
      models,
      model: this.#model === '' ? (models[0]?.id ?? '') : this.#model,
      modes: this.#modes(),
      mode: tryParseMode(this.#mode) ?? 'default',
    });
  }

  /** Hands a notification of one of our servers to the CLI, such as the progress of a call. */
  notify(server: string, message: object): void {
    this.live
      ?.request('mcp_message', { server_name: server, message: { ...message } })
      .catch((error: unknown) =>
        this.#options.ports.log.warn(`A notification was not taken: ${errorMessage(error)}`),
      );
  }

  #modes() {
    return modeOptions(tryParseMode(this.#mode) ?? 'default', this.#refusedModes);
  }

  #applyFields(fields: Partial<ViewFields>): void {
    this.#options.apply({ type: 'fields', fields });
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

function conversationEnded(): Error {
  return new Error('The conversation has ended');
}

function isRefusal(error: unknown): boolean {
  return !(error instanceof ControlRequestError) || error.kind === 'refused';
}
