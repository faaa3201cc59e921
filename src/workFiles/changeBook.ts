import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { errorMessage } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { ChangeEntry, ChangeProblem, KeptChange } from './changeEntry';
import type { ChangeStore } from './changeStore';
import { followMove, followOrigin, isSameMove, type Move } from './followMove';
import { inTurn, type RevertDone, type TurnPorts } from './inTurn';
import { countLines, mergeTexts } from './mergeTexts';
import { OpenWrites } from './openWrites';
import { pathBelow } from './pathBelow';
import { type Change, type FileHand, refusal, revertChange } from './revertChange';
import { isSameFile, type SeenFile } from './seenFile';

export interface ChangeBookOptions {
  readonly hand: FileHand;
  /** One text for one file, whatever way leads to it. Never rejects. */
  readonly keyOf: (file: string) => Promise<string>;
  readonly store: ChangeStore;
  readonly log: Logger;
}

/** What was undone last, and can be had again. */
export interface Undone {
  readonly id: string;
  /** Of the files, absolute. */
  readonly paths: readonly string[];
  /** Why it was not brought back. */
  readonly problem?: ChangeProblem | undefined;
}

interface UndoStep {
  readonly entry: ChangeEntry;
  /** Takes the Undo back. */
  readonly opposite: KeptChange;
}

interface Undo extends Pick<Undone, 'id' | 'problem'> {
  readonly steps: readonly UndoStep[];
}

/**
 * The files that the agent has changed in one conversation: what each was before, and how the agent
 * left it. Calls say beforehand which files they may write, and afterwards that they have ended; only
 * what is another file then is listed. All that is done here is done one after the other, so that
 * an Undo and a write never meet.
 */
export class ChangeBook {
  readonly #options: ChangeBookOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #open = new OpenWrites();
  /** Of the entries, by their ids. */
  readonly #keys = new Map<string, string>();
  #entries: readonly ChangeEntry[] = [];
  #undo: Undo | undefined;
  /** What the hand moves just now. */
  #moving: Move | undefined;
  #work: Promise<void> = Promise.resolve();
  #isDirty = false;

  constructor(options: ChangeBookOptions) {
    this.#options = options;
  }

  get entries(): readonly ChangeEntry[] {
    return this.#entries;
  }

