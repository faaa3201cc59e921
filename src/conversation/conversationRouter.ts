import type { ChatEvent } from '../chat/chatEvent';
import { observeRouter } from '../mcp/observeRouter';
import { createRouter, type Router } from '../mcp/router';
import { spanLine } from '../mcp/serverEvent';
import type { LiveFacts } from './conversationFacts';
import type { ConversationPorts } from './conversationPorts';
import { describeProgress } from './describeProgress';

export interface ConversationRouterOptions {
  readonly ports: Pick<ConversationPorts, 'registry' | 'log' | 'ask' | 'now' | 'onServerEvent'>;
  readonly facts: LiveFacts;
  readonly apply: (event: ChatEvent) => void;
  /** Hands a notification of a server to the CLI. */
  readonly notify: (server: string, message: object) => void;
}

/** The router of one conversation: what its tools tell goes to their rows, and to whoever observes. */
export function createConversationRouter(options: ConversationRouterOptions): Router {
  const { ports, facts, apply, notify } = options;
  const { registry, log, ask, onServerEvent } = ports;
  const router = createRouter({
    registry,
    log,
    conversation: facts,
    ask,
    notify,
    onProgress: ({ toolUseId, ...step }) => {
      if (toolUseId === undefined) return;
      apply({ type: 'toolProgress', toolUseId, text: describeProgress(step) });
    },
  });
  return observeRouter(router, {
    conversation: facts.id,
    now: ports.now,
    log,
    isActive: () => onServerEvent !== undefined || log.isTracing?.() === true,
    onEvent: (event) => {
      onServerEvent?.(event);
      const line = spanLine(event);
      if (line !== undefined) log.trace(line);
    },
  });
}
