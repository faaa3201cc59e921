import * as l10n from '@vscode/l10n';
import { oneLine } from '../chat/boundedText';
import type { ChatEvent } from '../chat/chatEvent';
import { isLasting, type PermissionAnswerKind } from '../chat/permissionAnswer';
import type { PermissionCard } from '../chat/viewStateProtocol';

/** Characters of what was asked about that stand in the prompt; the model has the whole call. */
const QUOTE_LIMIT = 300;

/**
 * Questions whose process has ended: nobody waits for the answer any more, so it is said to the
 * agent as the next prompt.
 */
export class InterruptedQuestions {
  readonly #cards = new Map<string, PermissionCard>();
  readonly #apply: (event: ChatEvent) => void;

  constructor(apply: (event: ChatEvent) => void) {
    this.#apply = apply;
  }

  get cards(): readonly PermissionCard[] {
    return [...this.#cards.values()];
  }

  add({ diff: _diff, conversationRule: _rule, always: _always, ...asked }: PermissionCard): void {
    const card = { ...asked, interrupted: true };
    this.#cards.set(card.id, card);
    this.#apply({ type: 'permissionRequested', card });
  }

  /** The person goes on with something else. */
  drop(): void {
    for (const id of [...this.#cards.keys()]) this.#remove(id);
  }

  has(cardId: string): boolean {
    return this.#cards.has(cardId);
  }

  draft(cardId: string, draft: string): void {
    const card = this.#cards.get(cardId);
    if (!card) return;
    this.#cards.set(cardId, { ...card, draft });
    this.#apply({ type: 'permissionDrafted', cardId, draft });
  }

  /**
   * Takes the answer; the card leaves.
   * @returns the prompt that says it; undefined where the question is only put away
   */
  answer(cardId: string, answer: PermissionAnswerKind, reason?: string): string | undefined {
    const card = this.#cards.get(cardId);
    // No rule can be added any more, so the card offers none.
    if (!card || isLasting(answer) || answer === 'allowConversation') return undefined;
    this.#remove(cardId);
    const asked = oneLine(`${card.title}: ${card.body}`, QUOTE_LIMIT);
    switch (answer) {
      case 'allowOnce':
        return l10n.t(
          'You were interrupted before I could answer your question ({0}). My answer is yes. Please continue.',
          asked,
        );
      case 'deny':
        return refusal(asked, reason?.trim() ?? '');
      case 'denyAndStop':
        return undefined;
    }
  }

  #remove(cardId: string): void {
    this.#cards.delete(cardId);
    this.#apply({ type: 'permissionSettled', cardId, outcome: 'lost' });
  }
}

function refusal(asked: string, reason: string): string {
  if (reason === '') {
    return l10n.t(
      'You were interrupted before I could answer your question ({0}). My answer is no. Please continue without it.',
      asked,
    );
  }
  return l10n.t(
    'You were interrupted before I could answer your question ({0}). My answer is no. {1} Please continue without it.',
    asked,
    reason,
  );
}

/** Cards as they would be drawn again: without the change, which may be old by then, and what only the old call can use. */
export function cardsToKeep(
  cards: readonly PermissionCard[],
): readonly PermissionCard[] | undefined {
  if (cards.length === 0) return undefined;
  return cards.map(({ diff: _diff, always: _always, ...card }) => card);
}
