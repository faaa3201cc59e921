import * as l10n from '@vscode/l10n';
import { errorMessage, UserFacingError } from '../base/errors';
import { untilAborted } from '../base/untilAborted';
import type { PromptExpansion, WaitingPrompt } from '../chat/promptExpansion';
import type { SentSelection } from '../chat/selectionProtocol';
import type { QueuedPrompt } from '../chat/viewStateProtocol';
import type { SubmitOutcome } from './conversationPorts';
import { takesSelection } from './promptParts';

export interface IntakePorts {
  readonly mayExpand: (text: string) => boolean;
  /** Whether the selection may still be given to the agent. Never rejects. */
  readonly maySelect: (selection: SentSelection) => Promise<boolean>;
  /** Undefined where it cannot be told now, since no CLI can be started: the sending says why. */
  readonly expand: (text: string, signal: AbortSignal) => Promise<PromptExpansion | undefined>;
  readonly take: (prompt: WaitingPrompt) => SubmitOutcome;
}

/**
 * Takes prompts in their order. One that names a prompt, a resource or a file is looked at before it
 * is taken: what fails then is a refusal, and the message stays with the person.
 */
export class PromptIntake {
  readonly #ports: IntakePorts;
  readonly #open = new Map<string, Promise<SubmitOutcome>>();
  #last: Promise<unknown> | undefined;
  #abort = new AbortController();

  constructor(ports: IntakePorts) {
    this.#ports = ports;
  }

  submit(given: QueuedPrompt): SubmitOutcome | Promise<SubmitOutcome> {
    const { id, text } = given;
    const prompt = takesSelection(text) ? given : { ...given, selection: undefined };
    const known = this.#open.get(id);
    if (known) return known;
    const isPlain = prompt.selection === undefined && !this.#ports.mayExpand(text);
    if (this.#last === undefined && isPlain) return this.#ports.take(prompt);
    const before = this.#last ?? Promise.resolve();
    // Stop means all that were handed in by then.
    const { signal } = this.#abort;
    const outcome = before.then(() => this.#look(prompt, signal));
    this.#open.set(id, outcome);
    this.#last = outcome;
    void outcome.finally(() => {
      this.#open.delete(id);
      if (this.#last === outcome) this.#last = undefined;
    });
    return outcome;
  }

  /** Refuses what is being looked at. */
  stop(): void {
    this.#abort.abort(new Error('stopped'));
    this.#abort = new AbortController();
  }

  /** A rule may have been made since the panel offered it. */
  async #selectable(prompt: QueuedPrompt, selection: SentSelection): Promise<QueuedPrompt> {
    const isFree = await this.#ports.maySelect(selection);
    return isFree ? prompt : { ...prompt, selection: undefined };
  }

  /** Never rejects. */
  async #look(given: QueuedPrompt, signal: AbortSignal): Promise<SubmitOutcome> {
    try {
      signal.throwIfAborted();
      const { selection } = given;
      const prompt = selection === undefined ? given : await this.#selectable(given, selection);
      signal.throwIfAborted();
      if (!this.#ports.mayExpand(prompt.text)) return this.#ports.take(prompt);
      const expansion = await untilAborted(this.#ports.expand(prompt.text, signal), signal);
      signal.throwIfAborted();
      return this.#ports.take({ ...prompt, expansion });
    } catch (error) {
      return { accepted: false, reason: signal.aborted ? stopped() : reasonOf(error) };
    }
  }
}

function stopped(): string {
  return l10n.t('Stopped before the message was sent. It is kept.');
}

function reasonOf(error: unknown): string {
  const known = error instanceof UserFacingError ? error : undefined;
  return [
    known?.message ?? l10n.t('The message could not be prepared: {0}', errorMessage(error)),
    known?.next,
    l10n.t('Your message is kept.'),
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}
