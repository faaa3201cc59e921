import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import { cutText } from '../base/cutText';
import { errorMessage } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import { floodGate } from '../base/floodGate';
import { isSameList } from '../base/isSameList';
import type { Logger } from '../base/logger';
import type { ForeignCall, ForeignHost, ForeignServer, ForeignSession } from './foreignServer';
import type { ToolCheck } from './toolCheck';
import { toolNotFound } from './callTool';
import { offeredTools, uncontestedTools } from './foreignTools';
import { inTime } from './inTime';
import { LIST_KINDS, listChanged, type ListKind } from './listKind';
import { checkServerName } from './names';
import { NEWEST_VERSION, readHandshake } from './readHandshake';
import { LOG_LEVELS } from './toolContext';
import {
  type InitializeResult,
  isRecord,
  ownField,
  type ServerManifest,
  type WireTool,
} from './wire';
import { logText, writeLog } from './writeLog';

/** A notification of a server. */
export interface ForeignNotice {
  readonly method: string;
  readonly params: unknown;
}

/** The wire to one server of others. Requests of all conversations go over it. */
export interface ForeignPeer extends Disposable {
  /** The bare `result`. @throws RpcError with the server's code and text */
  request(method: string, params: unknown, call?: ForeignCall): Promise<object>;
  notify(method: string, params?: unknown): void;
  readonly onDidNotify: Event<ForeignNotice>;
  /** The server went away by itself. */
  readonly onDidClose: Event<void>;
  /** Hands were shaken anew, perhaps with another version of the server. */
  readonly onDidRenew?: Event<InitializeResult>;
}

export interface PeerServerOptions {
  /** `[A-Za-z0-9_-]`; the server's own name counts for nothing. */
  readonly name: string;
  /** Who brought it, such as an extension's id or a setting. */
  readonly source?: string;
  /** Milliseconds that one call of a tool may take, 60,000 by default. */
  readonly timeout?: number;
  /** Milliseconds for handshake and lists together, and for lists that are asked for anew; 30,000 by default. */
  readonly readyWithinMs?: number;
  readonly log: Logger;
  /** What the server said where hands are shaken already. */
  readonly initialized?: InitializeResult;
}

export interface PeerServer extends ForeignServer, Disposable {
  /** The server went away by itself; it answers nothing any more. */
  readonly onDidClose: Event<void>;
}

const CLIENT = { name: 'patchbay', version: '1' };
const LISTS: ReadonlyMap<string, ListKind> = new Map(
  LIST_KINDS.map((kind) => [listChanged(kind).method, kind]),
);
/** A server that names pages without end must not hold the start. */
const MAX_PAGES = 100;
/** Between two lists: one that tells of a change with each of them must not keep everybody busy. */
const RELOAD_EVERY_MS = 1_000;
/** Messages of a server that go into the log in a second, and characters of one. */
const MESSAGES_PER_SECOND = 100;
const MAX_MESSAGE = 10_000;

/**
 * Offers a server of others to conversations: one handshake for all, made now, so that no turn waits
 * for it, and a list of tools in which nothing can make the CLI lose the rest.
 * @throws DefinitionError for the name; what the server answers to the handshake
 */
export async function createPeerServer(
  peer: ForeignPeer,
  options: PeerServerOptions,
): Promise<PeerServer> {
  checkServerName(options.name);
  return inTime(ready(peer, options), 'shake hands', options.readyWithinMs);
}

async function ready(peer: ForeignPeer, options: PeerServerOptions): Promise<PeerServer> {
  const initialized = options.initialized ?? (await shakeHands(peer, options));
  const server = new Peer(peer, options, initialized);
  await server.loadTools();
  return server;
}

async function shakeHands(
  peer: ForeignPeer,
  { name, log }: PeerServerOptions,
): Promise<InitializeResult> {
  const capabilities = { elicitation: { form: {} } };
  const params = { protocolVersion: NEWEST_VERSION, capabilities, clientInfo: CLIENT };
  const result = readHandshake(await peer.request('initialize', params), name, log);
  peer.notify('notifications/initialized');
  return result;
}

class Peer implements PeerServer {
  readonly kind = 'foreign';
  readonly name: string;
  readonly source: string | undefined;
  readonly timeout: number | undefined;
  readonly #peer: ForeignPeer;
  readonly #log: Logger;
  #initialized: InitializeResult;
  readonly #changed = new Emitter<ListKind>();
  readonly #hosts = new Set<ForeignHost>();
  readonly #listeners = new DisposableStore();
  readonly #readyWithinMs: number | undefined;
  readonly #takeMessage = floodGate(MESSAGES_PER_SECOND);
  /** It was disposed of. */
  #isOver = false;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;
  /** The list changed after it was last asked for. */
  #isStale = false;
  readonly #checks = new Set<ToolCheck>();
  /** As it was listed; of these `#tools` are offered. */
  #listed: readonly WireTool[] = [];
  #tools: readonly WireTool[] = [];
  #shown: readonly WireTool[] = [];
  #isHidden: (tool: string) => boolean = () => false;

  readonly onDidChange = this.#changed.event;
  readonly onDidClose: Event<void>;

