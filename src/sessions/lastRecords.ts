import { jsonText } from '../base/jsonText';
import { isJsonObject } from '../protocol/lazySchema';
import type { CliMessage } from '../protocol/messages';

/** Keeps what was added last, as long as it is not too much together. */
export class LastRecords<T> {
  readonly #maxBytes: number;
  #kept: { readonly record: T; readonly bytes: number }[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get records(): readonly T[] {
    return this.#kept.map(({ record }) => record);
  }

  /** Of those that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Earlier ones were let go of. */
  get isCut(): boolean {
    return this.#isCut;
  }

  add(record: T, bytes: number): void {
    this.#kept.push({ record, bytes });
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    this.#isCut = true;
    // Half at once, so that it is not done for every record.
    let from = 0;
    for (; this.#bytes > this.#maxBytes / 2 && from < this.#kept.length; from += 1) {
      this.#bytes -= this.#kept[from]?.bytes ?? 0;
    }
    this.#kept = this.#kept.slice(from);
  }
}

/** What a message takes, as on disk. */
export function messageSize(message: CliMessage): number {
  return jsonSize('message' in message ? message.message : message) + resultSize(message);
}

function jsonSize(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    // Nested too deeply for it.
    return jsonText(value).length;
  }
}

function resultSize(message: CliMessage): number {
  if (message.type !== 'user' || !isJsonObject(message.tool_use_result)) return 0;
  return jsonSize(message.tool_use_result);
}
