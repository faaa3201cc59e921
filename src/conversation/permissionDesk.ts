import * as l10n from '@vscode/l10n';
import type { ChatEvent, PermissionOutcome } from '../chat/chatEvent';
import {
  isAllow,
  isLasting,
  permissionAnswer,
  type PermissionAnswerKind,
} from '../chat/permissionAnswer';
import type { PermissionRequest } from '../chat/permissionRequest';
import { editedPath } from '../chat/proposedEdit';
import type { LastingAnswer, LastingOffer, PermissionCard } from '../chat/viewStateProtocol';
import { createDeferred, type Deferred } from '../base/deferred';
import { ControlRequestError } from '../cli/outboundCalls';
import type { PermissionResult } from '../protocol/permissions';

export interface PermissionDeskPorts {
  readonly describe: (requestId: string, request: PermissionRequest) => Promise<PermissionCard>;
  readonly apply: (event: ChatEvent) => void;
  /** The process has ended before the person answered; called after the card was settled. */
  readonly onLost: (card: PermissionCard) => void;
  /** Whether the card says something else than what its call would do by now. */
  readonly isOutdated: (card: PermissionCard, request: PermissionRequest) => Promise<boolean>;
  /** The person stopped the agent with a reason, which the CLI drops. */
  readonly onStopped: (reason: string) => void;
  /** A rule was handed to the CLI to be written down. */
  readonly onLasting: (granted: LastingGrant) => void;
}

export interface LastingGrant {
  readonly request: PermissionRequest;
  readonly offer: LastingOffer;
  readonly answer: LastingAnswer;
}

interface PendingQuestion {
  /** As it is shown now. */
  card: PermissionCard;
  readonly request: PermissionRequest;
  readonly verdict: Deferred<PermissionResult>;
}

/**
 * The questions of the CLI that wait for the person: any number at once, each answered once.
 * An answer to a card that was withdrawn, or answered before, changes nothing.
 */
export class PermissionDesk {
  /** Calls that the person has allowed for the guard; their edited paths by `tool_use` id. */
  readonly #settledByGuard = new Map<string, string | undefined>();
  readonly #pending = new Map<string, PendingQuestion>();
  readonly #ports: PermissionDeskPorts;
  /** Questions that came and are not settled, also those that are not drawn yet. */
  #open = 0;
  /** How often all was denied. */
  #stops = 0;

  constructor(ports: PermissionDeskPorts) {
    this.#ports = ports;
  }

  get isAsking(): boolean {
    return this.#open > 0;
  }

