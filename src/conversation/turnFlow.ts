import * as l10n from '@vscode/l10n';
import { createDeferred, type Deferred } from '../base/deferred';
import type { Logger } from '../base/logger';
import type { ChatEvent } from '../chat/chatEvent';
import type { ImageRef } from '../chat/imageProtocol';
import { PromptQueue } from '../chat/promptQueue';
import type { PromptExpansion, WaitingPrompt } from '../chat/promptExpansion';
import type { QueueAction } from '../chat/viewProtocol';
import type { QueuedPrompt } from '../chat/viewStateProtocol';
import type { CliExit } from '../cli/lineTransport';
import type { CliSession } from '../cli/cliSession';
import type { ResultMessage } from '../protocol/conversationMessages';
import type { ConversationMessage } from '../protocol/messages';
import type { PromptBlock } from '../protocol/outboundRequests';
import type { Clock } from './clock';
import type { KeptConversation, SubmitOutcome } from './conversationPorts';
import { failureOf } from './failures';
import { LeadingWords } from './leadingWords';
import { createPatience } from './patience';
import { processFaultError } from './processFaults';
import { whyUnfit } from './promptFit';
import { asKept, keptOf, type ReadyPrompt, shownSelection, wirePrompt } from './promptParts';
import { SentPrompts } from './sentPrompts';
import { Steering } from './steering';

/** How long the CLI may leave a Stop unanswered before its process is ended, in milliseconds. */
export const STOP_PATIENCE_MS = 10_000;

export interface TurnFlowPorts {
  readonly log: Logger;
  /** Measures how long a Stop is left unanswered. */
  readonly clock: Clock;
  readonly apply: (event: ChatEvent) => void;
  /** The running CLI, started when there is none. Rejects with what to tell the person. */
  readonly agent: () => Promise<CliSession>;
  /** The running CLI, or undefined. */
  readonly live: () => CliSession | undefined;
  /** Ends the CLI, also one that is still starting. */
  readonly endAgent: () => Promise<void>;
  /** What the model gets for a text; undefined for the text itself. Rejects with what to tell. */
  readonly expand: (text: string) => Promise<PromptExpansion> | undefined;
  /** As they go over the wire. Rejects with what to tell the person. */
  readonly pictures: (images: readonly ImageRef[]) => Promise<readonly PromptBlock[]>;
  readonly newId: () => string;
  readonly now: () => number;
}

/** The prompt that the CLI works on. */
interface Turn {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly prompt: WaitingPrompt | undefined;
  /** The uuid that went over the wire: a fresh one each time, since a used one is dropped silently. */
  wireId: string | undefined;
  /** The CLI has taken it up. A `result` before that belongs to a turn that nobody asked for. */
  started: boolean;
  readonly ended: Deferred<void>;
  /** Stop was pressed: pressed again it waits for the same end. */
  stopping: Promise<void> | undefined;
}

/**
 * One prompt at the CLI, the rest held here: submit, queue, stop, retry, and what an end of the
 * process means for the prompt that was running.
 */
