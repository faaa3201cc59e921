import path from 'node:path';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { ChatEvent } from '../chat/chatEvent';
import type { ConversationMessage } from '../protocol/messages';
import { pathKey } from '../rules/pathShape';
import { isPlanFile } from '../rules/protectedPaths';
import { ChangeBook } from '../workFiles/changeBook';
import { ChangeStore } from '../workFiles/changeStore';
import { resolveRealPath } from '../workFiles/realPath';
import type { Change, FileHand } from '../workFiles/revertChange';
import type { SeenFile } from '../workFiles/seenFile';
import { changesOf } from './changeWords';
import { withDeadline } from './withDeadline';

/** The files of the person, and where what was before is kept. */
export interface ChangedFilesPort {
  readonly hand: FileHand;
  /** Files and folders that were moved in the editor, by a tool or by the person. */
  readonly onDidMove: Event<readonly { readonly from: string; readonly to: string }[]>;
  /** A folder for the session; need not be there. Undefined where there can be none. Never rejects. */
  folderOf(sessionId: string): Promise<string | undefined>;
}

/** Told of the files that calls of the agent write. Paths are absolute. Never rejects. */
export interface WriteWatch {
  /** Resolves when what the files are now is known; the call may write them then. */
  willWrite(call: string, files: readonly string[]): Promise<void>;
  /** The call has ended, however it did. */
  didWrite(call: string): Promise<void> | undefined;
}

/** What the person does with the files that the agent has changed. Never rejects. */
export interface ChangesPort {
  keep(ids: readonly string[]): Promise<void>;
  undo(ids: readonly string[]): Promise<void>;
  /** Brings back what was undone last. */
  redo(undoneId: string): Promise<void>;
  forgetUndone(): Promise<void>;
  /** What was before and what the agent made of it; undefined for what is not listed. */
  change(id: string): Promise<Change | undefined>;
}

export interface ChangeDeskOptions {
  /** Absent: nothing is kept track of. */
  readonly files: ChangedFilesPort | undefined;
  readonly folder: string | undefined;
  /** Of the CLI's own plan files, which are no files of the person. */
  readonly planFolder: string;
  readonly apply: (event: ChatEvent) => void;
  readonly log: Logger;
  /** Milliseconds for a look at one file; {@link LOOK_WITHIN_MS} unless given. */
  readonly lookWithinMs?: number;
}

/** A dead network folder must not hold a call for ever, in milliseconds. */
const LOOK_WITHIN_MS = 10_000;
/** A call that may write more files is kept track of for these only. */
const MAX_FILES = 500;
/** A command in the background: it makes no calls. */
const SHELL_TASK = 'local_bash';

/** What is said of a file that does not answer. */
const UNSEEN: SeenFile = { kind: 'opaque', why: 'unreadable', stamp: '' };

/** Keeps track of the files that the agent changes in one conversation. */
export class ChangeDesk implements WriteWatch, ChangesPort, Disposable {
  readonly #options: ChangeDeskOptions;
  readonly #store: ChangeStore;
  readonly #book: ChangeBook | undefined;
  readonly #listening = new DisposableStore();
  readonly #open = new Set<string>();
  /** Agents work in the background: their calls do not end with a turn. */
  #hasAgents = false;
  #sessionId: string | undefined;