  /** What waits for the person. */
  get cards(): readonly PermissionCard[] {
    return [...this.#pending.values()].map(({ card }) => card);
  }

  /** The request behind a card that still waits. */
  request(cardId: string): PermissionRequest | undefined {
    return this.#pending.get(cardId)?.request;
  }

  /**
   * Shows a card and waits for its answer, for as long as the person takes. Where what was allowed is
   * not what the call would do by then, it is asked about anew: the CLI overwrites a file that
   * somebody has changed meanwhile.
   * @param signal aborted when the CLI takes the question back or ends
   */
  async ask(
    requestId: string,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionResult> {
    this.#open += 1;
    try {
      for (let round = 0; ; round += 1) {
        // Another id each time: a second click on the card before must not answer this one.
        const id = round === 0 ? requestId : `${requestId}~${round}`;
        const { card, result } = await this.#askOnce(id, request, signal, round > 0);
        if (result.behavior === 'deny') return result;
        if (!(await this.#ports.isOutdated(card, request))) return result;
        signal.throwIfAborted();
      }
    } finally {
      this.#open -= 1;
    }
  }

  async #askOnce(
    cardId: string,
    request: PermissionRequest,
    signal: AbortSignal,
    isAgain: boolean,
  ): Promise<{ readonly card: PermissionCard; readonly result: PermissionResult }> {
    const stops = this.#stops;
    const described = await this.#ports.describe(cardId, request);
    signal.throwIfAborted();
    const card = isAgain ? { ...described, facts: changedFacts(described) } : described;
    const question: PendingQuestion = { card, request, verdict: createDeferred() };
    if (stops === this.#stops)
      return { card: described, result: await this.#answerTo(question, signal) };
    // Pressed while the card was made ready: a question that comes up behind Stop was not stopped.
    this.#settled(card.id, question, 'denied');
    return { card, result: permissionAnswer(request, 'denyAndStop') };
  }

  /**
   * Asks for the guard. For places that the CLI checks itself its own question about the same call
   * follows an allow; that one is answered by {@link askForCli} without a second card.
   */
  async askForGuard(
    requestId: string,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionResult> {
    const result = await this.ask(requestId, request, signal);
    if (result.behavior === 'allow' && request.tool_use_id !== undefined) {
      const target = editedPath(request.tool_name, request.input);
      this.#settledByGuard.set(request.tool_use_id, target);
    }
    return result;
  }

  /** Asks for the CLI, unless the person has just allowed this very call. */
  askForCli(
    requestId: string,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionResult> {
    const id = request.tool_use_id ?? '';
    const isSettled =
      this.#settledByGuard.has(id) &&
      this.#settledByGuard.get(id) === editedPath(request.tool_name, request.input);
    this.#settledByGuard.delete(id);
    return isSettled
      ? Promise.resolve(permissionAnswer(request, 'allowOnce'))
      : this.ask(requestId, request, signal);
  }

  /** What the person types outlives the view. False when the card does not wait any more. */
  draft(cardId: string, draft: string): boolean {
    const question = this.#pending.get(cardId);
    if (!question) return false;
    question.card = { ...question.card, draft };
    this.#ports.apply({ type: 'permissionDrafted', cardId, draft });
    return true;
  }

  /** False when the card does not wait any more. */
  answer(cardId: string, kind: PermissionAnswerKind, reason?: string): boolean {
    const question = this.#pending.get(cardId);
    if (!question) return false;
    const { card, request, verdict } = question;
    if (!isOffered(card, kind)) return false;
    this.#pending.delete(cardId);
    this.#settled(cardId, question, isAllow(kind) ? 'allowed' : 'denied', reason);
    verdict.resolve(permissionAnswer(request, kind, reason));
    if (isLasting(kind) && card.always) {
      this.#ports.onLasting({ request, offer: card.always, answer: kind });
    } else if (kind === 'denyAndStop') this.#ports.onStopped(reason?.trim() ?? '');
    return true;
  }

  /** Stop while no turn runs: an agent in the background asks, and there is nothing to interrupt. */
  denyAll(): void {
    this.#stops += 1;
    for (const cardId of [...this.#pending.keys()]) this.answer(cardId, 'denyAndStop');
  }

  async #answerTo(question: PendingQuestion, signal: AbortSignal): Promise<PermissionResult> {
    const { card, verdict } = question;
    const withdraw = (): void => this.#withdraw(card.id, signal.reason);
    signal.addEventListener('abort', withdraw, { once: true });
    this.#pending.set(card.id, question);
    this.#ports.apply({ type: 'permissionRequested', card });
    try {
      return await verdict.promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  #withdraw(cardId: string, cause: unknown): void {
    const question = this.#pending.get(cardId);
    if (!question) return;
    this.#pending.delete(cardId);
    const isLost = cause instanceof ControlRequestError && cause.kind === 'closed';
    this.#settled(cardId, question, isLost ? 'lost' : 'withdrawn');
    question.verdict.reject(cause);
    if (isLost) this.#ports.onLost(question.card);
  }

  #settled(
    cardId: string,
    question: PendingQuestion,
    outcome: PermissionOutcome,
    reason?: string,
  ): void {
    const toolUseId = question.request.tool_use_id;
    this.#ports.apply({ type: 'permissionSettled', cardId, outcome, toolUseId, reason });
  }
}

/** What the card does not offer cannot be chosen on it. */
function isOffered({ always, conversationRule }: PermissionCard, kind: PermissionAnswerKind) {
  if (kind === 'allowConversation') return conversationRule !== undefined;
  return !isLasting(kind) || always?.places.some(({ answer }) => answer === kind) === true;
}

function changedFacts({ facts = [] }: PermissionCard): readonly string[] {
  return [l10n.t('Changed since you were asked: look at it again'), ...facts];
}
