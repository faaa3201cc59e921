import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { createDeferred } from '../base/deferred';
import { errorMessage } from '../base/errors';
import type { FormDraft } from '../base/formField';
import type { Logger } from '../base/logger';
import { checkForm } from '../base/checkForm';
import type {
  AskCard,
  AskReply,
  FormCard,
  PlanCard,
  PlanReview,
  QuestionCard,
} from '../chat/askProtocol';
import type { ChatEvent } from '../chat/chatEvent';
import { type AskerFacts, createFormCard, createLinkCard } from '../chat/formCards';
import type { PermissionRequest } from '../chat/permissionRequest';
import { planAnswer, reviewedPlan, tryCreatePlanCard } from '../chat/planCard';
import { DISMISSED, questionsAnswer, tryCreateQuestionCard } from '../chat/questionCard';
import type { ToolTitles } from '../chat/toolTitles';
import { ControlRequestError } from '../cli/outboundCalls';
import type { AskAnswer, AskQuestion, FormAnswer } from '../mcp/askPort';
import { wireName } from '../mcp/names';
import type { ElicitationRequest } from '../protocol/controlRequests';
import type { PermissionResult } from '../protocol/permissions';
import type { AsksPort } from './conversationPorts';
import { interruptedAnswer, modeAfter } from './interruptedAnswer';

export interface AskDeskPorts {
  readonly apply: (event: ChatEvent) => void;
  readonly titles: ToolTitles;
  readonly log: Logger;
  /** False for a process that we have ended: its questions were given up with it. */
  readonly isLive: () => boolean;
  /** Says something to the agent as the person's next message. */
  readonly say: (prompt: string) => void;
  /** Never rejects: what failed is told. */
  readonly setMode: (mode: string) => Promise<void>;
}

/** The answer to the CLI's `elicitation`. */
export type ElicitationAnswer = AskAnswer | { readonly action: AskAnswer['action'] };

interface Pending {
  card: AskCard;
  /** Gets the card as it is by then. False where the reply does not fit: the card stays. */
  readonly take: (reply: AskReply, card: AskCard) => boolean;
  readonly withdraw: (reason: unknown) => void;
}

/**
 * Forms, pages and questions that wait for the person: any number at once, each answered once. A
 * reply to a card that was withdrawn, or answered before, changes nothing.
 */
export class AskDesk implements AsksPort {
  readonly #ports: AskDeskPorts;
  readonly #pending = new Map<string, Pending>();
  /** Nobody waits for these any more: the answer goes as the next message. */
  readonly #lost = new Map<string, AskCard>();

  constructor(ports: AskDeskPorts) {
    this.#ports = ports;
  }

  get isAsking(): boolean {
    return this.#pending.size > 0;
  }

