import type { TranscriptStore } from './transcriptStore';
import type { TurnStatus, TurnStatusKind } from './viewStateProtocol';

/** What the turn does when nobody is asked and nobody pressed Stop. */
type Phase =
  'idle' | 'starting' | 'waitingForModel' | 'working' | 'retrying' | 'failed' | 'notConnected';

/** Tools whose card is a question to the person and not about leave to do something. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * The state of the turn. Three things that change on their own lie over each other: Stop over open
 * cards over the phase; the topmost is shown.
 */
export class TurnStatusTracker {
  readonly #store: TranscriptStore;
  #phase: Phase = 'idle';
  #retryAt: number | undefined;
  #stopping = false;

  constructor(store: TranscriptStore) {
    this.#store = store;
  }

  /** A turn runs: a prompt was written, or the CLI began one by itself. */
  get isActive(): boolean {
    return (
      this.#phase === 'waitingForModel' || this.#phase === 'working' || this.#phase === 'retrying'
    );
  }

  enter(phase: Exclude<Phase, 'retrying'>): void {
    this.#set(phase, undefined);
  }

  /** @param retryAt when the next try starts, in milliseconds since the epoch */
  enterRetrying(retryAt: number): void {
    this.#set('retrying', retryAt);
  }

  /** The turn is over: whatever Stop was asked for has happened. */
  endTurn(phase: 'idle' | 'failed' | 'notConnected'): void {
    this.#stopping = false;
    this.#set(phase, undefined);
  }

  requestStop(): void {
    this.#stopping = this.isActive || this.#store.state.permissions.length > 0;
    this.refresh();
  }

  cancelStop(): void {
    this.#stopping = false;
    this.refresh();
  }

  /** Shows what is topmost now; also to be called when the open cards change. */
  refresh(): void {
    const next: TurnStatus =
      this.#phase === 'retrying' && this.#kind() === 'retrying'
        ? { kind: 'retrying', retryAt: this.#retryAt ?? 0 }
        : { kind: this.#kind() };
    const { status } = this.#store.state;
    if (status.kind === next.kind && status.retryAt === next.retryAt) return;
    this.#store.setFields({ status: next });
  }

  #kind(): TurnStatusKind {
    if (this.#stopping) return 'stopping';
    const card = this.#store.state.permissions[0];
    if (card) return QUESTIONS.has(card.toolName) ? 'waitingForAnswer' : 'waitingForPermission';
    return this.#phase;
  }

  #set(phase: Phase, retryAt: number | undefined): void {
    // The hot path: every streamed delta says `working` again.
    if (phase === this.#phase && retryAt === this.#retryAt && phase === 'working') return;
    this.#phase = phase;
    this.#retryAt = retryAt;
    this.refresh();
  }
}
