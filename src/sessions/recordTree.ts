import { isJsonObject } from '../protocol/lazySchema';
import type { JsonRecord } from './jsonLines';

/** What of a record decides whether it belongs to the conversation. A few hundred bytes each. */
export interface TreeRecord {
  readonly line: number;
  readonly uuid: string;
  readonly parent: string | undefined;
  /** Written by a subagent (older CLIs kept those in the same file). */
  readonly isSidechain: boolean;
  /** `message.id` of an assistant row: one model message is several rows. */
  readonly messageId: string | undefined;
  /** Calls whose results a user row brings. */
  readonly resultsOf: readonly string[];
  /** The assistant row that made those calls. */
  readonly source: string | undefined;
  /** The uuid under which the prompt was sent, where the record has another one of its own. */
  readonly sentAs: string | undefined;
}

/**
 * Reads one record as part of the tree. Undefined for what is not in it.
 * Fact: `user`, `assistant`, `attachment` and `system` records form one tree, and the chain runs
 * through all of them; after a compaction it goes on at `logicalParentUuid`.
 */
export function treeRecord(record: JsonRecord, line: number): TreeRecord | undefined {
  const { uuid } = record;
  if (typeof uuid !== 'string' || uuid === '') return undefined;
  const message = isJsonObject(record.message) ? record.message : {};
  return {
    line,
    uuid,
    parent: text(record.parentUuid) ?? text(record.logicalParentUuid),
    isSidechain: record.isSidechain === true,
    messageId: record.type === 'assistant' ? text(message.id) : undefined,
    resultsOf: record.type === 'user' ? resultIds(message.content) : [],
    source: text(record.sourceToolAssistantUUID),
    // A prompt that was sent into a running turn is kept as an attachment.
    sentAs: isJsonObject(record.attachment) ? text(record.attachment.source_uuid) : undefined,
  };
}

/** All tree records of a file, in its order. */
export class RecordTree {
  readonly #records: TreeRecord[] = [];
  readonly #byId = new Map<string, number>();

  /** A record whose id was there before is a copy of it. */
  add(record: TreeRecord): void {
    if (record.isSidechain || this.#byId.has(record.uuid)) return;
    this.#byId.set(record.uuid, this.#records.length);
    this.#records.push(record);
  }

  /**
   * The conversation that ends in the last leaf: its records in the order of the file.
   * @param leaf the last `last-prompt.leafUuid`, if it stands behind all tree records: it decides
   *   where two processes wrote two branches, and may lag behind on its own
   */
  conversation(leaf: string | undefined): readonly TreeRecord[] {
    let chain = this.#chainFrom(this.#records.length - 1);
    const named = leaf === undefined ? undefined : this.#byId.get(leaf);
    if (named !== undefined && !chain.has(named)) chain = this.#chainFrom(named);
    return this.#whole(chain);
  }

  /**
   * What had been said before the first of these prompts that is in the tree, in the order of the
   * file; undefined where none of them is.
   */
  before(promptIds: readonly string[]): readonly TreeRecord[] | undefined {
    for (const id of promptIds) {
      const at = this.#byId.get(id) ?? this.#records.findIndex(({ sentAs }) => sentAs === id);
      const prompt = this.#records[at];
      if (!prompt) continue;
      if (prompt.parent === undefined) return [];
      return this.#whole(this.#chainFrom(this.#byId.get(prompt.parent) ?? at - 1));
    }
    return undefined;
  }

  #whole(chain: Set<number>): readonly TreeRecord[] {
    this.#addParallelCalls(chain);
    return this.#records.filter((_record, index) => chain.has(index));
  }

  #chainFrom(last: number): Set<number> {
    const chain = new Set<number>();
    let index = last;
    while (index >= 0 && !chain.has(index)) {
      chain.add(index);
      const parent = this.#records[index]?.parent;
      if (parent === undefined) break;
      // A parent whose line is broken: the record before it is the best guess there is.
      index = this.#byId.get(parent) ?? index - 1;
    }
    return chain;
  }

  /**
   * Calls of one message that ran side by side: each result hangs on its own call's row, so all but
   * one of them are beside the chain.
   */
  #addParallelCalls(chain: Set<number>): void {
    const inChain = [...chain].flatMap((index) => this.#records[index] ?? []);
    const messages = new Set(inChain.flatMap(({ messageId }) => messageId ?? []));
    const answered = new Set(inChain.flatMap(({ resultsOf }) => resultsOf));
    const rows = new Set(inChain.map(({ uuid }) => uuid));
    this.#records.forEach((record, index) => {
      if (chain.has(index)) return;
      if (record.messageId !== undefined && messages.has(record.messageId)) {
        rows.add(record.uuid);
        chain.add(index);
        return;
      }
      const [call] = record.resultsOf;
      const source = record.source ?? record.parent;
      if (call === undefined || answered.has(call) || !rows.has(source ?? '')) return;
      answered.add(call);
      chain.add(index);
    });
  }
}

function resultIds(content: unknown): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    isJsonObject(block) && block.type === 'tool_result' ? (text(block.tool_use_id) ?? []) : [],
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
