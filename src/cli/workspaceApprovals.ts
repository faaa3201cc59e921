import { createHash } from 'node:crypto';
import { Emitter, type Event } from '../base/event';
import { isJsonObject } from '../protocol/lazySchema';

/** What the person is asked: a server that the workspace brings wants to be started. */
export interface ApprovalQuestion {
  readonly name: string;
  /** The folder that holds the `.mcp.json`. */
  readonly folder: string;
  /** The entry as the file has it. */
  readonly value: unknown;
  /** The person has answered before, for another content. */
  readonly changed: boolean;
  /** Aborted when the question is settled elsewhere, or its entry is another or gone. */
  readonly signal: AbortSignal;
}

/** `undefined`: not answered; it is asked again in the next window. */
export type ApprovalAnswer = 'start' | 'refuse' | undefined;

export interface ApprovalPorts {
  /** Where answers are kept; never in the workspace itself. */
  readonly memory: { get(): unknown; set(value: Readonly<Record<string, StoredAnswer>>): void };
  readonly ask: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  readonly onError: (error: unknown) => void;
}

interface StoredAnswer {
  /** Of the content that was answered for. */
  readonly hash: string;
  readonly start: boolean;
}

/**
 * One approval for each server that a workspace's `.mcp.json` brings, for its content as it was
 * shown. After any change of the entry it is asked again, and until then the server is not started.
 */
export class WorkspaceApprovals {
  readonly #ports: ApprovalPorts;
  readonly #changed = new Emitter<void>();
  /** Asked in this window, by question and content: none is put twice, an unanswered one neither. */
  readonly #asked = new Set<string>();
  /** Those that wait for their answer, by server. */
  readonly #open = new Map<string, AbortController>();

  /** Fires after an answer. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: ApprovalPorts) {
    this.#ports = ports;
  }

  isApproved(folder: string, name: string, value: unknown): boolean {
    const known = this.#answers()[keyOf(folder, name)];
    return known?.start === true && known.hash === contentHash(value);
  }

  /** Asks about a server, unless it was answered for this content or is asked already. */
  request(folder: string, name: string, value: unknown): void {
    const key = keyOf(folder, name);
    const hash = contentHash(value);
    const known = this.#answers()[key];
    if (this.#asked.has(`${key} ${hash}`)) return;
    this.#settle(key);
    // One that comes back to what it was is asked about again.
    this.#forgetAsked(key);
    if (known?.hash === hash) return;
    this.#asked.add(`${key} ${hash}`);
    const open = new AbortController();
    this.#open.set(key, open);
    const { signal } = open;
    this.#ports
      .ask({ name, folder, value, changed: known !== undefined, signal })
      .then((answer) => {
        if (answer !== undefined && !signal.aborted) this.answer(folder, name, value, answer);
      })
      .catch(this.#ports.onError);
  }

  /** Takes back the questions about all other servers of the folder: they are gone, or answered for. */
  keepOnly(folder: string, names: readonly string[]): void {
    const kept = new Set(names.map((name) => keyOf(folder, name)));
    for (const key of [...this.#open.keys()]) {
      if (kept.has(key) || !isOf(key, folder)) continue;
      this.#settle(key);
      this.#forgetAsked(key);
    }
  }

  /** Keeps an answer, also one that was given elsewhere than in the question. */
  answer(folder: string, name: string, value: unknown, answer: 'start' | 'refuse'): void {
    const answers = { ...this.#answers() };
    const key = keyOf(folder, name);
    answers[key] = { hash: contentHash(value), start: answer === 'start' };
    this.#settle(key);
    this.#ports.memory.set(answers);
    this.#changed.fire();
  }

  /** Forgets the answers for a server: it is not started, and asked about anew. */
  forget(folder: string, name: string): void {
    const key = keyOf(folder, name);
    this.#ports.memory.set(
      Object.fromEntries(Object.entries(this.#answers()).filter(([known]) => known !== key)),
    );
    this.#forgetAsked(key);
    this.#changed.fire();
  }

  #settle(key: string): void {
    this.#open.get(key)?.abort();
    this.#open.delete(key);
  }

  #forgetAsked(key: string): void {
    for (const asked of [...this.#asked]) {
      if (asked.startsWith(`${key} `)) this.#asked.delete(asked);
    }
  }

  #answers(): Record<string, StoredAnswer> {
    const stored = this.#ports.memory.get();
    if (!isJsonObject(stored)) return {};
    return Object.fromEntries(
      Object.entries(stored).flatMap(([key, value]) =>
        isJsonObject(value) && typeof value.hash === 'string' && typeof value.start === 'boolean'
          ? [[key, { hash: value.hash, start: value.start }] as const]
          : [],
      ),
    );
  }
}

function keyOf(folder: string, name: string): string {
  return JSON.stringify([folder, name]);
}

function isOf(key: string, folder: string): boolean {
  return key.startsWith(`${JSON.stringify([folder]).slice(0, -1)},`);
}

/** The same for the same content, however its keys are ordered and its text is laid out. */
export function contentHash(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  // An entry that is gone has a hash as well.
  if (value === undefined) return 'undefined';
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}
