import * as l10n from '@vscode/l10n';
import { boundedJson, firstLine, oneLine } from './boundedText';
import { diffFromToolResult } from './fileDiff';
import { proposedPlan } from './planPart';
import { toolOutcome, toolSummary, toolTitle } from './toolPresentation';
import { type ReadResult, boundResult } from './toolResult';
import type { BlockRef, TranscriptStore } from './transcriptStore';
import type { TurnItems } from './turnItems';
import {
  RESULT_TEXT_LIMIT,
  type AssistantItem,
  type FileDiff,
  type ToolAction,
  type ToolBlock,
  type ToolState,
} from './viewStateProtocol';
import { displayPath } from './displayPath';
import { editedPath } from './proposedEdit';
import type { ToolTitles } from './toolTitles';

type ToolRef = BlockRef<ToolBlock>;

interface ToolRecord {
  readonly ref: ToolRef;
  /** What the call is about, one line from its input. The input itself may be megabytes. */
  about: string;
  /** The file that it edits, as the call names it. */
  path: string | undefined;
  startedAt: number;
  /** It goes on after its turn: a subagent or command in the background. */
  background: boolean;
  /** The person or a rule said no, before the result says it. */
  refused: boolean;
}

/** How a call ended, as the CLI told it. */
export interface ToolEnd {
  readonly read: ReadResult;
  /** `tool_use_result` of the row. */
  readonly data: unknown;
  readonly isError: boolean;
  readonly state: ToolState;
}

interface ToolTrackerOptions {
  readonly store: TranscriptStore;
  readonly items: TurnItems;
  readonly now: () => number;
  readonly folder: string | undefined;
  readonly titles: ToolTitles;
}

/** The tool calls of the conversation by their `tool_use` id, and what belongs to which subagent. */
export class ToolTracker {
  readonly #options: ToolTrackerOptions;
  readonly #records = new Map<string, ToolRecord>();
  /** Calls that have not ended: few, however long the conversation is. */
  readonly #running = new Set<ToolRecord>();
  /** Blocks of a subagent whose call has not been seen yet. */
  readonly #orphans = new Map<string, BlockRef[]>();
  readonly #starts = new Map<string, number>();
  /** Actions for calls that have not been seen yet: a hook may be quicker than its row. */
  readonly #earlyActions = new Map<string, readonly ToolAction[]>();

  constructor(options: ToolTrackerOptions) {
    this.#options = options;
  }

  /** The item into which output of this thread goes: a subagent's stands where its call stands. */
  itemFor(parent: string | undefined): AssistantItem {
    const owner = parent === undefined ? undefined : this.#records.get(parent)?.ref.item;
    return owner && this.#options.store.hasItem(owner.id) ? owner : this.#options.items.open();
  }