  get undone(): Undone | undefined {
    if (this.#undo === undefined) return undefined;
    const { steps, ...undo } = this.#undo;
    return { ...undo, paths: steps.map(({ entry }) => entry.path) };
  }

  /** Takes up what `read` gives before anything else is done. Never rejects. */
  restore(read: () => Promise<readonly ChangeEntry[]>): Promise<void> {
    return this.#then(async () => {
      const entries = await read();
      for (const { id, path } of entries) this.#keys.set(id, await this.#options.keyOf(path));
      if (entries.length > 0) this.#set([...entries, ...this.#entries]);
    });
  }

  /**
   * A call may write these files from now on. Said once more, such as after a question to the person,
   * what they have changed meanwhile is theirs. Never rejects.
   */
  willWrite(call: string, files: readonly string[]): Promise<void> {
    return this.#then(async () => {
      for (const file of new Set(files)) {
        const key = await this.#options.keyOf(file);
        // Others that write it too may have done so by now.
        if (this.#open.isOthers(key, call)) await this.#look(key);
        else this.#open.set(key, file, await this.#options.hand.see(file));
        this.#open.join(key, call);
      }
    });
  }

  /** The call has ended, however it did. Never rejects. */
  didWrite(call: string): Promise<void> {
    return this.#then(async () => {
      for (const key of this.#open.keysOf(call)) {
        await this.#look(key);
        this.#open.leave(key, call);
      }
    });
  }

  /** No call is running any more. Never rejects. */
  settle(): Promise<void> {
    return this.#then(async () => {
      for (const key of this.#open.keys) await this.#look(key);
      this.#open.clear();
    });
  }

  /** Something was moved, by a call that may write it or by the person. Never rejects. */
  moved(from: string, to: string): Promise<void> {
    const move = { from, to };
    // The editor tells of what the hand does as of any other; that is followed as it is done.
    if (isSameMove(this.#moving, move)) return this.#work;
    return this.#then(async () => {
      this.#undo = this.#undo && { ...this.#undo, steps: movedSteps(this.#undo.steps, move) };
      await this.#follow(move);
    });
  }

  /** What there is now is what counts from here on. Never rejects. */
  keep(ids: readonly string[]): Promise<void> {
    return this.#then(() => {
      this.#set(this.#entries.filter(({ id }) => !ids.includes(id)));
    });
  }

  /** What cannot be undone stays, with its problem. Never rejects. */
  undo(ids: readonly string[]): Promise<void> {
    return this.#then(async () => {
      const undo = randomUUID();
      const wanted = inUndoOrder(this.#entries.filter(({ id }) => ids.includes(id)));
      const find = (id: string): ChangeEntry | undefined =>
        this.#entries.find((entry) => entry.id === id);
      const onDone = (entry: ChangeEntry, opposite?: KeptChange): void => {
        const before = this.#undo?.id === undo ? this.#undo.steps : [];
        if (opposite) this.#undo = { id: undo, steps: [...before, { entry, opposite }] };
      };
      const failed = await this.#inTurn(wanted, { find, onDone });
      this.#set(
        this.#entries.flatMap((entry) => {
          const problem = failed.get(entry.id);
          if (problem) return [{ ...entry, problem }];
          return wanted.some(({ id }) => id === entry.id) ? [] : [entry];
        }),
      );
    });
  }

  /** Brings back what was undone last. What cannot be stays to be had. Never rejects. */
  redo(id: string): Promise<void> {
    return this.#then(async () => {
      if (this.#undo?.id !== id) return;
      const steps = (): readonly UndoStep[] => this.#undo?.steps ?? [];
      const wanted = [...steps()].reverse().map(({ entry }) => entry);
      const find = (one: string): KeptChange | undefined =>
        steps().find(({ entry }) => entry.id === one)?.opposite;
      const onDone = async ({ id: one }: ChangeEntry, opposite?: KeptChange): Promise<void> => {
        this.#undo = { id, steps: steps().filter(({ entry }) => entry.id !== one) };
        if (opposite) await this.#listAgain(one, opposite);
      };
      const failed = await this.#inTurn(wanted, { find, onDone });
      const problem = [...failed.values()].at(-1);
      this.#undo = problem && { id, steps: steps(), problem };
      this.#set(this.#entries);
    });
  }

  /** What was undone is not offered any more. Never rejects. */
  forgetUndone(): Promise<void> {
    return this.#then(() => {
      if (this.#undo === undefined) return;
      this.#undo = undefined;
      this.#set(this.#entries);
    });
  }

  /** Undefined for what is not listed. */
  async change(id: string): Promise<Change | undefined> {
    const entry = this.#entries.find((one) => one.id === id);
    return entry && this.#load(entry);
  }

  #inTurn<T extends { readonly id: string }>(
    wanted: readonly T[],
    ports: Pick<TurnPorts<T>, 'find' | 'onDone'>,
  ): Promise<ReadonlyMap<string, ChangeProblem>> {
    return inTurn(wanted, {
      ...ports,
      revert: (change, isMixed) => this.#revert(change, isMixed),
      refusal: async (change) => refusal(await this.#load(change), this.#options.hand),
      move: (from, to) => this.#move(from, to),
    });
  }

  /**
   * By the hand, and follows it. What was undone before is had again behind it, in the other order: then
   * all is where it was.
   */
  async #move(from: string, to: string): Promise<void> {
    const move = { from, to };
    this.#moving = move;
    try {
      await this.#options.hand.move(from, to);
    } finally {
      this.#moving = undefined;
    }
    await this.#follow(move);
  }

  /** By the hand. Where it was moved to there is nothing to go back, and what comes to its place is another. */
  async #clear(folder: string): Promise<boolean> {
    const key = await this.#options.keyOf(folder);
    if (!(await this.#options.hand.clear(folder))) return false;
    const isIt = (id: string, { base, path }: KeptChange): boolean =>
      base.kind === 'folder' && (this.#keys.get(id) === key || path === folder);
    this.#set(this.#entries.filter((entry) => !isIt(entry.id, entry)));
    const undo = this.#undo;
    const steps = undo?.steps.filter(({ entry, opposite }) => !isIt(entry.id, opposite)) ?? [];
    this.#undo = undo && { ...undo, steps };
    return true;
  }

  async #follow(move: Move): Promise<void> {
    const { keyOf, store } = this.#options;
    const { from, to } = move;
    const [before, after] = [await keyOf(from), await keyOf(to)];
    const open = this.#open.get(before);
    this.#open.move(before, after, to);
    const listed = this.#standing(before);
    this.#set(
      this.#entries.flatMap((one) => {
        const entry = followOrigin(one, move);
        const key = this.#keys.get(entry.id) ?? '';
        const isAt = key === before && one === listed;
        if (!isAt && !key.startsWith(`${before}/`)) return [entry];
        const below = key.slice(before.length);
        this.#keys.set(entry.id, `${after}${below}`);
        // It may be known by another way, over a link: what is below is the same then as well.
        const isBelow = pathBelow(from, entry.path) !== undefined;
        const path = isBelow ? `${to}${entry.path.slice(from.length)}` : join(to, below);
        const isMoved = isAt && open !== undefined && entry.base.kind !== 'none';
        return entryAt(path, isMoved ? { ...entry, from: entry.from ?? entry.path } : entry);
      }),
    );
    if (listed !== undefined || open === undefined || open.before.kind === 'none') return;
    const kept = store.keep(open.before);
    const entry = { id: randomUUID(), path: to, from, base: kept, after: kept };
    this.#add({ ...entry, added: 0, removed: 0 }, after);
  }

  async #revert(change: KeptChange, isMixed = false): Promise<RevertDone> {
    const { keyOf, store, log } = this.#options;
    const [move, clear] = [this.#move.bind(this), this.#clear.bind(this)];
    const hand = { ...this.#options.hand, move, clear };
    const { path, from } = change;
    if (this.#open.isBusy(await keyOf(change.path))) return { problem: { kind: 'busy' } };
    if (isMixed) {
      return { problem: { kind: change.base.kind === 'none' ? 'changedNew' : 'overlap' } };
    }
    try {
      const isSamePlace = from !== undefined && (await keyOf(from)) === (await keyOf(path));
      const done = await revertChange(await this.#load(change), hand, isSamePlace);
      if (!done.ok) return { problem: done.problem };
      const { opposite } = done;
      if (opposite === undefined) return { opposite };
      // Whatever room there is: it is all that can bring it back.
      const [base, after] = [store.keep(opposite.base, true), store.keep(opposite.after, true)];
      return { opposite: { ...pathsOf(opposite), base, after } };
    } catch (error) {
      log.error('A change could not be undone', error);
      return { problem: { kind: 'failed', detail: errorMessage(error) } };
    }
  }

  /** What a file is now, beside what it was when it was looked at last. */
  async #look(key: string): Promise<void> {
    const open = this.#open.get(key);
    if (open === undefined) return;
    const { path, before } = open;
    const now = await this.#options.hand.see(path);
    this.#open.set(key, path, now);
    if (isSameFile(before, now)) return;
    const known = this.#listed(key);
    if (known === undefined) {
      const { store } = this.#options;
      const change = { path, base: store.keep(before), after: store.keep(now) };
      this.#add(await this.#entry(randomUUID(), change), key);
    } else await this.#join(known, before, now);
  }

  /** What was brought back joins what the agent has made of the file since. */
  async #listAgain(id: string, change: KeptChange): Promise<void> {
    const key = await this.#options.keyOf(change.path);
    const known = change.from === undefined ? this.#listed(key) : undefined;
    if (known === undefined) {
      this.#add(await this.#entry(id, change), key);
      return;
    }
    const { base, after } = await this.#load(change);
    await this.#join(known, base, after);
  }

  #listed(key: string): ChangeEntry | undefined {
    return this.#standing(key) ?? this.#entries.find(({ id }) => this.#keys.get(id) === key);
  }

  /** Something may have come to the place of what the agent has deleted. */
  #standing(key: string): ChangeEntry | undefined {
    return this.#entries.find(
      ({ id, after }) => after.kind !== 'none' && this.#keys.get(id) === key,
    );
  }

  async #join(known: ChangeEntry, before: SeenFile, now: SeenFile): Promise<void> {
    const next = await this.#changedAgain(known, before, now);
    this.#set(this.#entries.flatMap((one) => (one === known ? (next ?? []) : [one])));
  }

  /** Undefined where the agent itself has taken it all back. */
  async #changedAgain(
    entry: ChangeEntry,
    before: SeenFile,
    now: SeenFile,
  ): Promise<ChangeEntry | undefined> {
    const { store } = this.#options;
    const { base, after } = await this.#load(entry);
    const rebased = isSameFile(after, before) ? base : rebase(base, after, before);
    const isMixed = entry.isMixed === true || rebased === undefined;
    const own = rebased ?? base;
    if (!isMixed && entry.from === undefined && isSameFile(own, now)) return undefined;
    const kept = own === base ? entry.base : store.keep(own);
    const change = { ...pathsOf(entry), base: kept, after: store.keep(now) };
    const next = await this.#entry(entry.id, change);
    return isMixed ? { ...next, isMixed } : next;
  }

  async #entry(id: string, change: KeptChange): Promise<ChangeEntry> {
    const { base, after } = await this.#load(change);
    const isText = [base, after].every(({ kind }) => kind === 'text' || kind === 'none');
    const counts = isText ? countLines(textOf(base), textOf(after)) : { added: 0, removed: 0 };
    return { id, ...change, ...counts };
  }

  async #load({ base, after, ...paths }: KeptChange): Promise<Change> {
    const { store } = this.#options;
    return { ...pathsOf(paths), base: await store.load(base), after: await store.load(after) };
  }

  #add(entry: ChangeEntry, key: string): void {
    this.#keys.set(entry.id, key);
    this.#set([...this.#entries, entry]);
  }

  #set(entries: readonly ChangeEntry[]): void {
    this.#entries = entries;
    this.#isDirty = true;
  }

  #then(work: () => Promise<void> | void): Promise<void> {
    this.#work = this.#work
      .then(work)
      .catch((error: unknown) => {
        this.#options.log.error('The changed files could not be kept track of', error);
      })
      .then(() => {
        this.#tell();
      });
    return this.#work;
  }

  /** Once for all that one call has changed. */
  #tell(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const ids = new Set(this.#entries.map(({ id }) => id));
    for (const id of this.#keys.keys()) if (!ids.has(id)) this.#keys.delete(id);
    const steps = this.#undo?.steps ?? [];
    const named = steps.flatMap(({ opposite }) => [opposite.base, opposite.after]);
    this.#options.store.save(this.#entries, named);
    this.#changed.fire();
  }
}

