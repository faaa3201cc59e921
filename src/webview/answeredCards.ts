import type { ViewMessage } from '../chat/viewProtocol';

/** Which cards the person has answered: others go without them, as when the agent takes its question back. */
export class AnsweredCards {
  readonly #ids = new Set<string>();

  /** @param message what the view posts */
  note(message: ViewMessage): void {
    if (message.type === 'answerPermission' || message.type === 'answerAsk') {
      this.#ids.add(message.cardId);
    } else if (message.type === 'answerApproval') this.#ids.add(message.approvalId);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
