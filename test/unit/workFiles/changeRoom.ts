import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { ChangeBook, type ChangeBookOptions } from '../../../src/workFiles/changeBook';
import { changeKind } from '../../../src/workFiles/changeEntry';
import { ChangeStore } from '../../../src/workFiles/changeStore';
import { resolveRealPath } from '../../../src/workFiles/realPath';
import type { FileHand } from '../../../src/workFiles/revertChange';
import { diskHand } from '../../harness/diskHand';

/** Changed files of a conversation, in a folder of their own on the disk. */
export interface ChangeRoom {
  readonly book: ChangeBook;
  readonly at: (name: string) => string;
  /** A call of the agent that does this, and may write these files. */
  readonly call: (names: readonly string[], work: () => Promise<unknown>) => Promise<void>;
  readonly write: (name: string, text: string) => Promise<void>;
  readonly read: (name: string) => Promise<string | undefined>;
  /** `a.ts edited +1 -1` */
  readonly rows: () => readonly string[];
  readonly ids: () => readonly string[];
  readonly undo: (name?: string) => Promise<void>;
}

export async function changeRoom(
  t: TestContext,
  { keyOf = resolveRealPath, ...more }: Partial<FileHand & Pick<ChangeBookOptions, 'keyOf'>> = {},
  store = storeOf(),
): Promise<ChangeRoom> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'changed files ')));
  t.after(() => rm(base, { recursive: true, force: true }));
  const at = (name: string): string => path.join(base, name);
  const hand: FileHand = {
    ...diskHand,
    // The editor tells of each move before it says that it is done.
    move: async (from, to) => {
      await diskHand.move(from, to);
      void book.moved(from, to);
    },
    ...more,
  };
  const book: ChangeBook = new ChangeBook({
    ...{ hand, keyOf, log: silentLogger, store },
  });
  let calls = 0;
  const ids = (): readonly string[] => book.entries.map(({ id }) => id);
  return {
    book,
    at,
    ids,
    call: async (names, work) => {
      const call = `call ${(calls += 1)}`;
      await book.willWrite(call, names.map(at));
      await work();
      await book.didWrite(call);
    },
    write: async (name, text) => {
      await mkdir(path.dirname(at(name)), { recursive: true });
      await writeFile(at(name), text);
    },
    read: (name) => readFile(at(name), 'utf8').catch(() => undefined),
    rows: () =>
      book.entries.map((entry) => {
        const { from, added, removed, problem } = entry;
        const name = (file: string): string => path.relative(base, file).replaceAll('\\', '/');
        const told = problem === undefined ? '' : ` (${problem.kind})`;
        const moved = from === undefined ? '' : ` from ${name(from)}`;
        return `${name(entry.path)} ${changeKind(entry)}${moved} +${added} -${removed}${told}`;
      }),
    undo: async (name) => {
      const wanted = book.entries.filter((entry) => name === undefined || entry.path === at(name));
      await book.undo(wanted.map(({ id }) => id));
    },
  };
}

export const storeOf = (maxBytes?: number): ChangeStore =>
  new ChangeStore({ log: silentLogger, ...(maxBytes === undefined ? {} : { maxBytes }) });
