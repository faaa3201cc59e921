import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { createDeferred } from '../base/deferred';
import { errorMessage } from '../base/errors';
import type { FormDraft } from '../base/formField';
import type { Logger } from '../base/logger';
import { checkForm } from '../base/checkForm';
import type { AskCard, AskReply, FormCard } from '../chat/askProtocol';
import type { ChatEvent } from '../chat/chatEvent';
import { type AskerFacts, createFormCard, createLinkCard } from '../chat/formCards';
import type { PermissionRequest } from '../chat/permissionRequest';
import { DISMISSED, questionsAnswer, tryCreateQuestionCard } from '../chat/questionCard';
import type { ToolTitles } from '../chat/toolTitles';
import { ControlRequestError } from '../cli/outboundCalls';
import type { AskAnswer, AskQuestion } from '../mcp/askPort';
import { wireName } from '../mcp/names';
import type { ElicitationRequest } from '../protocol/controlRequests';
import type { PermissionResult } from '../protocol/permissions';
import type { AsksPort } from './conversationPorts';
import { interruptedAnswer } from './interruptedAnswer';

export interface AskDeskPorts {
  readonly apply: (event: ChatEvent) => void;
  readonly titles: ToolTitles;
  readonly log: Logger;
  /** False for a process that we have ended: its questions were given up with it. */
  readonly isLive: () => boolean;
  /** Says something to the agent as the person's next message. */
  readonly say: (prompt: string) => void;
}

/** The answer to the CLI's `elicitation`. */
export type ElicitationAnswer = AskAnswer | { readonly action: AskAnswer['action'] };

interface Pending {
  card: AskCard;
  /** False where the reply does not fit: the card stays. */
  readonly take: (reply: AskReply) => boolean;
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
  async askForTool(question: AskQuestion): Promise<AskAnswer> {
    const { server, tool, toolUseId, message, schema, signal } = question;
    const title = tool === undefined ? undefined : this.#ports.titles.get(wireName(server, tool));
    const card = createFormCard({
      ...{ id: `ask-${randomUUID()}`, server, title, toolUseId, message, schema },
      trusted: true,
    });
    try {
      return await this.#wait(card, signal, (reply) => formAnswer(card, reply));
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
        if (action === 'accept' && card.host === undefined) return undefined;
        return { action };
      });
    }
    const card = this.#formOf(request, asker);
    return this.#wait(card, signal, (reply) => formAnswer(card, reply));
  }

  /** The model's questions; undefined where the request is about something else. */
  question(
    requestId: string,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionResult> | undefined {
    const card = tryCreateQuestionCard(requestId, request);
    return (
      card &&
      this.#wait(card, signal, (reply) =>
        reply.action === 'accept'
          ? questionsAnswer(request, card, reply.draft)
          : { behavior: 'deny', message: DISMISSED },
      )
    );
  }

  answer(cardId: string, reply: AskReply): void {
    const lost = this.#lost.get(cardId);
    if (lost) {
      const prompt = interruptedAnswer(lost, reply);
      // What does not fit stays to be mended; an empty one was put away.
      if (prompt === undefined) return;
      this.#forget(cardId);
      if (prompt !== '') this.#ports.say(prompt);
      return;
    }
    const pending = this.#pending.get(cardId);
    if (!pending?.take(reply)) {
      this.#ports.log.debug(
        `An answer came for a form that does not wait, or does not fit: ${cardId}`,
      );
      return;
    }
    this.#pending.delete(cardId);
    const outcome = reply.action === 'accept' ? 'answered' : 'declined';
    this.#ports.apply({ type: 'askSettled', cardId, outcome });
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

  async #wait<T>(
    card: AskCard,
    signal: AbortSignal,
    read: (reply: AskReply) => T | undefined,
  ): Promise<T> {
    signal.throwIfAborted();
    const answer = createDeferred<T>();
    const onAbort = (): void => this.#withdraw(card.id, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#pending.set(card.id, {
      card,
      take: (reply) => {
        const value = read(reply);
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
  const checked = checkForm(card.fields, reply.draft);
  return checked.ok ? { action: 'accept', content: checked.content } : undefined;
}
