import type { ChatEvent } from '../chat/chatEvent';
import type { ControlHandlers } from '../cli/controlChannel';
import type { AskPort } from '../mcp/askPort';
import type { CallDeskOptions } from '../mcp/callDesk';
import type { ConversationFacts } from '../mcp/conversationFacts';
import { observeRouter } from '../mcp/observeRouter';
import { createRouter, type Router } from '../mcp/router';
import { ownField } from '../mcp/wire';
import type { WriteWatch } from './changeDesk';
import type { ConversationPorts } from './conversationPorts';
import type { ConversationTelemetry } from './conversationTelemetry';
import { describeProgress } from './describeProgress';
import type { UnreachedCalls } from './unreachedCalls';

export interface ConversationRouterOptions {
  readonly ports: Pick<ConversationPorts, 'registry' | 'log'>;
  readonly facts: ConversationFacts;
  readonly telemetry: ConversationTelemetry;
  /** Shows the form of a tool that asks the person something. */
  readonly ask: AskPort;
  /** Absent where no rows are drawn. */
  readonly apply?: (event: ChatEvent) => void;
  /** Whether a call may run, as it is about to. */
  readonly verdict: NonNullable<CallDeskOptions['verdict']>;
  /** Hands a notification of a server to the CLI. */
  readonly notify: (server: string, message: object) => void;
}

/** The router of one conversation: what its tools tell goes to their rows, and to whoever observes. */
export function createConversationRouter(options: ConversationRouterOptions): Router {
  const { ports, facts, telemetry, ask, apply, verdict, notify } = options;
  const { registry, log } = ports;
  const router = createRouter({
    registry,
    log,
    conversation: facts,
    ask,
    verdict,
    notify,
    onProgress: ({ toolUseId, ...step }) => {
      if (toolUseId === undefined) return;
      apply?.({ type: 'toolProgress', toolUseId, text: describeProgress(step) });
    },
    onFile: (requestId, file) => {
      telemetry.tellFile(requestId, file);
    },
  });
  return observeRouter(router, telemetry.observer);
}

/**
 * Hands the CLI's frames to the router; answers at once where that does.
 * @param calls told of each request that belongs to a call of the model
 * @param watch awaited before an answer that took time goes to the CLI
 */
export function answerBy(
  router: Router,
  calls?: Pick<UnreachedCalls, 'reached'>,
  watch?: Pick<WriteWatch, 'didWrite'>,
): NonNullable<ControlHandlers['mcp_message']> {
  return ({ server_name: server, message }, { requestId }) => {
    const meta = ownField(ownField(message, 'params'), '_meta');
    const toolUseId = ownField(meta, 'claudecode/toolUseId');
    if (typeof toolUseId === 'string') calls?.reached(toolUseId);
    const answer = router.route(server, message, { requestId });
    return answer instanceof Promise
      ? answer.then((late) => {
          const body = { mcp_response: late };
          const written = watch?.didWrite(requestId);
          return written === undefined ? body : written.then(() => body);
        })
      : { mcp_response: answer };
  };
}
