import type { Logger } from '../base/logger';
import type { AskPort } from './askPort';
import type { CallProgress } from './callContext';
import type { ConversationFacts } from './conversationFacts';
import { RPC_INVALID_PARAMS } from './jsonRpc';
import type { RouterOptions } from './router';
import { createRouter } from './router';
import type { CallToolResult } from './wire';

export interface RunToolOptions {
  readonly registry: RouterOptions['registry'];
  readonly log: Logger;
  readonly server: string;
  readonly tool: string;
  readonly input: unknown;
  readonly conversation: ConversationFacts;
  readonly ask: AskPort;
  readonly onProgress: (progress: CallProgress) => void;
  readonly signal: AbortSignal;
}

/** What the model would get of a call. */
export type RunOutcome =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  /** The arguments do not fit; nothing has run. A line for each that does not. */
  | { readonly kind: 'badInput'; readonly message: string }
  | { readonly kind: 'error'; readonly message: string };

const REQUEST = 'by-person';

/**
 * Calls a tool as a conversation's router would, with its deadline, its context and its errors; no
 * rule is asked: it is the person who calls. Never rejects.
 */
export async function runTool(options: RunToolOptions): Promise<RunOutcome> {
  const { server, tool, input, signal, ...outlets } = options;
  const router = createRouter(outlets);
  const route = (message: object, requestId: string) =>
    router.route(server, { jsonrpc: '2.0', ...message }, { requestId });
  const cancel = (): void => {
    const params = { requestId: REQUEST, reason: 'the person stopped it' };
    void route({ method: 'notifications/cancelled', params }, `${REQUEST}-cancel`);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (signal.aborted) return { kind: 'error', message: 'Cancelled' };
    const params = { name: tool, arguments: input };
    const answer = await route({ id: REQUEST, method: 'tools/call', params }, REQUEST);
    if (!('error' in answer)) {
      // The router gives what the tool's server made of it, which it has checked.
      return { kind: 'result', result: answer.result as CallToolResult };
    }
    const { code, message } = answer.error;
    return { kind: code === RPC_INVALID_PARAMS ? 'badInput' : 'error', message };
  } finally {
    signal.removeEventListener('abort', cancel);
    router.dispose();
  }
}
