import type { FrameRow, FrameUpdate } from '../../chat/frameRowProtocol';
import { isJsonObject } from '../../protocol/lazySchema';
import { redactFrame, redactText } from './redactFrame';
import type { SecretsSeen } from './secretsSeen';
import { type FrameSummary, summarizeEntry } from './summarizeFrame';
import type { WireEntry, WireLog } from './wireLog';

/** Open requests that are remembered; with more the oldest will not find its answer. */
const MAX_OPEN = 5_000;

interface OpenRequest {
  readonly n: number;
  readonly t: number;
  readonly summary: FrameSummary;
}

export interface FrameNews {
  readonly rows: readonly FrameRow[];
  /** Of rows that were handed out before. */
  readonly updates: readonly FrameUpdate[];
}

/**
 * What the frames of a log are, and which belong together. A frame is read when somebody wants to
 * see its row, not while it comes.
 */
export class FrameBook {
  readonly #log: WireLog;
  readonly #secrets: SecretsSeen;
  readonly #known: () => readonly string[];
  readonly #open = new Map<string, OpenRequest>();
  #rows: FrameRow[] = [];
  #read = 0;
  /** Number of the last row that somebody has. */
  #handed = 0;
  readonly #updates = new Map<number, FrameUpdate>();
  #cliVersion: string | undefined;

  /** @param known values that no row may show; by default those of `secrets` */
  constructor(
    log: WireLog,
    secrets: SecretsSeen,
    known: () => readonly string[] = () => secrets.values,
  ) {
    this.#log = log;
    this.#secrets = secrets;
    this.#known = known;
  }

  /** As the CLI told it. */
  get cliVersion(): string | undefined {
    return this.#cliVersion;
  }

  /** What is new since the last call of this or of {@link all}. */
  take(): FrameNews {
    this.read();
    const handed = this.#handed;
    const updates = [...this.#updates.values()].filter(({ n }) => n <= handed);
    this.#handOut(this.#read);
    return { rows: this.#rows.filter(({ n }) => n > handed), updates };
  }

  /** The rows of all frames that are kept, up to number `last`; the rest is for {@link take}. */
  all(last = Infinity): readonly FrameRow[] {
    this.read();
    this.#handOut(Math.min(last, this.#read));
    return this.#rows.filter(({ n }) => n <= last);
  }

  /** Reads what came, and hands nothing out. */
  read(): void {
    const first = Math.max(this.#read + 1, this.#log.first);
    this.#rows = this.#rows.filter(({ n }) => n >= this.#log.first);
    for (const entry of this.#log.from(first)) this.#rows.push(this.#row(entry));
    this.#read = this.#log.total;
    for (const { n, ...change } of this.#updates.values()) this.#change(n, change);
  }

  #handOut(last: number): void {
    this.#handed = last;
    this.#updates.clear();
  }

  #change(n: number, change: Partial<FrameRow>): void {
    const at = n - this.#log.first;
    const row = this.#rows[at];
    if (row) this.#rows[at] = { ...row, ...change };
  }

  #row(entry: WireEntry): FrameRow {
    const frame = entry.what === 'line' ? parsed(entry.text) : undefined;
    this.#learn(entry, frame);
    const summary = this.#summary(entry, frame);
    if (entry.what === 'ended') this.#endAll();
    const { kind, label } = summary;
    const { n, t, dir, bytes } = entry;
    const pair = this.#paired(entry, summary);
    return { n, t, dir, kind, label, bytes, ...defined(summary), ...pair };
  }

  /** Names too are cut: a secret must be taken out before. */
  #summary(entry: WireEntry, frame: unknown): FrameSummary {
    const { text } = entry;
    const known = this.#known().filter((value) => text.includes(value) || isEscaped(text, value));
    if (known.length === 0) return summarizeEntry(entry, frame);
    const options = { secrets: true, contents: false, known };
    return isJsonObject(frame)
      ? summarizeEntry(entry, redactFrame(frame, options).frame)
      : summarizeEntry({ ...entry, text: redactText(text, options) }, frame);
  }

  #paired({ n, t }: WireEntry, summary: FrameSummary): Partial<FrameRow> {
    const { key, role } = summary;
    if (key === undefined || role === undefined) return {};
    if (role === 'request') {
      this.#remember(key, { n, t, summary });
      return { state: 'waiting' };
    }
    const open = this.#open.get(key);
    if (!open) return {};
    if (role === 'cancel') {
      this.#updates.set(open.n, { n: open.n, state: 'takenBack', partner: n });
      return { ...aboutOf(open, summary), partner: open.n };
    }
    this.#open.delete(key);
    const ms = Math.max(0, t - open.t);
    this.#updates.set(open.n, { n: open.n, state: 'answered', ms, partner: n });
    return { ...aboutOf(open, summary), ms, partner: open.n };
  }

  #remember(key: string, request: OpenRequest): void {
    this.#open.delete(key);
    this.#open.set(key, request);
    if (this.#open.size <= MAX_OPEN) return;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#open.delete(oldest);
  }

  #endAll(): void {
    for (const { n } of this.#open.values()) this.#updates.set(n, { n, state: 'ended' });
    this.#open.clear();
  }

  /** What must be known of a frame also when it is kept no longer. */
  #learn(entry: WireEntry, frame: unknown): void {
    if (!isJsonObject(frame)) return;
    if (frame.type === 'control_request' || frame.type === 'control_response') {
      this.#secrets.learn(frame);
    }
    if (entry.dir !== 'in') return;
    const response = isJsonObject(frame.response) ? frame.response.response : undefined;
    for (const place of [frame, response]) {
      if (!isJsonObject(place)) continue;
      const { claude_code_version: version } = place;
      if (typeof version === 'string') this.#cliVersion = version.slice(0, 40);
    }
  }
}

/** Whether the value stands in JSON text, where it has what is written otherwise there. */
function isEscaped(text: string, value: string): boolean {
  return /["\\\p{Cc}]/u.test(value) && text.includes(JSON.stringify(value).slice(1, -1));
}

/** An answer is called what it answers. */
function aboutOf({ summary }: OpenRequest, answer: FrameSummary): Partial<FrameRow> {
  const detail = [summary.detail, answer.detail].filter((part) => part !== undefined).join(' · ');
  return { kind: summary.kind, label: summary.label, ...(detail === '' ? {} : { detail }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function defined({ detail, id, role, isError }: FrameSummary): Partial<FrameRow> {
  return {
    ...(detail === undefined ? {} : { detail }),
    ...(id === undefined ? {} : { id }),
    ...(role === undefined ? {} : { role }),
    ...(isError === true ? { isError } : {}),
  };
}