  noteChild(parent: string, ref: BlockRef): void {
    if (this.#records.has(parent)) return;
    const waiting = this.#orphans.get(parent);
    if (waiting) waiting.push(ref);
    else this.#orphans.set(parent, [ref]);
  }

  /** When a block began to stream; for the length of a thought. */
  noteStart(blockId: string, at: number): void {
    this.#starts.set(blockId, at);
  }

  takeStart(blockId: string): number | undefined {
    const at = this.#starts.get(blockId);
    this.#starts.delete(blockId);
    return at;
  }

  /** A call begins to stream in; its input is not known yet. */
  begin(id: string, name: string, parent: string | undefined): ToolRef {
    return (this.#records.get(id) ?? this.#create(id, name, parent)).ref;
  }

  /** The whole input is there. */
  setInput(id: string, name: string, input: unknown, parent: string | undefined): ToolRef {
    const record = this.#records.get(id) ?? this.#create(id, name, parent);
    const { block } = record.ref;
    // A row that comes again must not reopen a call that has ended.
    if (block.state !== 'running' || record.background) return record.ref;
    record.about = toolSummary(name, input, this.#options.folder);
    record.path = editedPath(name, input);
    const plan = proposedPlan(name, input);
    if (plan) block.plan = plan;
    record.startedAt = this.#options.now();
    block.input = boundedJson(input, RESULT_TEXT_LIMIT);
    block.summary = record.about;
    this.#options.store.touchBlock(record.ref);
    return record.ref;
  }

  /** The person allowed it: its time counts from here, not from the question. */
  allowed(id: string): void {
    const record = this.#records.get(id);
    if (record) record.startedAt = this.#options.now();
  }

  /** Somebody said no; the result row follows. */
  refused(id: string, reason: string | undefined): void {
    const record = this.#records.get(id);
    if (!record) return;
    record.refused = true;
    const { block } = record.ref;
    if (block.state !== 'running') return;
    block.state = 'denied';
    if (reason !== undefined && reason !== '') {
      block.result = boundResult({ text: reason, attachments: [] }, true);
    }
    this.#options.store.touchBlock(record.ref);
  }

  /** The CLI's result; undefined state means: as an error or success, by `isError`. */
  end(id: string, end: ToolEnd): void {
    const record = this.#records.get(id);
    if (!record) return;
    const { block } = record.ref;
    const diff = this.#diffOf(record, end);
    block.result = boundResult(end.read, end.isError);
    if (diff) block.diff = diff;
    const plan = end.isError ? undefined : proposedPlan(block.name, end.data);
    if (plan) block.plan = plan;
    block.state = end.isError && record.refused ? 'denied' : end.state;
    this.#describeEnd(record, end, diff);
    this.#close(record);
  }

  /** The call goes on in the background: its row runs until the CLI tells its end. */
  moveToBackground(id: string): void {
    const record = this.#records.get(id);
    if (!record || record.background) return;
    record.background = true;
    record.ref.block.figure = l10n.t('in the background');
    this.#options.store.touchBlock(record.ref);
  }

  /** A subagent, a background command or a tool of ours told what it does now. */
  progress(id: string, text: string): void {
    const record = this.#records.get(id);
    if (record?.ref.block.state !== 'running' || text === '') return;
    const { about } = record;
    record.ref.block.summary = about === '' ? oneLine(text) : oneLine(`${about} · ${text}`);
    this.#options.store.touchBlock(record.ref);
  }

  /** A background task ended. */
  endBackground(id: string, state: ToolState, report: string | undefined): void {
    const record = this.#records.get(id);
    if (record?.background !== true) return;
    const { block } = record.ref;
    block.state = state;
    delete block.figure;
    block.summary = record.about;
    if (report !== undefined && report !== '' && report !== block.summary) {
      block.result = boundResult({ text: report, attachments: [] }, state === 'failed');
    }
    this.#close(record);
  }

  isRunningInBackground(id: string): boolean {
    return this.#records.get(id)?.background === true;
  }

  setActions(id: string, actions: readonly ToolAction[]): void {
    const record = this.#records.get(id);
    if (!record) {
      this.#earlyActions.set(id, actions);
      return;
    }
    if (actions.length > 0) record.ref.block.actions = actions;
    else delete record.ref.block.actions;
    this.#options.store.touchBlock(record.ref);
  }

  /** The main thread's turn is over: calls that got no result will not get one. */
  endTurn(): void {
    this.#cancelWhere(
      ({ ref, background }) => !background && ref.block.parentToolUseId === undefined,
    );
  }

  /** The process is gone. */
  endAll(): void {
    this.#cancelWhere(() => true);
  }

  /** Forgets a call whose stream was cut. False when it has ended: then it stays. */
  forget(id: string): boolean {
    const record = this.#records.get(id);
    if (!record) return true;
    if (record.ref.block.state !== 'running' || record.ref.block.result) return false;
    this.#records.delete(id);
    this.#running.delete(record);
    return true;
  }

  clear(): void {
    this.#records.clear();
    this.#running.clear();
    this.#orphans.clear();
    this.#starts.clear();
    this.#earlyActions.clear();
  }

  #create(id: string, name: string, parent: string | undefined): ToolRecord {
    const { store, titles, now } = this.#options;
    const item = this.itemFor(parent);
    const block: ToolBlock = {
      kind: 'tool',
      id,
      name,
      title: toolTitle(name, titles),
      summary: '',
      state: 'running',
      input: '',
      ...(parent === undefined ? {} : { parentToolUseId: parent }),
    };
    store.addBlock(item, block);
    const ref = { item, block };
    const record = {
      ref,
      about: '',
      path: undefined,
      startedAt: now(),
      background: false,
      refused: false,
    };
    this.#records.set(id, record);
    this.#running.add(record);
    if (parent !== undefined) this.noteChild(parent, ref);
    this.#adopt(id, item);
    const actions = this.#earlyActions.get(id) ?? [];
    if (actions.length > 0) block.actions = actions;
    this.#earlyActions.delete(id);
    return record;
  }

  /** Blocks that came before the call they belong to move to where it stands. */
  #adopt(id: string, item: AssistantItem): void {
    for (const orphan of this.#orphans.get(id) ?? []) {
      if (orphan.item === item || !orphan.item.blocks.includes(orphan.block)) continue;
      this.#options.store.removeBlock(orphan);
      this.#options.store.addBlock(item, orphan.block);
      orphan.item = item;
    }
    this.#orphans.delete(id);
  }

  #diffOf({ path }: ToolRecord, end: ToolEnd): FileDiff | undefined {
    if (path === undefined || end.isError) return undefined;
    return diffFromToolResult(displayPath(path, this.#options.folder), end.data);
  }

  #describeEnd({ ref, about }: ToolRecord, end: ToolEnd, diff: FileDiff | undefined): void {
    const { block } = ref;
    const outcome = { text: end.read.text, data: end.data, isError: end.isError };
    const words = toolOutcome(block.name, { ...outcome, ...(diff ? { diff } : {}) });
    delete block.figure;
    if (block.state === 'done') {
      block.summary = words.summary ?? about;
      if (words.figure !== undefined) block.figure = words.figure;
      return;
    }
    block.summary = about;
    if (block.plan && block.state === 'denied') block.figure = l10n.t('not approved');
    if (block.state !== 'failed') return;
    if (block.name === 'Bash' && words.figure !== undefined) block.figure = words.figure;
    else block.summary = oneLine([about, firstLine(end.read.text)].filter(Boolean).join(': '));
  }

  #cancelWhere(matches: (record: ToolRecord) => boolean): void {
    for (const record of [...this.#running]) {
      if (!matches(record)) continue;
      if (record.ref.block.state === 'running') record.ref.block.state = 'cancelled';
      this.#close(record);
    }
  }

  #close(record: ToolRecord): void {
    const { block } = record.ref;
    block.durationMs = Math.max(0, this.#options.now() - record.startedAt);
    this.#running.delete(record);
    record.background = false;
    this.#options.store.touchBlock(record.ref);
    this.#cancelWhere(
      ({ ref, background }) => !background && ref.block.parentToolUseId === block.id,
    );
  }
}
