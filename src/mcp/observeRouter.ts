import type { Logger } from '../base/logger';
import { utf8Length } from '../base/utf8Length';
import { readFrame } from './jsonRpc';
import type { Router } from './router';
import { type NamedFile, type ServerEvent, workOf } from './serverEvent';
import { ownField, type RpcAnswer } from './wire';

export interface RouterObserver {
  /** Of the conversation that the router serves. */
  readonly conversationId: string;
  readonly now: () => number;
  readonly log: Logger;
  /** Sizes have to be counted: nobody pays for what nobody reads. Asked with each request. */
  readonly isActive: () => boolean;
  /** The files that the handlers of a request have told of; asked once, at its end. */
  readonly takeFiles: (requestId: string) => readonly NamedFile[];
  /** Called for each request; what it throws is logged and changes nothing. */
  readonly onEvent: (event: ServerEvent) => void;
}

/** The same router, telling of each request when it comes and when it was answered. */
export function observeRouter(router: Router, observer: RouterObserver): Router {
  const tell = (event: ServerEvent): void => {
    try {
      observer.onEvent(event);
    } catch (error) {
      observer.log.error(`A listener to ${event.server} failed`, error);
    }
  };
  /** By their ids: one that comes twice runs once, and is told of once. */
  const running = new Set<string>();
  return {
    route: (server, message, info) => {
      const frame = observer.isActive() ? readFrame(message) : undefined;
      if (frame?.kind !== 'request' || running.has(info.requestId)) {
        return router.route(server, message, info);
      }
      const { method, params } = frame;
      const common = {
        work: workOf(method),
        server,
        method,
        tool: method === 'tools/call' ? textOf(ownField(params, 'name')) : undefined,
        conversationId: observer.conversationId,
        requestId: info.requestId,
        toolUseId: textOf(ownField(ownField(params, '_meta'), 'claudecode/toolUseId')),
      };
      const startedAt = observer.now();
      running.add(info.requestId);
      tell({ ...common, phase: 'start' });
      const ended = (answer: RpcAnswer): RpcAnswer => {
        running.delete(info.requestId);
        const end = {
          durationMs: Math.max(0, observer.now() - startedAt),
          bytesIn: sizeOf(message),
          bytesOut: sizeOf(answer),
          files: observer.takeFiles(info.requestId),
        };
        if ('error' in answer) {
          tell({ ...common, ...end, phase: 'exception', code: answer.error.code });
        } else {
          const outcome = ownField(answer.result, 'isError') === true ? 'error' : 'success';
          tell({ ...common, ...end, phase: 'stop', outcome });
        }
        return answer;
      };
      const answer = router.route(server, message, info);
      return answer instanceof Promise ? answer.then(ended) : ended(answer);
    },
    cancelAll: (reason, server) => {
      router.cancelAll(reason, server);
    },
    get openCalls() {
      return router.openCalls;
    },
    dispose: () => router.dispose(),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function sizeOf(value: unknown): number {
  try {
    return utf8Length(JSON.stringify(value));
  } catch {
    return 0;
  }
}
