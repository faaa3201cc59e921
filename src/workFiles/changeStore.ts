import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, ignoreMissing, isMissing } from '../base/errors';
import type { Logger } from '../base/logger';
import type { ChangeEntry, KeptFile } from './changeEntry';
import { parseEntries } from './parseEntries';
import { replaceFile } from './replaceFile';
import type { SeenFile } from './seenFile';

/** Of all contents that one conversation keeps, in bytes. */
export const MAX_KEPT_BYTES = 50 * 1024 * 1024;

const INDEX = 'changes.json';
/** For the person's own account only. */
const PRIVATE = 0o600;

export interface ChangeStoreOptions {
  readonly log: Logger;
  /** Default: {@link MAX_KEPT_BYTES}. */
  readonly maxBytes?: number;
}

/**
 * What was before the changes of one conversation, each content in a file of its own that is named
 * after it. Until {@link settleIn} says where, and where the disk does not take it, it is kept in
 * memory. Read by the person's own account only, since any file of theirs may be in it.
 */
export class ChangeStore {
  readonly #log: Logger;
  readonly #maxBytes: number;
  /** Sizes of what is kept, by id. */
  readonly #sizes = new Map<string, number>();
  /** What is not on the disk yet. */
  readonly #held = new Map<string, Uint8Array>();
  #total = 0;
  #folder: string | undefined;
  #work: Promise<void> = Promise.resolve();
  #index: string | undefined;

  constructor({ log, maxBytes = MAX_KEPT_BYTES }: ChangeStoreOptions) {
    this.#log = log;
    this.#maxBytes = maxBytes;
  }

  get folder(): string | undefined {
    return this.#folder;
  }

