import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable';
import type { ChatEvent } from '../chat/chatEvent';
import { wireName } from '../mcp/names';
import type { OfferedServers } from '../mcp/switchedServers';
import type { ConversationMessage } from '../protocol/messages';
import type { Clock } from './clock';

/** How long the CLI may take to hand on a call while nothing else is going on, in milliseconds. */
export const UNREACHED_AFTER_MS = 15_000;

export interface UnreachedCallsOptions {
  readonly clock: Clock;
  /** Whether a server of ours offers the tool. */
  readonly isOwn: (tool: string) => boolean;
  /** Whether something holds calls for a good reason, such as a question to the person. */
  readonly isHeld: () => boolean;
  /** Called once for a call that the CLI shows and does not hand on. */
  readonly onUnreached: (toolUseId: string) => void;
}

/**
 * Notices calls of our tools that never come to their server. Only the oldest open call is looked
 * at: the CLI runs the others after it, and the calls of a subagent inside of its own.
 */
export class UnreachedCalls implements Disposable {
  readonly #options: UnreachedCallsOptions;
  /** Calls without a result, in order: false once it has come to its server, or was told of. */
  readonly #open = new Map<string, { readonly tool: string; isAwaited: boolean }>();
  #watched: string | undefined;
  #timer: Disposable | undefined;

  constructor(options: UnreachedCallsOptions) {
    this.#options = options;
  }

  receive(message: ConversationMessage): void {
    if (message.type === 'result') this.forget();
    if (message.type !== 'assistant' && message.type !== 'user') return;
    const { content } = message.message;
    if (typeof content === 'string') return;
    for (const block of content) {
      if (block.type === 'tool_use' && !this.#open.has(block.id)) {
        const isAwaited = this.#options.isOwn(block.name);
        this.#open.set(block.id, { tool: block.name, isAwaited });
      } else if (block.type === 'tool_result') this.#open.delete(block.tool_use_id);
    }
    this.#watch();
  }

  /** It came to its server. */
  reached(toolUseId: string): void {
    const call = this.#open.get(toolUseId);
    if (call?.isAwaited !== true) return;
    call.isAwaited = false;
    this.#watch();
  }

  /** The turn or the agent has ended. */
  forget(): void {
    this.#open.clear();
    this.#watch();
  }

  dispose(): void {
    this.forget();
  }

  #watch(): void {
    const [oldest] = this.#open;
    const wanted = oldest?.[1].isAwaited === true ? oldest[0] : undefined;
    if (wanted === this.#watched) return;
    this.#watched = wanted;
    this.#wait();
  }

  #wait(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const id = this.#watched;
    if (id === undefined) return;
    const { clock, isHeld, onUnreached } = this.#options;
    this.#timer = clock.after(UNREACHED_AFTER_MS, () => {
      if (isHeld()) {
        this.#wait();
        return;
      }
      this.reached(id);
      onUnreached(id);
    });
  }
}

/** For the rows of a conversation: the card of such a call says so. */
export function createUnreachedCalls(
  { clock, registry }: { readonly clock: Clock; readonly registry: Pick<OfferedServers, 'all'> },
  isHeld: () => boolean,
  apply: (event: ChatEvent) => void,
): UnreachedCalls {
  return new UnreachedCalls({
    clock,
    isOwn: (tool) => registry.all().some(({ name }) => tool.startsWith(wireName(name, ''))),
    isHeld,
    onUnreached: (toolUseId) => {
      const text = l10n.t(
        'The agent has not handed this call to its server for {0} s; Stop ends the turn',
        UNREACHED_AFTER_MS / 1000,
      );
      apply({ type: 'toolProgress', toolUseId, text });
    },
  });
}
