import type { ConversationReset } from '../mcp/conversationFacts';
import type { ToolContext } from '../mcp/toolContext';
import type { StateEntry } from './workerMessages';

/** What one conversation keeps for one tool file that runs in a worker. */
export interface FileState {
  /** Stands for it in messages. */
  readonly key: number;
  entries: readonly StateEntry[];
}

/**
 * The states of all conversations, by file: in a worker each file has its own, and it outlives the
 * worker. They go with the conversation, whose map nobody holds then.
 */
export class WorkerStates {
  readonly #files = new WeakMap<Map<string, unknown>, Map<string, FileState>>();
  readonly #gone: FinalizationRegistry<number>;
  readonly #onGone: (key: number) => void;
  readonly #onReset: (key: number, reset: ConversationReset) => void;
  #count = 0;

  constructor(
    onGone: (key: number) => void,
    onReset: (key: number, reset: ConversationReset) => void,
  ) {
    this.#onGone = onGone;
    this.#onReset = onReset;
    this.#gone = new FinalizationRegistry((key) => {
      this.#onGone(key);
    });
  }

  of(file: string, ctx: Pick<ToolContext, 'state' | 'onDidReset'>): FileState {
    const { state } = ctx;
    const files = this.#files.get(state) ?? new Map<string, FileState>();
    this.#files.set(state, files);
    const known = files.get(file);
    if (known !== undefined) return known;
    this.#count += 1;
    const key = this.#count;
    const made: FileState = { key, entries: [] };
    files.set(file, made);
    this.#gone.register(state, key);
    // Lives as long as the state does.
    ctx.onDidReset((reset) => {
      this.#onReset(key, reset);
    });
    return made;
  }
}
