import type { ChatEvent } from '../chat/chatEvent';
import { permissionAnswer } from '../chat/permissionAnswer';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { createDeferred, type Deferred } from '../base/deferred';
import type { CanUseToolRequest } from '../protocol/controlRequests';
import type { PermissionResult } from '../protocol/permissions';
import type { PermissionAnswerKind } from './conversationPorts';

interface PendingQuestion {
  readonly request: CanUseToolRequest;
  readonly verdict: Deferred<PermissionResult>;
}

/**
 * The questions of the CLI that wait for the person: any number at once, each answered once.
 * An answer to a card that was withdrawn, or answered before, changes nothing.
 */
export class PermissionDesk {
  readonly #pending = new Map<string, PendingQuestion>();
  readonly #describe: (requestId: string, request: CanUseToolRequest) => Promise<PermissionCard>;
  readonly #apply: (event: ChatEvent) => void;

  constructor(
    describe: (requestId: string, request: CanUseToolRequest) => Promise<PermissionCard>,
    apply: (event: ChatEvent) => void,
  ) {
    this.#describe = describe;
    this.#apply = apply;
  }

  /** The request behind a card that still waits. */
  request(cardId: string): CanUseToolRequest | undefined {
    return this.#pending.get(cardId)?.request;
  }

  /**
   * Shows a card and waits for its answer, for as long as the person takes.
   * @param signal aborted when the CLI takes the question back or ends
   */
  async ask(
    requestId: string,
    request: CanUseToolRequest,
    signal: AbortSignal,
  ): Promise<PermissionResult> {
    const card = await this.#describe(requestId, request);
    signal.throwIfAborted();
    const verdict = createDeferred<PermissionResult>();
    const withdraw = (): void => this.#withdraw(requestId, signal.reason);
    signal.addEventListener('abort', withdraw, { once: true });
    this.#pending.set(requestId, { request, verdict });
    this.#apply({ type: 'permissionRequested', card });
    try {
      return await verdict.promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  /** False when the card does not wait any more. */
  answer(cardId: string, kind: PermissionAnswerKind, reason?: string): boolean {
    const question = this.#pending.get(cardId);
    if (!question) return false;
    this.#pending.delete(cardId);
    const allowed = kind === 'allowOnce' || kind === 'allowConversation';
    this.#settled(cardId, question, allowed ? 'allowed' : 'denied', reason);
    question.verdict.resolve(permissionAnswer(question.request, kind, reason));
    return true;
  }

  #withdraw(cardId: string, cause: unknown): void {
    const question = this.#pending.get(cardId);
    if (!question) return;
    this.#pending.delete(cardId);
    this.#settled(cardId, question, 'withdrawn');
    question.verdict.reject(cause);
  }

  #settled(
    cardId: string,
    question: PendingQuestion,
    outcome: 'allowed' | 'denied' | 'withdrawn',
    reason?: string,
  ): void {
    const toolUseId = question.request.tool_use_id;
    this.#apply({ type: 'permissionSettled', cardId, outcome, toolUseId, reason });
  }
}
