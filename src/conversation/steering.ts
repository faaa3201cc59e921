import type { Logger } from '../base/logger';
import type { ChatEvent } from '../chat/chatEvent';
import type { WaitingPrompt } from '../chat/promptExpansion';
import type { CliSession } from '../cli/cliSession';
import type { SentPrompt } from './conversationPorts';
import { asKept, type ReadyPrompt, wirePrompt } from './promptParts';

export interface SteeringPorts {
  readonly log: Logger;
  readonly apply: (event: ChatEvent) => void;
  readonly newId: () => string;
  /** What the model gets for it. Rejects with what to tell the person. */
  readonly prepare: (prompt: WaitingPrompt) => Promise<ReadyPrompt>;
  /** It stands in the transcript from now on, as one that is not read yet. */
  readonly said: (prompt: WaitingPrompt, wireId: string, ready: ReadyPrompt) => void;
  /** It waits in the queue again. */
  readonly requeue: (prompt: WaitingPrompt) => void;
}

/**
 * Prompts that were sent into a running turn, until the CLI has taken them up. Fact: it folds them in
 * behind the next result of a tool; where only text comes they are a turn of their own after this one.
 */
export class Steering {
  readonly #ports: SteeringPorts;
  /** By their wire ids. */
  readonly #open = new Map<string, WaitingPrompt>();

  constructor(ports: SteeringPorts) {
    this.#ports = ports;
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** What the CLI has and may not have read. */
  get sent(): readonly SentPrompt[] {
    return [...this.#open].map(([wireId, prompt]) => ({ ...asKept(prompt), wireId }));
  }

  /** @param isMeant whether the turn that it is for still goes on. Resolves when it is written, or waits again. */
  async send(agent: CliSession, prompt: WaitingPrompt, isMeant: () => boolean): Promise<void> {
    const wireId = this.#ports.newId();
    this.#open.set(wireId, prompt);
    try {
      const ready = await this.#ports.prepare(prompt);
      // Without the turn it was meant for it would begin one, after the person had pressed Stop.
      if (!isMeant()) {
        this.takeBack(wireId, true);
        return;
      }
      // Said before it is written: the CLI may take it back before the write is confirmed.
      this.#ports.said(prompt, wireId, ready);
      await agent.sendPrompt(wirePrompt(wireId, prompt, ready));
    } catch (error) {
      this.#ports.log.warn(`A prompt could not be sent into the running turn: ${String(error)}`);
      this.takeBack(wireId, false);
    }
  }

  /** The CLI has read it. */
  taken(wireId: string): void {
    const prompt = this.#open.get(wireId);
    if (!prompt) return;
    this.#open.delete(wireId);
    this.#ports.apply({ type: 'promptTaken', id: prompt.id });
  }

  /** The model has not read it: it waits again, rather than to stand there as said. */
  takeBack(wireId: string, held: boolean): boolean {
    const prompt = this.#open.get(wireId);
    if (!prompt) return false;
    this.#open.delete(wireId);
    this.#ports.apply({ type: 'itemRemoved', id: prompt.id });
    this.#ports.requeue({ ...prompt, held });
    return true;
  }

  /** The process has gone with all of them. */
  lost(): boolean {
    return [...this.#open.keys()].map((wireId) => this.takeBack(wireId, false)).includes(true);
  }
}
