import * as l10n from '@vscode/l10n';
import { boolean, nullable, object, optional, safeParse, string } from 'zod/mini';
import { UserFacingError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { ChatEvent } from '../chat/chatEvent';
import { sideQuestionIn, type SideQuestion } from '../chat/sideProtocol';
import type { CliSession } from '../cli/cliSession';
import { ControlRequestError } from '../cli/outboundCalls';
import type { SidePort, SubmitOutcome } from './conversationPorts';

export interface SideOptions {
  readonly log: Logger;
  readonly apply: (event: ChatEvent) => void;
  /** The CLI, started unseen where none runs. */
  readonly agent: () => Promise<CliSession>;
  readonly newId: () => string;
}

const answerSchema = object({ response: nullable(string()), synthetic: optional(boolean()) });

/**
 * Questions beside the conversation. Fact: the CLI answers `side_question` from what it knows of the
 * conversation, without tools, also while a turn runs, and writes nothing of it to the disk; what
 * was asked and answered before goes along, so that one question can follow another.
 */
export class SideQuestions implements SidePort {
  readonly #options: SideOptions;
  #questions: readonly SideQuestion[] = [];
  #asking = new AbortController();

  constructor(options: SideOptions) {
    this.#options = options;
  }

  get isAsking(): boolean {
    return this.#questions.some(({ state }) => state === 'asking');
  }

  /**
   * Takes what the person has written where it is such a question; undefined where it is none.
   * @param pictures that stand beside it: the CLI takes none here, and they would be gone with it
   */
  take(text: string, pictures = 0): SubmitOutcome | undefined {
    const question = sideQuestionIn(text);
    if (question === undefined) return undefined;
    if (pictures > 0) {
      return {
        accepted: false,
        reason: l10n.t('A side question takes no pictures: take them out, or ask without /btw.'),
      };
    }
    if (question === '') {
      return { accepted: false, reason: l10n.t('Write the question behind /btw.') };
    }
    if (this.isAsking) {
      return { accepted: false, reason: l10n.t('One side question at a time: wait, or close it.') };
    }
    void this.#ask(question, this.#asking.signal);
    return { accepted: true };
  }

  dismiss(): void {
    if (this.#questions.length === 0) return;
    this.#asking.abort(new Error('The side question was closed'));
    this.#asking = new AbortController();
    this.#show([]);
  }

  async #ask(question: string, signal: AbortSignal): Promise<void> {
    const { log, agent, newId } = this.#options;
    const id = newId();
    const history = this.#questions.flatMap(({ question: asked, state, answer }) =>
      state === 'answered' && answer !== undefined ? [{ question: asked, response: answer }] : [],
    );
    this.#show([...this.#questions, { id, question, state: 'asking' }]);
    const settle = (state: SideQuestion['state'], answer: string): void => {
      if (signal.aborted) return;
      this.#show(this.#questions.map((one) => (one.id === id ? { ...one, state, answer } : one)));
    };
    try {
      const session = await agent();
      signal.throwIfAborted();
      const body = { question, ...(history.length > 0 ? { history } : {}) };
      const { response, synthetic = false } = read(
        await session.request('side_question', body, { signal }),
      );
      if (response === null || response.trim() === '') settle('failed', noAnswer());
      else settle(synthetic ? 'failed' : 'answered', response);
    } catch (error) {
      if (!signal.aborted) log.warn(`A side question was not answered: ${String(error)}`);
      settle('failed', reasonOf(error));
    }
  }

  #show(questions: readonly SideQuestion[]): void {
    this.#questions = questions;
    const side = questions.length > 0 ? questions : undefined;
    this.#options.apply({ type: 'fields', fields: { side } });
  }
}

function read(body: unknown): {
  readonly response: string | null;
  readonly synthetic?: boolean | undefined;
} {
  return safeParse(answerSchema, body).data ?? { response: null };
}

function noAnswer(): string {
  return l10n.t('No answer came. Ask again, or ask in the conversation.');
}

function reasonOf(error: unknown): string {
  if (error instanceof UserFacingError) return error.message;
  if (!(error instanceof ControlRequestError)) return noAnswer();
  if (error.code === 'unsupported_request') {
    return l10n.t('This version of the CLI takes no side questions: update it.');
  }
  return error.kind === 'closed'
    ? l10n.t('The agent ended before it answered. Ask again.')
    : error.kind === 'refused'
      ? error.message
      : noAnswer();
}
