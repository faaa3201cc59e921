import * as l10n from '@vscode/l10n';
import { boundedJson, oneLine } from './boundedText';
import type { ImageShelf } from './imageShelf';
import { proposedPlan } from './planPart';
import { TodoBook, type TodoStep } from './todoBook';
import { describeEnd, foundLinks, shownDiff, shownResult, type ToolEnd } from './toolEnding';
import { toolSummary, toolTitle } from './toolPresentation';
import { boundResult } from './toolResult';
import { endedSubject, toolSubject } from './toolSubject';
import type { BlockRef, TranscriptStore } from './transcriptStore';
import type { TurnItems } from './turnItems';
import {
  RESULT_TEXT_LIMIT,
  type AssistantItem,
  type ToolAction,
  type ToolBlock,
  type ToolState,
} from './viewStateProtocol';
import { editedPath } from './proposedEdit';
import type { ToolTitles } from './toolTitles';

type ToolRef = BlockRef<ToolBlock>;

interface ToolRecord {
  readonly ref: ToolRef;
  /** What the call is about, one line from its input. The input itself may be megabytes. */
  about: string;
  /** The input of a call about a list of to-dos, until it has ended. */
  input: unknown;
  /** The file that it edits, as the call names it. */
  path: string | undefined;
  startedAt: number;
  /** It goes on after its turn: a subagent or command in the background. */
  background: boolean;
  /** The person or a rule said no, before the result says it. */
  refused: boolean;
  /** The person said yes to this very call. */
  allowed: boolean;
}

interface ToolTrackerOptions {
  readonly store: TranscriptStore;
  readonly items: TurnItems;
  readonly now: () => number;
  readonly folder: string | undefined;
  readonly titles: ToolTitles;
  readonly images: ImageShelf;
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
  readonly #todos = new TodoBook();
  /** The row that has an agent's list as it stands now. */
  readonly #latestTodos = new Map<string | undefined, ToolRef>();

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
    const subject = toolSubject(name, input, this.#options.folder);
    if (subject) block.subject = subject;
    this.#noteTodos(record.ref, this.#todos.begun(parent, name, input));
    record.input = this.#todos.needs(name) ? input : undefined;
    this.#start(record);
    block.input = boundedJson(input, RESULT_TEXT_LIMIT);
    if (!block.todos || record.about !== '') block.summary = record.about;
    this.#options.store.touchBlock(record.ref);
    return record.ref;
  }

  /** The person allowed it: its time counts from here, not from the question. */
  allowed(id: string): void {
    const record = this.#records.get(id);
    if (!record) return;
    record.allowed = true;
    this.#start(record);
    this.#options.store.touchBlock(record.ref);
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
    const { images, folder } = this.#options;
    const diff = shownDiff(block.name, record.path, end, folder);
    block.result = shownResult(block.name, end);
    images.put(id, end.read.images ?? []);
    if (diff) block.diff = diff;
    const plan = end.isError ? undefined : proposedPlan(block.name, end.data);
    if (plan) block.plan = plan;
    const links = foundLinks(block.name, end.data);
    if (links) block.links = links;
    const subject = endedSubject(block.name, block.subject, end.data);
    if (subject) block.subject = subject;
    block.state = end.isError && record.refused ? 'denied' : end.state;
    const unasked = end.isError ? undefined : end.unasked?.(block.name, record.allowed);
    if (unasked !== undefined) block.unasked = unasked;
    describeEnd(block, record.about, end);
    if (!end.isError) {
      const agent = block.parentToolUseId;
      this.#noteTodos(record.ref, this.#todos.ended(agent, block.name, record.input, end.data));
    }
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
    this.#todos.clear();
    this.#latestTodos.clear();
    this.#options.images.clear();
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
      input: undefined,
      path: undefined,
      startedAt: now(),
      background: false,
      refused: false,
      allowed: false,
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

  #start(record: ToolRecord): void {
    record.startedAt = this.#options.now();
    record.ref.block.startedAt = record.startedAt;
  }

  /** The list stands open at its latest row; those before it fold. */
  #noteTodos(ref: ToolRef, step: TodoStep | undefined): void {
    if (!step) return;
    const agent = ref.block.parentToolUseId;
    const before = this.#latestTodos.get(agent);
    if (before && before.block !== ref.block && before.block.todos) {
      before.block.todos = { ...before.block.todos, isLatest: false };
      this.#options.store.touchBlock(before);
    }
    this.#latestTodos.set(agent, ref);
    ref.block.todos = { ...step.part, isLatest: true };
    ref.block.figure = step.figure;
    if (step.summary !== '') ref.block.summary = step.summary;
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
    delete block.startedAt;
    record.input = undefined;
    this.#running.delete(record);
    record.background = false;
    this.#options.store.touchBlock(record.ref);
    this.#cancelWhere(
      ({ ref, background }) => !background && ref.block.parentToolUseId === block.id,
    );
  }
}