  /** What must outlive the process; undefined where nothing waits. */
  get kept(): readonly AskCard[] | undefined {
    const cards = [...this.#lost.values(), ...[...this.#pending.values()].map(({ card }) => card)];
    return cards.length === 0 ? undefined : cards;
  }

  /** The form of a handler. Rejects where the schema has what no form can show. */
  async askForTool(question: AskQuestion): Promise<FormAnswer> {
    const { server, tool, toolUseId, message, schema, signal, again } = question;
    const title = tool === undefined ? undefined : this.#ports.titles.get(wireName(server, tool));
    const card = createFormCard({
      ...{ id: `ask-${randomUUID()}`, server, title, toolUseId, message, schema, again },
      trusted: true,
    });
    try {
      return await this.#wait(card, signal, (reply) => {
        const answer = formAnswer(card, reply);
        return answer && reply.action === 'accept' ? { ...answer, draft: reply.draft } : answer;
      });
    } catch (error) {
      // The call has ended: nobody reads the answer, and the form is gone.
      if (signal.aborted || isClosed(error)) return { action: 'cancel' };
      throw error;
    }
  }

  /** What a server of the CLI asks. */
  elicit(
    requestId: string,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const { mcp_server_name: server, message = '', mode, url = '' } = request;
    const asker = { id: requestId, server, message };
    if (mode === 'url') {
      const card = createLinkCard({ ...asker, url });
      return this.#wait(card, signal, ({ action }) => {
        if (action === 'decline') return { action };
        return action === 'accept' && card.host !== undefined ? { action } : undefined;
      });
    }
    const card = this.#formOf(request, asker);
    return this.#wait(card, signal, (reply) => formAnswer(card, reply));
  }

  /** The model's questions and plans; undefined where the request is about something else. */
  question(
    requestId: string,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionResult> | undefined {
    const plan = tryCreatePlanCard(requestId, request);
    if (plan) {
      return this.#wait(plan, signal, (reply, card) => planAnswer(request, card, reply));
    }
    const questions = tryCreateQuestionCard(requestId, request);
    return (
      questions &&
      this.#wait(questions, signal, (reply) => questionsReply(request, questions, reply))
    );
  }

  /** A card that waits comes first: its agent is there to hear the answer. */
  answer(cardId: string, reply: AskReply): void {
    const pending = this.#pending.get(cardId);
    if (!pending) {
      this.#answerLost(cardId, reply);
    } else if (pending.take(reply, pending.card)) {
      this.#pending.delete(cardId);
      const { action } = reply;
      const outcome = action === 'accept' || action === 'approve' ? 'answered' : 'declined';
      const reason = action === 'keepPlanning' ? reply.words.trim() : undefined;
      this.#ports.apply({ type: 'askSettled', cardId, outcome, reason });
    } else {
      this.#ports.log.debug(`An answer does not fit its form: ${cardId}`);
    }
  }

  #answerLost(cardId: string, reply: AskReply): void {
    const lost = this.#lost.get(cardId);
    const prompt = lost && interruptedAnswer(lost, reply);
    // What does not fit stays to be mended; an empty one was put away.
    if (!lost || prompt === undefined) {
      this.#ports.log.debug(`An answer came for a form that does not wait, or not so: ${cardId}`);
      return;
    }
    this.#forget(cardId);
    if (prompt === '') return;
    const mode = modeAfter(lost, reply);
    if (mode === undefined) this.#ports.say(prompt);
    // First, so that the next turn does not begin by planning again.
    else void this.#ports.setMode(mode).then(() => this.#ports.say(prompt));
  }

  reviewPlan(cardId: string, change: (card: PlanCard) => PlanReview): void {
    const pending = this.#pending.get(cardId);
    const card = pending?.card ?? this.#lost.get(cardId);
    if (card?.kind !== 'plan') return;
    const reviewed = reviewedPlan(card, change(card));
    if (pending) pending.card = reviewed;
    else this.#lost.set(cardId, reviewed);
    this.#ports.apply({ type: 'planReviewed', card: reviewed });
  }

  draft(cardId: string, draft: FormDraft): void {
    const pending = this.#pending.get(cardId);
    const lost = this.#lost.get(cardId);
    if (pending) pending.card = { ...pending.card, draft };
    else if (lost) this.#lost.set(cardId, { ...lost, draft });
    else return;
    this.#ports.apply({ type: 'askDrafted', cardId, draft });
  }

  url(cardId: string): string | undefined {
    const card = this.#pending.get(cardId)?.card;
    return card?.kind === 'link' && card.host !== undefined ? card.url : undefined;
  }

  /** Stop while no turn runs: there is nothing to interrupt. */
  declineAll(): void {
    for (const cardId of [...this.#pending.keys()]) this.answer(cardId, { action: 'decline' });
  }

  /** The process has ended by itself, and with it whoever waits. */
  loseAll(): void {
    for (const cardId of [...this.#pending.keys()]) {
      this.#withdraw(cardId, new ControlRequestError('closed', 'The agent has ended'), true);
    }
  }

  /** Takes up what an earlier process has left. */
  restore(cards: readonly AskCard[] = []): void {
    for (const card of cards) this.#addLost(card);
  }

  /** The person goes on with something else than what was interrupted. */
  dropLost(): void {
    for (const cardId of [...this.#lost.keys()]) this.#forget(cardId);
  }

  /** @throws FormSchemaError, told to the person too: the server hears an error */
  #formOf(request: ElicitationRequest, asker: AskerFacts): FormCard {
    const { requested_schema: schema = {}, property_order: order } = request;
    try {
      return createFormCard({ ...asker, schema, order, trusted: false });
    } catch (error) {
      const text = l10n.t(
        'The server {0} asked for something that no form can show, and was told so: {1}',
        asker.server,
        errorMessage(error),
      );
      this.#ports.apply({ type: 'notice', text, tone: 'warning' });
      throw error;
    }
  }

  async #wait<C extends AskCard, T>(
    card: C,
    signal: AbortSignal,
    read: (reply: AskReply, card: C) => T | undefined,
  ): Promise<T> {
    signal.throwIfAborted();
    const answer = createDeferred<T>();
    const onAbort = (): void => this.#withdraw(card.id, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    // The same, asked again: its agent is there.
    this.#lost.delete(card.id);
    this.#pending.set(card.id, {
      card,
      take: (reply, now) => {
        // A card never changes its kind.
        const value = read(reply, now as C);
        if (value === undefined) return false;
        answer.resolve(value);
        return true;
      },
      withdraw: (reason) => {
        answer.reject(reason);
      },
    });
    this.#ports.apply({ type: 'askRequested', card });
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #withdraw(cardId: string, reason: unknown, isKept = this.#ports.isLive()): void {
    const pending = this.#pending.get(cardId);
    if (!pending) return;
    this.#pending.delete(cardId);
    const isLost = isClosed(reason);
    const outcome = isLost ? 'lost' : 'withdrawn';
    this.#ports.apply({ type: 'askSettled', cardId, outcome });
    pending.withdraw(reason);
    if (isLost && isKept) this.#addLost(pending.card);
  }

  #addLost(asked: AskCard): void {
    const card = { ...asked, interrupted: true };
    this.#lost.set(card.id, card);
    this.#ports.apply({ type: 'askRequested', card });
  }

  #forget(cardId: string): void {
    this.#lost.delete(cardId);
    this.#ports.apply({ type: 'askSettled', cardId, outcome: 'lost' });
  }
}

/** The process has ended; a request that was taken back is `aborted`. */
function isClosed(reason: unknown): boolean {
  return reason instanceof ControlRequestError && reason.kind === 'closed';
}

function formAnswer(card: FormCard, reply: AskReply): AskAnswer | undefined {
  if (reply.action === 'decline') return { action: 'decline' };
  if (reply.action !== 'accept') return undefined;
  const checked = checkForm(card.fields, reply.draft);
  return checked.ok ? { action: 'accept', content: checked.content } : undefined;
}

function questionsReply(
  request: PermissionRequest,
  card: QuestionCard,
  reply: AskReply,
): PermissionResult | undefined {
  if (reply.action === 'decline') return { behavior: 'deny', message: DISMISSED };
  return reply.action === 'accept' ? questionsAnswer(request, card, reply.draft) : undefined;
}
