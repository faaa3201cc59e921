import { Emitter } from '../base/event';
import type { ConversationFacts, ConversationReset } from '../mcp/conversationFacts';
import type { ConversationMessage } from '../protocol/messages';

/** Where the facts come from that change while a conversation runs. */
export interface FactSources {
  readonly id: string;
  readonly cwd: string;
  readonly mode: () => string;
  /** In milliseconds since 1970. */
  readonly turns: () => {
    readonly turnStart: number | undefined;
    readonly lastTurnStart: number | undefined;
  };
}

/** What tools may know of a live conversation, always as it is now. */
export class LiveFacts implements ConversationFacts {
  readonly id: string;
  readonly cwd: string;
  readonly #sources: FactSources;
  readonly #reset = new Emitter<ConversationReset>();
  readonly onDidReset = this.#reset.event;

  constructor(sources: FactSources) {
    this.id = sources.id;
    this.cwd = sources.cwd;
    this.#sources = sources;
  }

  get mode(): string {
    return this.#sources.mode();
  }
  get turnStart(): number | undefined {
    return this.#sources.turns().turnStart;
  }
  get lastTurnStart(): number | undefined {
    return this.#sources.turns().lastTurnStart;
  }

  /** After a compaction the model no longer knows what a tool told it. */
  receive(message: ConversationMessage): void {
    if (message.type === 'system' && message.subtype === 'compact_boundary') {
      this.#reset.fire('compaction');
    }
  }

  /** The conversation was taken back to an earlier message; nothing in the product does that yet. */
  rewound(): void {
    this.#reset.fire('rewind');
  }

  dispose(): void {
    this.#reset.dispose();
  }
}