  constructor(options: ChangeDeskOptions) {
    this.#options = options;
    const { files, log, folder, apply } = options;
    this.#store = new ChangeStore({ log });
    if (files === undefined) return;
    // All waits for its turn: one file that cannot be looked at must not hold the others for ever.
    const within = options.lookWithinMs ?? LOOK_WITHIN_MS;
    const inTime = <T>(look: Promise<T>, without: T): Promise<T> =>
      withDeadline(look, within, 'no answer of the disk').catch(() => without);
    const book = new ChangeBook({
      hand: { ...files.hand, see: (file) => inTime(files.hand.see(file), UNSEEN) },
      keyOf: (file) => inTime(keyOf(file), pathKey(path.resolve(file), process.platform)),
      ...{ store: this.#store, log },
    });
    this.#book = book;
    this.#listening.add(
      book.onDidChange(() => {
        apply({ type: 'fields', fields: { changes: changesOf(book, folder) } });
      }),
    );
    this.#listening.add(
      files.onDidMove((moves) => {
        for (const { from, to } of moves) void book.moved(from, to);
      }),
    );
  }

  async willWrite(call: string, files: readonly string[]): Promise<void> {
    const book = this.#book;
    if (book === undefined || files.length === 0) return;
    const own = await this.#withoutPlans(files);
    if (own.length === 0) return;
    if (own.length > MAX_FILES) {
      this.#options.log.info(
        `A call may write ${own.length} files: ${MAX_FILES} are kept track of`,
      );
    }
    this.#open.add(call);
    await this.#bounded(book.willWrite(call, own.slice(0, MAX_FILES)));
  }

  didWrite(call: string): Promise<void> | undefined {
    return this.#open.delete(call) ? this.#bounded(this.#book?.didWrite(call)) : undefined;
  }

  /** Calls end with their results; where no agent goes on beside it, all of them with the turn. */
  receive(message: ConversationMessage): void {
    if (message.type === 'system' && message.subtype === 'background_tasks_changed') {
      this.#hasAgents = message.tasks.some(({ task_type: type }) => type !== SHELL_TASK);
    }
    if (message.type === 'result' && !this.#hasAgents) this.settle();
    if (message.type !== 'user') return;
    const { content } = message.message;
    if (typeof content === 'string') return;
    for (const block of content) {
      if (block.type === 'tool_result') void this.didWrite(block.tool_use_id);
    }
  }

  /** No call is running any more. */
  settle(): void {
    this.#hasAgents = false;
    if (this.#open.size === 0) return;
    this.#open.clear();
    void this.#book?.settle();
  }

  /** What was kept of a session of an earlier window. Never rejects. */
  async restore(sessionId: string): Promise<void> {
    this.#sessionId = sessionId;
    const folder = await this.#options.files?.folderOf(sessionId);
    if (folder !== undefined) await this.#book?.restore(() => this.#store.open(folder));
  }

  /** The session in which the conversation goes on. */
  settleIn(sessionId: string | undefined): void {
    if (sessionId === undefined || sessionId === this.#sessionId) return;
    this.#sessionId = sessionId;
    void this.#options.files?.folderOf(sessionId).then((folder) => {
      if (folder !== undefined && this.#sessionId === sessionId) this.#store.settleIn(folder);
    });
  }

  keep = async (ids: readonly string[]): Promise<void> => this.#book?.keep(ids);
  undo = async (ids: readonly string[]): Promise<void> => this.#book?.undo(ids);
  redo = async (undoneId: string): Promise<void> => this.#book?.redo(undoneId);
  forgetUndone = async (): Promise<void> => this.#book?.forgetUndone();
  change = async (id: string): Promise<Change | undefined> => this.#book?.change(id);

  /** The agent is gone. Resolves when all is on the disk. Never rejects. */
  async dispose(): Promise<void> {
    this.#listening.dispose();
    await this.#bounded(this.#book?.settle());
    await this.#store.flush();
  }

  async #withoutPlans(files: readonly string[]): Promise<readonly string[]> {
    const { planFolder } = this.#options;
    const folder = await resolveRealPath(planFolder);
    const real = await Promise.all(files.map(resolveRealPath));
    return files.filter(
      (file, index) => !isPlanFile(real[index] ?? file, folder, process.platform),
    );
  }

  async #bounded(work: Promise<void> | undefined): Promise<void> {
    try {
      const { lookWithinMs = LOOK_WITHIN_MS } = this.#options;
      if (work) await withDeadline(work, lookWithinMs, 'the files take too long');
    } catch (error) {
      this.#options.log.warn(`A change of a file may not be kept track of: ${String(error)}`);
    }
  }
}

async function keyOf(file: string): Promise<string> {
  return pathKey(await resolveRealPath(path.resolve(file)), process.platform);
}
