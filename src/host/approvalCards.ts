import { createDeferred, type Deferred } from '../base/deferred';
import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { ApprovalCard } from '../chat/viewStateProtocol';
import { type ApprovalAnswer, type ApprovalQuestion, contentHash } from '../cli/workspaceApprovals';
import { isJsonObject } from '../protocol/lazySchema';
import { describeServer } from './describeServer';

interface Waiting {
  readonly question: ApprovalQuestion;
  readonly card: ApprovalCard;
  readonly answer: Deferred<ApprovalAnswer>;
}

/** The questions about servers that wait for the person, as cards of the panels of their folder. */
export class ApprovalCards implements Disposable {
  readonly #waiting = new Map<string, Waiting>();
  readonly #changed = new Emitter<void>();
  readonly #asked = new Emitter<ApprovalQuestion>();

  /** Fires when {@link of} may give something else. */
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly onDidAsk: Event<ApprovalQuestion> = this.#asked.event;

  /** Resolves with the answer; undefined when the person leaves it, or it is settled elsewhere. */
  ask(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    if (question.signal.aborted) return Promise.resolve(undefined);
    const { name, folder, value, changed } = question;
    const id = contentHash([folder, name, value]);
    const card: ApprovalCard = {
      id,
      name,
      body: describeServer(value),
      bodyKind: isJsonObject(value) && value.url !== undefined ? 'url' : 'command',
      changed,
    };
    const answer = createDeferred<ApprovalAnswer>();
    this.#waiting.set(id, { question, card, answer });
    question.signal.addEventListener('abort', () => this.#end(id, undefined), { once: true });
    this.#changed.fire();
    this.#asked.fire(question);
    return answer.promise;
  }

  /** The cards of a folder, in the order in which they came. */
  of(folder: string | undefined): readonly ApprovalCard[] {
    return [...this.#waiting.values()]
      .filter(({ question }) => question.folder === folder)
      .map(({ card }) => card);
  }

  /** One that does not wait any more is left alone. */
  answer(id: string, answer: ApprovalAnswer): void {
    this.#end(id, answer);
  }

  /** What the card is about; undefined when it does not wait any more. */
  question(id: string): ApprovalQuestion | undefined {
    return this.#waiting.get(id)?.question;
  }

  dispose(): void {
    for (const id of [...this.#waiting.keys()]) this.#end(id, undefined);
    this.#changed.dispose();
    this.#asked.dispose();
  }

  #end(id: string, answer: ApprovalAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#changed.fire();
    waiting.answer.resolve(answer);
  }
}
