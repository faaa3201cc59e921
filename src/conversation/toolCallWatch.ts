import { wireName } from '../mcp/names';
import type { OfferedServers } from '../mcp/switchedServers';
import type { ConversationMessage } from '../protocol/messages';

/** A call of a tool that has ended, whoever offers the tool. Holds no argument and no content. */
export interface ToolCall {
  readonly conversationId: string;
  readonly toolUseId: string;
  /** As the model calls it. */
  readonly tool: string;
  readonly source: 'inProcess' | 'external' | 'cli';
  readonly server?: string;
  readonly outcome: 'success' | 'error';
  readonly durationMs: number;
}

export interface ToolCallWatchOptions {
  readonly conversationId: string;
  readonly now: () => number;
  readonly registry: Pick<OfferedServers, 'all'>;
  /** Names of the servers that the CLI connects to itself. */
  readonly external: () => readonly string[];
  readonly onCall: (call: ToolCall) => void;
}

/** A conversation whose results never come must not keep its calls for ever. */
const MAX_OPEN = 1000;

/** Reads the CLI's messages for calls of tools: in-process, external, and its own. */
export class ToolCallWatch {
  readonly #options: ToolCallWatchOptions;
  readonly #open = new Map<string, { readonly tool: string; readonly began: number }>();

  constructor(options: ToolCallWatchOptions) {
    this.#options = options;
  }

  receive(message: ConversationMessage): void {
    if (message.type !== 'assistant' && message.type !== 'user') return;
    const { content } = message.message;
    if (typeof content === 'string') return;
    for (const block of content) {
      if (block.type === 'tool_use') this.#began(block.id, block.name);
      else if (block.type === 'tool_result') {
        this.#ended(block.tool_use_id, block.is_error === true ? 'error' : 'success');
      }
    }
  }

  /** The process has ended, and with it what ran: no result comes any more. */
  cutOff(): void {
    for (const id of [...this.#open.keys()]) this.#ended(id, 'error');
  }

  #began(id: string, tool: string): void {
    if (this.#open.has(id)) return;
    this.#open.set(id, { tool, began: this.#options.now() });
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(oldest);
    }
  }

  #ended(toolUseId: string, outcome: ToolCall['outcome']): void {
    const call = this.#open.get(toolUseId);
    if (!this.#open.delete(toolUseId) || call === undefined) return;
    const { conversationId, now, onCall } = this.#options;
    const durationMs = Math.max(0, now() - call.began);
    const origin = this.#origin(call.tool);
    onCall({ conversationId, toolUseId, tool: call.tool, ...origin, outcome, durationMs });
  }

  #origin(tool: string): Pick<ToolCall, 'source' | 'server'> {
    const { registry, external } = this.#options;
    const own = longest(
      tool,
      registry.all().map(({ name }) => name),
    );
    if (own !== undefined) return { source: 'inProcess', server: own };
    if (!tool.startsWith('mcp__')) return { source: 'cli' };
    const server = longest(tool, external());
    return { source: 'external', ...(server === undefined ? {} : { server }) };
  }
}

/** A whole name is never split, since `a__b` is a legal name of a server: known names are tried. */
function longest(tool: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => tool.startsWith(wireName(name, '')))
    .sort((a, b) => b.length - a.length)[0];
}
