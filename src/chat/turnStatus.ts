import type { TranscriptStore } from './transcriptStore';
import type { RetryWait, TurnStatusKind } from './viewStateProtocol';

/** What the turn does when nobody is asked and nobody pressed Stop. */
type Phase =
  'idle' | 'starting' | 'waitingForModel' | 'working' | 'retrying' | 'failed' | 'notConnected';

/** Tools whose card is a question to the person and not about leave to do something. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** States that end when somebody else does something; how long that takes is shown. */
const WAITS: ReadonlySet<TurnStatusKind> = new Set(['starting', 'waitingForModel', 'stopping']);

/**
 * The state of the turn. Three things that change on their own lie over each other: Stop over open
 * cards over the phase; the topmost is shown.
 */
export class TurnStatusTracker {
  readonly #store: TranscriptStore;
  readonly #now: () => number;
  #phase: Phase = 'idle';
  #retry: RetryWait | undefined;
  #stopping = false;

  constructor(store: TranscriptStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** A turn runs: a prompt was written, or the CLI began one by itself. */
  get isActive(): boolean {
    return (
      this.#phase === 'waitingForModel' || this.#phase === 'working' || this.#phase === 'retrying'
    );
  }

  /** No process is ready: it is being started, or has ended without being asked to. */
  get isUnconnected(): boolean {
    return this.#phase === 'starting' || this.#phase === 'notConnected';
  }

  enter(phase: Exclude<Phase, 'retrying'>): void {
    this.#set(phase, undefined);
  }

  enterRetrying(retry: RetryWait): void {
    this.#set('retrying', retry);
  }

  /** The turn is over: whatever Stop was asked for has happened. */
  endTurn(phase: 'idle' | 'failed' | 'notConnected'): void {
    this.#stopping = false;
    this.#set(phase, undefined);
  }

  /** Stop was pressed and has not happened yet. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  requestStop(): void {
    this.#stopping = this.isActive || this.#asking() !== undefined;
    this.refresh();
  }

  cancelStop(): void {
    this.#stopping = false;
    this.refresh();
  }

  /** Shows what is topmost now; also to be called when the open cards change. */
  refresh(): void {
    const kind = this.#kind();
    const retry = kind === 'retrying' ? this.#retry : undefined;
    const { status } = this.#store.state;
    if (status.kind === kind && status.retry === retry) return;
    this.#store.setFields({
      status: {
        kind,
        ...(retry ? { retry } : {}),
        ...(WAITS.has(kind) ? { since: this.#now() } : {}),
      },
    });
  }

  #kind(): TurnStatusKind {
    if (this.#stopping) return 'stopping';
    return this.#asking() ?? this.#phase;
  }

  /** What somebody waits for the person to do: leave to do something comes first. */
  #asking(): 'waitingForAnswer' | 'waitingForPermission' | undefined {
    const { permissions, asks } = this.#store.state;
    const card = permissions.find(({ interrupted }) => interrupted !== true);
    if (card) return QUESTIONS.has(card.toolName) ? 'waitingForAnswer' : 'waitingForPermission';
    const isAsked = asks.some(({ interrupted }) => interrupted !== true);
    return isAsked ? 'waitingForAnswer' : undefined;
  }

  #set(phase: Phase, retry: RetryWait | undefined): void {
    // The hot path: every streamed delta says `working` again.
    if (phase === this.#phase && phase === 'working') return;
    this.#phase = phase;
    this.#retry = retry;
    this.refresh();
  }
}
