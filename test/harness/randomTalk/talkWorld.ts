import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from '../../../src/base/logger';
import { silentLogger } from '../../../src/base/logger';
import type { ConversationPorts } from '../../../src/conversation/conversationPorts';
import { failedPrompt } from '../../../src/conversation/failures';
import { createConversation } from '../../../src/conversation/createConversation';
import { SpareSeat } from '../../../src/conversation/spareSeat';
import { ConversationPlace } from '../../../src/host/conversationPlace';
import { draftOwner } from '../../../src/host/placeDrafts';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import type { KeptPlace } from '../../../src/host/placeStore';
import { ViewConnection } from '../../../src/host/viewConnection';
import { ServerRegistry } from '../../../src/mcp/registry';
import { TestClock } from '../../unit/conversation/testClock';
import { recordedPorts } from '../../unit/host/connectView';
import { type CliTemper, ScriptedCli } from './scriptedCli';
import { SessionsOnDisk } from './sessionsOnDisk';
import { settle } from './settle';
import { TalkView } from './talkView';
import { TalkWords } from './talkWords';

/** A folder to work in, the CLI's own folder, and a file that counts as its program. */
export interface TalkFolder {
  readonly path: string;
  readonly disk: SessionsOnDisk;
  dispose(): void;
}

export function createTalkFolder(): TalkFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-talk-'));
  writeFileSync(path.join(folder, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  return {
    path: folder,
    disk: new SessionsOnDisk(folder, folder),
    dispose: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One person with one conversation, over as many windows, views and processes as it takes. */
export class TalkWorld {
  readonly words = new TalkWords();
  readonly clis: ScriptedCli[] = [];
  readonly folder: TalkFolder;
  readonly log: Logger;
  /** How the next process behaves. */
  temper: CliTemper = 'plain';
  /** Survives the window, as text. */
  readonly places = new Map<string, string>();
  readonly drafts = new Map<string, string>();
  readonly errors: unknown[] = [];
  /** Those that were left for another one. */
  readonly sessions: string[] = [];
  /** Taken from the queue into the input. */
  readonly edited: string[] = [];
  window: TalkWindow;

  constructor(folder: TalkFolder, log: Logger = silentLogger) {
    this.folder = folder;
    this.log = log;
    this.window = new TalkWindow(this);
  }

  /** The process that runs. */
  get cli(): ScriptedCli | undefined {
    return this.clis.find(({ isOver }) => !isOver);
  }

  start(args: readonly string[]): ScriptedCli {
    if (this.cli) this.words.faults.push('two processes ran at once');
    const { words, temper } = this;
    const cli = new ScriptedCli({
      ...{ args, temper, disk: this.folder.disk },
      watcher: {
        written: (content, others) => {
          words.written(content, others);
        },
        taken: (content) => {
          words.taken(content);
        },
        takenUnseen: (content) => {
          words.allowAgain(JSON.stringify(content));
        },
      },
    });
    this.temper = 'plain';
    this.clis.push(cli);
    return cli;
  }

  /** The window is loaded anew. `isKill`: its process is gone before it could end anything. */
  async reload(isKill: boolean): Promise<void> {
    await this.window.end(isKill);
    this.window = new TalkWindow(this);
  }

  /**
   * The person turns to another conversation, or to a new one, by a command of the editor. Only at
   * rest: what runs would end with it. What waits goes with its conversation.
   */
  async turn(sessionId: string | undefined): Promise<void> {
    const { place } = this.window;
    const { status, items } = place.conversation.snapshot();
    const hasAlerts = items.some(({ id }) => failedPrompt(place.conversation.snapshot(), id));
    if (status.kind !== 'idle' || hasAlerts || this.edited.length > 0) return;
    const { cli } = this;
    if (cli && (!cli.isIdle || cli.isLate)) return;
    const { page } = this.window;
    const before = place.sessionId;
    // A page may not have heard yet that its words are said.
    const said = items.map((item) => (item.kind === 'user' ? item.text : '')).join(' ');
    const typed = this.words.in(page?.store.state ? page.composer.text.value : place.draft);
    if (before !== undefined && !this.sessions.includes(before)) this.sessions.push(before);
    if (sessionId === undefined) place.startNew();
    else place.resume(sessionId);
    await this.window.turned();
    if (before === sessionId) return;
    const kept = this.drafts.get(draftOwner(place.id, before)) ?? '';
    const shown = [place.draft, page?.store.state ? page.composer.text.value : ''].join(' ');
    for (const word of typed) {
      if (![kept, said].join(' ').includes(word))
        this.words.faults.push(`${word} did not go with its conversation`);
      if (shown.includes(word)) this.words.faults.push(`${word} stands in another conversation`);
    }
  }

  /** What is kept beside the input that is there. */
  get putAway(): readonly string[] {
    return [...this.drafts.values(), ...this.queuesPutAway];
  }

  /** What waits in conversations that were left. */
  get queuesPutAway(): readonly string[] {
    return [...this.places].flatMap(([id, text]) => (id === WINDOW_PLACE ? [] : text));
  }

  async dispose(): Promise<void> {
    await this.window.end(false);
    await settle();
    if (this.cli) this.words.faults.push('a process outlived the window');
  }
}

/** One window: a place, a view of it, and what joins them. */
export class TalkWindow {
  readonly clock = new TestClock();
  readonly place: ConversationPlace;
  /** What the views have asked of the editor. */
  readonly done: string[] = [];
  readonly #world: TalkWorld;
  #connection: ViewConnection;
  #view: TalkView;
  #ended: Promise<void> | undefined;
  #isOver = false;

  constructor(world: TalkWorld) {
    this.#world = world;
    this.place = this.#createPlace();
    this.#view = this.#openView();
    this.#connection = this.#connect();
  }

  get view(): TalkView {
    return this.#view;
  }

  /** What a person in front of it can use: undefined while it is hidden or being loaded. */
  get page() {
    return this.#view.visible ? this.#view.page : undefined;
  }

  /** The view is closed, and another one of the same place is opened. */
  openAnother(): void {
    this.#view.close();
    this.#connection.dispose();
    this.#view = this.#openView();
    this.#connection = this.#connect();
  }

  /** The process of the conversation that was left is gone. */
  async turned(): Promise<void> {
    const over = new AbortController();
    void this.#ended?.finally(() => {
      over.abort();
    });
    // Frames, in which the views hear of the other one.
    for (let rounds = 0; rounds < 3 || (this.#ended && !over.signal.aborted); rounds += 1) {
      await settle();
      this.clock.advance(1_000);
    }
    await settle();
  }

  async end(isKill: boolean): Promise<void> {
    if (isKill) {
      const box = this.#view.page?.composer.text.value ?? '';
      const typed = [box, ...this.#world.edited].join(' ');
      const { putAway, places } = this.#world;
      const kept = [this.place.draft, ...putAway, ...places.values()].join(' ');
      // Typed within the last moment: the host has never heard of it.
      for (const word of this.#world.words.in(typed)) {
        if (!kept.includes(word)) this.#world.words.goes(word);
      }
      // Still in the box of a page that had not heard that it was taken: the person may send it again.
      this.#world.words.allowAgain(box);
      this.#isOver = true;
      this.#view.isGone = true;
      this.#world.cli?.end({ kind: 'crashed', code: null, stderrTail: '' }, true);
    }
    this.#view.close();
    this.#connection.dispose();
    this.place.dispose();
    await this.#ended;
    await settle();
    this.#isOver = true;
  }

  #createPlace(): ConversationPlace {
    const world = this.#world;
    const { places, drafts } = world;
    const folder = { name: 'talk', path: world.folder.path };
    return new ConversationPlace(WINDOW_PLACE, {
      pump: {
        clock: this.clock,
        l10n: () => undefined,
        onError: (error) => world.errors.push(error),
      },
      drafts: {
        get: (id) => drafts.get(id) ?? '',
        set: (id, text) => {
          if (!this.#isOver) drafts.set(id, text);
        },
        images: () => [],
        setImages: () => undefined,
      },
      places: {
        get: (id) => {
          const text = places.get(id);
          return text === undefined ? undefined : (JSON.parse(text) as KeptPlace);
        },
        set: (id, kept) => {
          if (this.#isOver) return;
          if (kept) places.set(id, JSON.stringify(kept));
          else places.delete(id);
        },
        ofSession: (sessionId) =>
          [...places].flatMap(([id, text]) => {
            const { conversation } = JSON.parse(text) as KeptPlace;
            return conversation.sessionId === sessionId ? id : [];
          }),
      },
      createConversation: (_folder, memory) =>
        createConversation({ ...this.#ports(folder), ...memory }),
      pickFolder: () => folder,
      isOpen: () => true,
      hostFields: () => ({}),
      onEnded: (ending) => {
        this.#ended = ending;
      },
    });
  }

  #ports(folder: ConversationPorts['folder']): ConversationPorts {
    const world = this.#world;
    return {
      ...{ log: world.log, folder, clock: this.clock, spares: new SpareSeat() },
      now: () => 1_790_000_000_000 + this.clock.now(),
      startCli: (options) => Promise.resolve(world.start(options.args)),
      settings: () => ({
        cliPath: path.join(world.folder.path, 'claude'),
        cliEnvironment: { PATH: world.folder.path, CLAUDE_CONFIG_DIR: world.folder.path },
        ...{ cliArguments: [], cliWrapper: [], parkAfterMinutes: 10 },
        ...{ initialPermissionMode: '', model: '' },
        proxy: { proxy: '', noProxy: [], support: 'override' },
      }),
      isTrusted: () => true,
      workspaceRoots: () => [world.folder.path],
      buffers: {
        dirtyFiles: () => [],
        save: () => Promise.resolve(false),
        discard: () => Promise.resolve(false),
        read: () => Promise.resolve(undefined),
      },
      registry: new ServerRegistry(),
      developmentRoot: undefined,
      hostEnvironment: { HOME: world.folder.path },
    };
  }

  #openView(): TalkView {
    const view = new TalkView(WINDOW_PLACE, {
      timers: {
        set: (fn, ms) => this.clock.after(ms, fn),
        clear: (handle) => {
          // Only what `set` has given.
          (handle as { dispose(): void } | undefined)?.dispose();
        },
      },
      now: () => this.clock.now(),
      newId: randomUUID,
    });
    view.load();
    return view;
  }

  #connect(): ViewConnection {
    const { clock, done } = this;
    const ports = recordedPorts({ clock, done, focused: () => undefined });
    return new ViewConnection(this.#view, this.place, {
      ...ports,
      report: (error) => this.#world.errors.push(error),
    });
  }
}