function pathsOf({ path, from }: Pick<KeptChange, 'path' | 'from'>): {
  readonly path: string;
  readonly from?: string;
} {
  return { path, ...(from === undefined ? {} : { from }) };
}

/** Whoever has moved it: back where it came from, or made by the agent, it has not been elsewhere. */
function entryAt(path: string, { from, ...entry }: ChangeEntry): readonly ChangeEntry[] {
  if (entry.base.kind === 'none' || from === undefined) return [{ ...entry, path }];
  if (from !== path) return [{ ...entry, path, from }];
  const isWhole = JSON.stringify(entry.base) === JSON.stringify(entry.after);
  return isWhole && entry.isMixed !== true ? [] : [{ ...entry, path }];
}

/** What was undone is had again where it is by now. */
function movedSteps(steps: readonly UndoStep[], move: Move): readonly UndoStep[] {
  return steps.map(({ entry, opposite }) => ({
    entry: followMove(entry, move),
    opposite: followMove(opposite, move),
  }));
}

/** What the file would be without the agent, after the person has changed what it left; undefined where that cannot be told. */
function rebase(base: SeenFile, after: SeenFile, now: SeenFile): SeenFile | undefined {
  if (isSameFile(base, after)) return now;
  if (base.kind !== 'text' || after.kind !== 'text' || now.kind !== 'text') return undefined;
  const merged = mergeTexts(after.text, now.text, base.text);
  return merged.ok ? { kind: 'text', text: merged.text, crlf: base.crlf } : undefined;
}

/** What lies in a folder before the folder. */
function inUndoOrder(entries: readonly ChangeEntry[]): readonly ChangeEntry[] {
  return [
    ...entries.filter(({ base }) => base.kind !== 'folder'),
    ...entries.filter(({ base }) => base.kind === 'folder'),
  ];
}

function textOf(file: SeenFile): string {
  return file.kind === 'text' ? file.text : '';
}