  /** @param isForced also where there is too much already */
  keep(file: SeenFile, isForced = false): KeptFile {
    if (file.kind !== 'text' && file.kind !== 'binary') return file;
    const parts =
      file.kind === 'binary'
        ? { bytes: Buffer.from(file.bytes) }
        : { text: Buffer.from(file.text, 'utf8'), bytes: file.bytes };
    const fresh = Object.values(parts).reduce(
      (sum, bytes) => sum + (bytes === undefined || this.#has(bytes) ? 0 : bytes.byteLength),
      0,
    );
    if (!isForced && this.#total + fresh > this.#maxBytes) {
      // Of what is not saved its text tells one from another.
      const told = parts.bytes ?? parts.text ?? Buffer.from('');
      return { kind: 'opaque', why: 'full', stamp: idOf(told) };
    }
    const { bytes } = file;
    const mode = modeField(file);
    if (file.kind === 'binary') return { kind: 'binary', bytes: this.#put(file.bytes), ...mode };
    const text = this.#put(Buffer.from(file.text, 'utf8'));
    const { crlf } = file;
    return { kind: 'text', text, crlf, ...(bytes ? { bytes: this.#put(bytes) } : {}), ...mode };
  }

  /** Never rejects: what is gone counts as unreadable. */
  async load(kept: KeptFile): Promise<SeenFile> {
    if (kept.kind !== 'text' && kept.kind !== 'binary') return kept;
    const lost: SeenFile = { kind: 'opaque', why: 'unreadable', stamp: '' };
    if (kept.kind === 'binary') {
      const bytes = await this.#get(kept.bytes);
      return bytes ? { kind: 'binary', bytes, ...modeField(kept) } : lost;
    }
    const text = await this.#get(kept.text);
    const bytes = kept.bytes === undefined ? undefined : await this.#get(kept.bytes);
    if (text === undefined) return lost;
    const { kind, crlf } = kept;
    const whole = { kind, crlf, text: Buffer.from(text).toString('utf8'), ...modeField(kept) };
    return { ...whole, ...(bytes ? { bytes } : {}) };
  }

  /** Writes down what there is, and lets go of the contents that nothing of it names. */
  save(entries: readonly ChangeEntry[], alsoNamed: readonly KeptFile[] = []): void {
    this.#index = JSON.stringify(entries.map(({ problem: _, ...entry }) => entry));
    const named = new Set([...entries.flatMap(filesOf), ...alsoNamed].flatMap(idsOf));
    for (const [id, size] of this.#sizes) {
      if (named.has(id)) continue;
      this.#sizes.delete(id);
      this.#held.delete(id);
      this.#total -= size;
    }
    this.#then(() => this.#write());
  }

  /** From now on it is kept there. What was kept in another folder comes along. */
  settleIn(folder: string): void {
    if (this.#folder === folder) return;
    const before = this.#folder;
    this.#folder = folder;
    this.#then(async () => {
      if (before !== undefined) {
        await rm(folder, { recursive: true, force: true });
        await rename(before, folder).catch(ignoreMissing);
      }
      await this.#write();
    });
  }

  /** What was kept in this folder, from which it goes on. Never rejects; damaged entries are left out. */
  async open(folder: string): Promise<readonly ChangeEntry[]> {
    this.#folder = folder;
    try {
      const text = await readFile(path.join(folder, INDEX), 'utf8');
      const entries = parseEntries(text);
      for (const id of entries.flatMap(filesOf).flatMap(idsOf)) this.#sizes.set(id, 0);
      const sizes = await Promise.all([...this.#sizes.keys()].map((id) => this.#sizeOf(id)));
      [...this.#sizes.keys()].forEach((id, index) => this.#sizes.set(id, sizes[index] ?? 0));
      this.#total = sizes.reduce((sum, size) => sum + size, 0);
      this.#index = text;
      if (entries.length === 0) this.save([]);
      return entries;
    } catch (error) {
      if (!isMissing(error)) {
        this.#log.warn(`Kept changes could not be read: ${errorMessage(error)}`);
      }
      return [];
    }
  }

  /** Resolves when all is on the disk, or could not be written (logged). */
  flush(): Promise<void> {
    return this.#work;
  }

  #has(bytes: Uint8Array): boolean {
    return this.#sizes.has(idOf(bytes));
  }

  #put(bytes: Uint8Array): string {
    const id = idOf(bytes);
    if (this.#sizes.has(id)) return id;
    this.#sizes.set(id, bytes.byteLength);
    this.#total += bytes.byteLength;
    this.#held.set(id, bytes);
    return id;
  }

  async #get(id: string): Promise<Uint8Array | undefined> {
    const held = this.#held.get(id);
    if (held) return held;
    if (this.#folder === undefined) return undefined;
    const bytes = await readFile(path.join(this.#folder, id)).catch(() => undefined);
    // A content that is not what its name says would be written over the person's file.
    return bytes && idOf(bytes) === id ? bytes : undefined;
  }

  async #sizeOf(id: string): Promise<number> {
    return (await this.#get(id))?.byteLength ?? 0;
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#log.warn(`Changes could not be kept on the disk: ${errorMessage(error)}`);
    });
  }

  /** The contents first, so that a kill leaves no index that names what is not there. */
  async #write(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined || this.#index === undefined) return;
    // What was undone last may still be had again, where nothing is listed any more.
    if (this.#index === '[]' && this.#sizes.size === 0) {
      await rm(folder, { recursive: true, force: true });
      return;
    }
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [id, bytes] of [...this.#held]) {
      await replaceFile(path.join(folder, id), bytes, PRIVATE);
      this.#held.delete(id);
    }
    await replaceFile(path.join(folder, INDEX), this.#index, PRIVATE);
    for (const name of await readdir(folder)) {
      if (name === INDEX || this.#sizes.has(name)) continue;
      await rm(path.join(folder, name), { force: true });
    }
  }
}

function modeField({ mode }: { readonly mode?: number | undefined }): { readonly mode?: number } {
  return mode === undefined ? {} : { mode };
}

function filesOf({ base, after }: ChangeEntry): readonly KeptFile[] {
  return [base, after];
}

function idsOf(file: KeptFile): readonly string[] {
  if (file.kind === 'binary') return [file.bytes];
  if (file.kind !== 'text') return [];
  return file.bytes === undefined ? [file.text] : [file.text, file.bytes];
}

function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
