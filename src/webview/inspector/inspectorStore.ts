import { batch, computed, signal } from '@preact/signals';
import { assertNever } from '../../base/assertNever';
import { FRAME_KINDS, type FrameKind, type FrameRow } from '../../chat/frameRowProtocol';
import type {
  FrameDetail,
  InspectorCounts,
  InspectorHostMessage,
  InspectorMessage,
  Redaction,
} from '../../chat/inspectorProtocol';
import { filterRows } from './filterRows';

const NOTHING: InspectorCounts = { first: 1, dropped: 0, missed: 0 };

/** What the page shows: the frames, and what the person has chosen. */
export class InspectorStore {
  readonly #post: (message: InspectorMessage) => void;
  readonly rows = signal<readonly FrameRow[]>([]);
  readonly counts = signal(NOTHING);
  readonly conversation = signal('');
  readonly isStarted = signal(false);
  readonly isPaused = signal(false);
  readonly redaction = signal<Redaction>({ secrets: true, contents: true });
  readonly text = signal('');
  readonly kinds = signal<ReadonlySet<FrameKind>>(new Set(FRAME_KINDS));
  readonly selected = signal<number | undefined>(undefined);
  readonly detail = signal<FrameDetail | undefined>(undefined);
  /** Grows when the list must take the focus. */
  readonly focusRequests = signal(0);

  readonly shown = computed(() =>
    filterRows(this.rows.value, { text: this.text.value, kinds: this.kinds.value }),
  );
  readonly selectedRow = computed(() => this.#row(this.selected.value));

  constructor(post: (message: InspectorMessage) => void) {
    this.#post = post;
  }

  receive(message: InspectorHostMessage): void {
    batch(() => {
      switch (message.type) {
        case 'start':
          this.#start(message);
          return;
        case 'frames':
          this.#add(message);
          return;
        case 'counts':
          this.counts.value = message.counts;
          this.isPaused.value = message.isPaused;
          this.#dropBefore(message.counts.first);
          return;
        case 'named':
          this.conversation.value = message.conversation;
          return;
        case 'detail':
          // One that was asked for before the person went on is late.
          if (message.detail.n === this.selected.value) this.detail.value = message.detail;
          return;
        default:
          assertNever(message, 'message of the host');
      }
    });
  }

  select(n: number): void {
    this.selected.value = n;
    this.#post({ type: 'detail', n });
  }

  /** Selects a frame wherever it is: a filter that hides it is taken away. */
  reveal(n: number): void {
    const row = this.#row(n);
    batch(() => {
      if (row && !this.shown.value.includes(row)) this.showAll();
      this.select(n);
      this.focusRequests.value += 1;
    });
  }

  closeDetail(): void {
    batch(() => {
      this.selected.value = undefined;
      this.detail.value = undefined;
      this.focusRequests.value += 1;
    });
  }

  showAll(): void {
    batch(() => {
      this.text.value = '';
      this.kinds.value = new Set(FRAME_KINDS);
    });
  }

  toggleKind(kind: FrameKind): void {
    const next = new Set(this.kinds.value);
    if (!next.delete(kind)) next.add(kind);
    this.kinds.value = next;
  }

  redact(change: Partial<Redaction>): void {
    this.redaction.value = { ...this.redaction.value, ...change };
    this.#post({ type: 'redact', ...this.redaction.value });
    const { value: n } = this.selected;
    if (n !== undefined) this.#post({ type: 'detail', n });
  }

  #start(message: Extract<InspectorHostMessage, { type: 'start' }>): void {
    this.rows.value = message.rows;
    this.counts.value = message.counts;
    this.conversation.value = message.conversation;
    this.isPaused.value = message.isPaused;
    this.redaction.value = message.redaction;
    this.isStarted.value = true;
    this.selected.value = undefined;
    this.detail.value = undefined;
  }

  #add({ rows, updates, counts }: Extract<InspectorHostMessage, { type: 'frames' }>): void {
    const changes = new Map(updates.map((update) => [update.n, update]));
    const known =
      changes.size === 0
        ? this.rows.value
        : this.rows.value.map((row) => {
            const change = changes.get(row.n);
            return change ? { ...row, ...change } : row;
          });
    this.rows.value = [...known, ...rows];
    this.counts.value = counts;
    this.#dropBefore(counts.first);
  }

  /** What the host keeps no longer cannot be looked at either. */
  #dropBefore(first: number): void {
    const oldest = this.rows.value[0];
    if (oldest === undefined || oldest.n >= first) return;
    this.rows.value = this.rows.value.filter(({ n }) => n >= first);
  }

  #row(n: number | undefined): FrameRow | undefined {
    const { value: rows } = this.rows;
    const first = rows[0]?.n;
    if (n === undefined || first === undefined) return undefined;
    // They are numbered one after the other.
    return rows[n - first];
  }
}
