import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { createDeferred } from '../base/deferred';
import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { ApprovalCard, ServerApprovalCard } from '../chat/viewStateProtocol';
import { type ApprovalAnswer, type ApprovalQuestion, contentHash } from '../cli/workspaceApprovals';
import { isJsonObject } from '../protocol/lazySchema';
import type { ToolFilesAnswer, ToolFilesQuestion } from '../workspaceTools/toolFile';
import { describeServer } from './describeServer';
import { toolFilesCard } from './toolFilesCard';

/** What the person says to a card. `later` leaves it open. */
export type CardAnswer = 'approve' | 'never' | 'later';

export type Asked =
  | { readonly kind: 'server'; readonly question: ApprovalQuestion }
  | { readonly kind: 'toolFiles'; readonly question: ToolFilesQuestion };

interface Waiting {
  readonly asked: Asked;
  readonly card: ApprovalCard;
  readonly settle: (answer: CardAnswer) => void;
}

/** What of the workspace waits for the person, as cards of the panels. */
export class ApprovalCards implements Disposable {
  readonly #waiting = new Map<string, Waiting>();
  readonly #changed = new Emitter<void>();
  readonly #asked = new Emitter<Asked>();

  /** Fires when {@link of} may give something else. */
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly onDidAsk: Event<Asked> = this.#asked.event;
  readonly #isPlace: (folder: string) => boolean;

  /** @param isPlace whether a conversation of a panel can work in this folder */
  constructor(isPlace: (folder: string) => boolean = () => true) {
    this.#isPlace = isPlace;
  }

  /** Resolves with the answer; undefined when the person leaves it, or it is settled elsewhere. */
  async ask(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    const { name, folder, value, changed } = question;
    const card: ServerApprovalCard = {
      kind: 'server',
      id: contentHash([folder, name, value]),
      name: this.#isPlace(folder) ? name : l10n.t('{0} of {1}', name, path.basename(folder)),
      body: describeServer(value),
      bodyKind: isJsonObject(value) && value.url !== undefined ? 'url' : 'command',
      changed,
    };
    const given = await this.#put({ kind: 'server', question }, () => card);
    return given === 'approve' ? 'start' : given === 'never' ? 'refuse' : undefined;
  }

  /** The same of the tool files of a folder. A change meanwhile is another question. */
  async askFiles(question: ToolFilesQuestion): Promise<ToolFilesAnswer> {
    const given = await this.#put({ kind: 'toolFiles', question }, () => toolFilesCard(question));
    return given === 'approve' ? 'approve' : given === 'never' ? 'refuse' : undefined;
  }

  /**
   * The cards for a conversation that works in a folder, in the order in which they came: its servers,
   * and the tool files of all folders, whose tools each conversation of the window has.
   */
  of(folder: string | undefined): readonly ApprovalCard[] {
    return [...this.#waiting.values()]
      .filter(({ asked }) => this.isShownIn(asked, folder))
      .map(({ card }) => card);
  }

  /** Whether the conversations that work in a folder show its card. */
  isShownIn({ kind, question }: Asked, folder: string | undefined): boolean {
    if (kind === 'toolFiles' || question.folder === folder) return true;
    // That of another extension's conversation, which no panel shows, stands in each of them.
    return !this.#isPlace(question.folder);
  }

  /** One that does not wait any more is left alone. */
  answer(id: string, answer: CardAnswer): void {
    this.#end(id, answer);
  }

  /** What the card is about; undefined when it does not wait any more. */
  find(id: string): Asked | undefined {
    return this.#waiting.get(id)?.asked;
  }

  dispose(): void {
    for (const id of [...this.#waiting.keys()]) this.#end(id, 'later');
    this.#changed.dispose();
    this.#asked.dispose();
  }

  #put(asked: Asked, draw: () => ApprovalCard): Promise<CardAnswer> {
    const { signal } = asked.question;
    if (signal.aborted) return Promise.resolve('later');
    const card = draw();
    // The same once more: whoever asked first is not left waiting.
    this.#end(card.id, 'later');
    const answer = createDeferred<CardAnswer>();
    const settle = (given: CardAnswer): void => {
      answer.resolve(given);
    };
    const waiting: Waiting = { asked, card, settle };
    this.#waiting.set(card.id, waiting);
    const onAbort = (): void => {
      if (this.#waiting.get(card.id) === waiting) this.#end(card.id, 'later');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#changed.fire();
    this.#asked.fire(asked);
    return answer.promise;
  }

  #end(id: string, answer: CardAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#changed.fire();
    waiting.settle(answer);
  }
}
