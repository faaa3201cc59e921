import { Emitter } from '../base/event';
import { keepLatest } from '../base/keepLatest';
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

/** More than sub-agents have running at a time. */
const MOST_CALLS = 1_000;

/** What tools may know of a live conversation, always as it is now. */
export class LiveFacts implements ConversationFacts {
  readonly id: string;
  readonly cwd: string;
  readonly #sources: FactSources;
  /** By the calls of sub-agents that run, the latest of them, the call that runs the sub-agent. */
  readonly #agents = new Map<string, string>();
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

  /** A frame of a call does not tell it. Fact (2.1.332): the row of a sub-agent's call comes before the call. */
  readonly agentOf = (toolUseId: string): string | undefined => this.#agents.get(toolUseId);

  /** After a compaction the model no longer knows what a tool told it. */
  receive(message: ConversationMessage): void {
    if (message.type === 'system' && message.subtype === 'compact_boundary') {
      this.#reset.fire('compaction');
    } else if (message.type === 'assistant' || message.type === 'user') this.#noteAgents(message);
  }

  /** The conversation was taken back to an earlier message; nothing in the product does that yet. */
  rewound(): void {
    this.#reset.fire('rewind');
  }

  #noteAgents(row: Extract<ConversationMessage, { type: 'assistant' | 'user' }>): void {
    const { content } = row.message;
    const agent = row.parent_tool_use_id;
    if (typeof agent !== 'string' || typeof content === 'string') return;
    for (const block of content) {
      if (block.type === 'tool_use') this.#agents.set(block.id, agent);
      else if (block.type === 'tool_result') this.#agents.delete(block.tool_use_id);
    }
    // Of a process that was killed some have no end.
    keepLatest(this.#agents, MOST_CALLS);
  }

  dispose(): void {
    this.#agents.clear();
    this.#reset.dispose();
  }
}