  constructor(peer: ForeignPeer, options: PeerServerOptions, initialized: InitializeResult) {
    this.#peer = peer;
    this.#log = options.log;
    this.#initialized = initialized;
    this.name = options.name;
    this.source = options.source;
    this.timeout = options.timeout;
    this.#readyWithinMs = options.readyWithinMs;
    this.onDidClose = peer.onDidClose;
    this.#listeners.add(
      peer.onDidNotify((notice) => {
        this.#noticed(notice);
      }),
    );
    const renewed = peer.onDidRenew?.((result) => {
      this.#initialized = result;
    });
    if (renewed !== undefined) this.#listeners.add(renewed);
  }

  get version(): string {
    return this.#initialized.serverInfo.version;
  }

  manifest(): ServerManifest {
    return { initializeResult: this.#answer(), toolsListResult: { tools: this.#shown } };
  }

  allTools(): readonly WireTool[] {
    return this.#tools;
  }

  hideTools(isHidden: (tool: string) => boolean): void {
    const before = this.#shown;
    this.#isHidden = isHidden;
    this.#hide();
    if (!isSameList(this.#shown, before)) this.#changed.fire('tools');
  }

  addToolCheck(check: ToolCheck): Disposable {
    this.#checks.add(check);
    this.#sift();
    return toDisposable(() => this.#checks.delete(check));
  }

  open(host: ForeignHost): ForeignSession {
    this.#hosts.add(host);
    return {
      request: (method, params, call) => this.#request(method, params, call),
      notify: (method, params) => {
        // The handshake was made once for all conversations, and no roots were promised.
        if (/^notifications\/(initialized|roots\/list_changed)$/.test(method)) return;
        this.#peer.notify(method, params);
      },
      dispose: () => this.#hosts.delete(host),
    };
  }

  /** For the first time. @throws what the server answers */
  async loadTools(): Promise<void> {
    this.#isLoading = true;
    this.#take(await this.#listTools());
    this.#isLoading = false;
    if (this.#isStale) void this.#reload();
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#rest);
    this.#listeners.dispose();
    this.#changed.dispose();
    this.#peer.dispose();
  }

  async #listTools(): Promise<readonly unknown[]> {
    if (this.#initialized.capabilities.tools === undefined) return [];
    const listed: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = typeof cursor === 'string' ? { cursor } : {};
      const result = await this.#peer.request('tools/list', params);
      const tools = ownField(result, 'tools');
      const found: readonly unknown[] = Array.isArray(tools) ? tools : [];
      listed.push(...found);
      cursor = ownField(result, 'nextCursor');
      if (typeof cursor !== 'string') break;
    }
    return listed;
  }

  /** False where it is as it was. */
  #take(listed: readonly unknown[]): boolean {
    this.#listed = offeredTools(this.name, listed, this.#log);
    const before = this.#tools;
    this.#sift();
    return JSON.stringify(before) !== JSON.stringify(this.#tools);
  }

  #sift(): void {
    this.#tools = uncontestedTools(this.name, this.#listed, this.#checks, this.#log);
    this.#hide();
  }

  #request(method: string, params: unknown, call: ForeignCall): Promise<object> {
    switch (method) {
      case 'initialize':
        return Promise.resolve(this.#answer());
      case 'ping':
        return Promise.resolve({});
      case 'tools/list':
        return Promise.resolve({ tools: this.#shown });
      case 'tools/call': {
        const tool = ownField(params, 'name');
        if (typeof tool === 'string' && this.#isHidden(tool)) throw toolNotFound(tool);
        return this.#peer.request(method, params, call);
      }
      default:
        return this.#peer.request(method, params, call);
    }
  }

  #hide(): void {
    this.#shown = this.#tools.filter(({ name }) => !this.#isHidden(name));
  }

  /** Changes are always told: without the promise the CLI would not listen. */
  #answer(): InitializeResult {
    const { capabilities } = this.#initialized;
    return capabilities.tools === undefined
      ? this.#initialized
      : { ...this.#initialized, capabilities: { ...capabilities, tools: { listChanged: true } } };
  }

  #noticed({ method, params }: ForeignNotice): void {
    const kind = LISTS.get(method);
    if (kind === 'tools') {
      this.#isStale = true;
      void this.#reload();
    } else if (kind !== undefined) this.#changed.fire(kind);
    else {
      if (method === 'notifications/message') this.#write(params);
      for (const host of this.#hosts) host.notify(method, isRecord(params) ? params : undefined);
    }
  }

  /** Once, however many conversations there are: the CLI passes over what a server says so. */
  #write(params: unknown): void {
    const kept = this.#takeMessage();
    if (kept === undefined) return;
    if (kept > 0) this.#log.warn(`[${this.name}] ${kept} messages were left out`);
    const given = ownField(params, 'level');
    const logger = ownField(params, 'logger');
    const part = typeof logger === 'string' ? `/${logger}` : '';
    const level = LOG_LEVELS.find((one) => one === given) ?? 'info';
    const text = cutText(logText(ownField(params, 'data')), MAX_MESSAGE);
    writeLog(this.#log, level, `[${this.name}${part}] ${text}`);
  }

  /** One list at a time: of two the older may come last, and would stay. */
  async #reload(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#isStale = false;
    try {
      const listed = await inTime(this.#listTools(), 'list its tools', this.#readyWithinMs);
      if (this.#take(listed)) this.#changed.fire('tools');
    } catch (error) {
      this.#log.warn(`The tools of ${this.name} could not be listed: ${errorMessage(error)}`);
    }
    if (this.#isOver) return;
    this.#rest = setTimeout(() => {
      this.#isLoading = false;
      if (this.#isStale) void this.#reload();
    }, RELOAD_EVERY_MS);
  }
}