export class TurnFlow {
  readonly #ports: TurnFlowPorts;
  readonly #queue = new PromptQueue();
  #turn: Turn | undefined;
  readonly #steering: Steering;
  readonly #sent = new SentPrompts();
  readonly #leading = new LeadingWords(
    () => this.#queue.items,
    (id) => this.removeQueued(id),
  );
  /** When the last two turns began. */
  #begun: readonly [number, number];

  constructor(ports: TurnFlowPorts) {
    this.#ports = ports;
    this.#begun = [ports.now(), ports.now()];
    this.#steering = new Steering({
      ...{ log: ports.log, apply: ports.apply, newId: ports.newId },
      prepare: (prompt) => this.#prepare(prompt),
      said: (prompt, wireId, { expansion }) => this.#said(prompt, wireId, expansion, true),
      requeue: (prompt) => {
        this.#requeue(prompt);
        if (prompt.held === true) this.#queue.pause();
      },
    });
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** A turn runs, or something waits to be sent. */
  get isBusy(): boolean {
    return this.isRunning || this.#steering.isBusy || this.#queue.items.length > 0;
  }

  /** When the running turn began, in milliseconds since 1970. */
  get turnStart(): number | undefined {
    return this.#turn?.startedAt;
  }

  /** When the turn before that began, or between turns the last one; at first when this was made. */
  get lastTurnStart(): number {
    return this.#begun[this.#turn ? 0 : 1];
  }

  /** What would be lost with the process. */
  get unfinished(): Pick<KeptConversation, 'queue' | 'sent'> {
    const sent = [...this.#sent.all, ...this.#steering.sent];
    return { queue: this.#queue.items.map(keptOf), sent };
  }

  /** Lets prompts of an earlier process wait again. Nothing starts before the person sends something. */
  restore(prompts: readonly QueuedPrompt[]): void {
    for (const prompt of prompts) {
      if (this.#queue.claim(prompt.id)) this.#queue.hold(asKept(prompt));
    }
    if (!this.#turn) this.#queue.pause();
    this.#queueChanged();
  }

  submit(prompt: WaitingPrompt): SubmitOutcome {
    const reason = whyUnfit(prompt);
    if (reason !== undefined) return { accepted: false, reason };
    if (!this.#queue.claim(prompt.id)) return { accepted: true };
    if (this.#turn && prompt.steers === true) this.#steer(this.#turn, prompt);
    else if (this.#turn) {
      this.#queue.hold(prompt);
      this.#queueChanged();
    } else {
      this.#queue.resume();
      void this.#send(prompt);
    }
    return { accepted: true };
  }

  /** Sends a prompt that failed once more: as itself, or as another one where `again` is given. */
  retry(prompt: QueuedPrompt, again?: QueuedPrompt): void {
    if (this.#turn) return;
    this.#sent.forget(prompt.id);
    if (again) this.submit(again);
    else void this.#send(prompt);
  }

  /** `edit` takes the prompt out of the queue and returns it for the input. */
  queueAction(id: string, action: QueueAction): QueuedPrompt | undefined {
    switch (action) {
      case 'sendNow':
        this.#sendQueuedNow(id);
        return undefined;
      case 'moveUp':
      case 'moveDown':
        if (this.#queue.move(id, action === 'moveUp' ? -1 : 1)) this.#queueChanged();
        return undefined;
      case 'remove':
        this.removeQueued(id);
        return undefined;
      case 'edit':
        return this.removeQueued(id);
    }
  }

  removeQueued(id: string): QueuedPrompt | undefined {
    const taken = this.#queue.take(id);
    if (taken) this.#queueChanged();
    return taken && asKept(taken);
  }

  /** Sends a waiting prompt now: into the running turn where there is one (steering). */
  #sendQueuedNow(id: string): void {
    const waiting = this.#queue.sendNow(id);
    if (!waiting) return;
    const prompt: WaitingPrompt = { ...waiting, held: undefined, leads: undefined };
    this.#queueChanged();
    if (this.#turn) this.#steer(this.#turn, prompt);
    else void this.#send(prompt);
  }

  /** What the agent was not told when it was stopped waits, and goes before the next message. */
  lead(text: string): void {
    if (text === '') return;
    this.#queue.putBack({ id: this.#ports.newId(), text, held: true, leads: true });
    this.#queueChanged();
  }

  /** Has a message submitted with what goes before it. */
  withLead: LeadingWords['send'] = (text, submit) => this.#leading.send(text, submit);

  /** The person stopped by a card: what waits stays, and nothing starts by itself. */
  holdQueue(): void {
    this.#queue.pause();
  }

  async stop(): Promise<void> {
    const turn = this.#turn;
    if (!turn) return;
    this.#queue.pause();
    const live = this.#ports.live();
    if (live && isAtCli(turn)) {
      this.#ports.apply({ type: 'stopRequested' });
      await (turn.stopping ??= this.#interrupt(live, turn));
      return;
    }
    // Nothing was written yet, so there is nothing to interrupt.
    this.#unsend(turn);
    if (!live) await this.#ports.endAgent();
  }

  /** Called for each message of the CLI, after the model has seen it. */
  receive(message: ConversationMessage): void {
    if (message.type === 'system' && message.subtype === 'init') this.#turnBegan(message);
    else if (message.type === 'command_lifecycle') {
      this.#follow(message);
    } else if (message.type === 'result' && this.#isResultOfTurn(message)) {
      // What waits would meet the same fault, one after the other.
      if (isFailure(message)) this.#queue.pause();
      this.#turnEnded();
    } else if (message.type === 'result' && this.#turn?.wireId !== undefined) {
      // Another turn has ended; ours waits for the model.
      this.#ports.apply({ type: 'turnStarting' });
    }
  }

  #follow({ command_uuid: id, state }: { command_uuid: string; state: string }): void {
    if (state === 'cancelled') this.#steering.takeBack(id, true);
    if (state === 'started' || state === 'completed') this.#steering.taken(id);
    if (id !== this.#turn?.wireId) return;
    if (state === 'started') this.#turn.started = true;
    if (state === 'cancelled' && !this.#turn.started) this.#unsend(this.#turn);
    else if (state === 'completed' || state === 'cancelled') this.#turnSettled(state);
  }

  /**
   * Called when the process has ended, for whatever reason. Whoever ended it has ended its turn; the
   * one that runs by now belongs to the next process.
   */
  exited(exit: CliExit, expected: boolean): void {
    if (this.#steering.lost()) this.#queue.pause();
    if (expected) return;
    const wasRunning = this.#turn !== undefined;
    const hadPrompt = this.#turn?.prompt !== undefined;
    this.#failTurn();
    this.#queue.pause();
    const failure = { exit, startupReason: undefined, timedOut: false };
    const error = processFaultError(failure, hadPrompt);
    if (wasRunning) this.#ports.apply({ type: 'cliExited', error });
    else {
      this.#ports.apply({ type: 'cliExited' });
      if (exit.code !== 0 && exit.code !== 1) {
        const text = l10n.t('The agent has ended. The next message starts it again.');
        this.#ports.apply({ type: 'notice', text, tone: 'warning' });
      }
    }
  }

  async #send(prompt: WaitingPrompt): Promise<void> {
    const turn = this.#beginTurn(prompt);
    // Known before it is used, so that after a kill the disk can tell whether it was taken up.
    const wireId = this.#ports.newId();
    this.#sent.begin(prompt, wireId);
    this.#said(prompt, wireId, prompt.expansion);
    try {
      const agent = await this.#ports.agent();
      // Stopped while the CLI was starting: nothing was sent, and the prompt waits in the queue.
      if (this.#turn !== turn) return;
      const ready = await this.#prepare(prompt);
      if (this.#turn !== turn) return;
      if (ready.expansion !== prompt.expansion) this.#said(prompt, wireId, ready.expansion);
      turn.wireId = wireId;
      this.#ports.apply({ type: 'turnStarting' });
      await agent.sendPrompt(wirePrompt(wireId, prompt, ready));
    } catch (error) {
      // When the process ended meanwhile, its exit has told the person already.
      if (this.#turn !== turn) return;
      this.#failTurn();
      this.#queue.pause();
      this.#ports.log.error('The prompt could not be sent', error);
      this.#ports.apply({ type: 'failed', error: failureOf(error), endsTurn: true });
    }
  }

  /** Where the CLI does not have the turn's own prompt yet it must not come before that: it is the next one. */
  #steer(turn: Turn, prompt: WaitingPrompt): void {
    const live = this.#ports.live();
    if (live === undefined || !isAtCli(turn)) {
      this.#requeue(prompt);
      return;
    }
    void this.#steering.send(live, prompt, () => this.#turn === turn && !turn.stopping);
  }

  async #prepare(prompt: WaitingPrompt): Promise<ReadyPrompt> {
    const { text, images = [] } = prompt;
    const expansion = prompt.expansion ?? (await this.#ports.expand(text));
    const pictures = images.length === 0 ? [] : await this.#ports.pictures(images);
    return { expansion, pictures };
  }

  #said(
    prompt: WaitingPrompt,
    wireId: string,
    expanded: PromptExpansion | undefined,
    waits?: boolean,
  ): void {
    const { id, text, images, selection } = prompt;
    const parts = expanded?.parts ?? [];
    const expansion = selection === undefined ? parts : [shownSelection(selection), ...parts];
    this.#ports.apply({ type: 'promptSubmitted', id, text, wireId, images, expansion, waits });
  }

  /** The CLI has not begun with the turn's own prompt: it waits again, until the person sends it. */
  #unsend(turn: Turn): void {
    this.#sent.end();
    this.#endTurn();
    const { prompt } = turn;
    if (prompt) {
      this.#ports.apply({ type: 'itemRemoved', id: prompt.id });
      this.#requeue({ ...prompt, held: true });
    }
    this.#queue.pause();
    this.#ports.apply({ type: 'turnDropped', stopped: false });
  }

  async #interrupt(live: CliSession, turn: Turn): Promise<void> {
    const patience = createPatience(this.#ports.clock, STOP_PATIENCE_MS);
    try {
      const interrupted = live.interrupt({ cancelQueued: true });
      await Promise.race([Promise.all([interrupted, turn.ended.promise]), patience.promise]);
    } catch (error) {
      if (this.#turn !== turn) return;
      this.#ports.log.warn(`Stop was not answered, the agent is ended: ${String(error)}`);
      if (turn.started) this.#endTurn();
      else this.#unsend(turn);
      // Told at once: a prompt sent while the process ends belongs to the next one.
      this.#ports.apply({ type: 'cliExited' });
      await this.#ports.endAgent();
      const text = l10n.t(
        'The agent did not stop in time, so its process was ended. The conversation is kept; the next message goes on in it.',
      );
      this.#ports.apply({ type: 'notice', text, tone: 'warning' });
    } finally {
      patience.dispose();
    }
  }

  #beginTurn(prompt: WaitingPrompt | undefined): Turn {
    const turn: Turn = {
      startedAt: this.#ports.now(),
      prompt,
      wireId: undefined,
      started: false,
      ended: createDeferred(),
      stopping: undefined,
    };
    this.#turn = turn;
    this.#begun = [this.#begun[1], turn.startedAt];
    return turn;
  }

  /** `init` opens every turn, also one that nobody asked for, such as after a background task. */
  #turnBegan(message: { readonly user_message_uuids?: readonly string[] }): void {
    const turn = this.#turn ?? this.#beginTurn(undefined);
    if (!isAtCli(turn)) return;
    const ids = message.user_message_uuids;
    for (const id of ids ?? []) this.#steering.taken(id);
    if (turn.wireId === undefined || ids === undefined || ids.includes(turn.wireId)) {
      turn.started = true;
    }
  }

  /** While ours waits at the CLI a turn that nobody asked for may end first. */
  #isResultOfTurn({ origin, user_message_uuids: ids }: ResultMessage): boolean {
    const turn = this.#turn;
    if (!turn?.started) return false;
    if (turn.wireId === undefined || origin?.kind !== 'task-notification') return true;
    return ids?.includes(turn.wireId) === true;
  }

  /** The CLI is done with our prompt, and no `result` has told so: it was taken back or dropped. */
  #turnSettled(state: 'completed' | 'cancelled'): void {
    const stopped = state === 'cancelled';
    if (stopped || this.#turn?.started !== true) {
      this.#ports.apply({ type: 'turnDropped', stopped });
    }
    this.#turnEnded();
  }

  #turnEnded(): void {
    this.#sent.end();
    this.#endTurn();
    const next = this.#queue.next();
    if (!next) return;
    this.#queueChanged();
    void this.#send(next);
  }

  #failTurn(): void {
    if (this.#turn?.prompt && !this.#turn.started) this.#sent.fail();
    this.#endTurn();
  }

  #endTurn(): void {
    this.#turn?.ended.resolve();
    this.#turn = undefined;
  }

  #requeue(prompt: WaitingPrompt): void {
    this.#queue.putBack(prompt);
    this.#queueChanged();
  }

  #queueChanged(): void {
    this.#ports.apply({ type: 'queueChanged', queue: this.#queue.items.map(keptOf) });
  }
}

/** The CLI works on it: one of ours that was written, or one that nobody asked for. */
function isAtCli(turn: Turn): boolean {
  return turn.wireId !== undefined || turn.prompt === undefined;
}

/** An API failure comes as `success` with `is_error`; what Stop leaves is no failure. */
function isFailure(message: ResultMessage): boolean {
  return message.is_error === true && message.terminal_reason?.startsWith('aborted_') !== true;
}
