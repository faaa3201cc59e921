import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, symlinkSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { PersonServersWatch } from '../../../src/cli/personServersWatch';

const base = mkdtempSync(path.join(tmpdir(), 'patchbay-watch-'));
after(() => rm(base, { recursive: true, force: true }));

const EVERY_MS = 20;
const PATIENCE_MS = 60_000;

const text = (servers: object, more: object = {}): string =>
  JSON.stringify({ mcpServers: servers, ...more });

/** Follows a file whose changes are counted. */
function follow(file: string) {
  let changes = 0;
  let wake: () => void = () => undefined;
  const watch = new PersonServersWatch({
    file,
    everyMs: EVERY_MS,
    onChange: () => {
      changes += 1;
      wake();
    },
  });
  return {
    watch,
    count: () => changes,
    /** Resolves when so many changes were told. */
    until: async (wanted: number): Promise<void> => {
      while (changes < wanted) {
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`only ${changes} changes`)), PATIENCE_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
}

/** As the CLI does it. */
async function replace(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

test('A file that comes, is replaced, and goes is told each time that its servers have changed', async () => {
  const file = path.join(base, 'comes.json');
  const { watch, until, count } = follow(file);
  await replace(file, text({ a: { command: 'a' } }));
  await until(1);
  await replace(file, text({ a: { command: 'other' } }));
  await until(2);
  await replace(file, text({}, { projects: { '/w': { mcpServers: { b: { command: 'b' } } } } }));
  await until(3);
  await rm(file);
  await until(4);
  watch.dispose();
  assert.equal(count(), 4);
});

test('What else the CLI keeps in its file is nobody’s change', async () => {
  const file = path.join(base, 'noise.json');
  await writeFile(file, text({ a: { command: 'a' } }));
  const { watch, until, count } = follow(file);
  for (let turn = 1; turn <= 3; turn += 1) {
    await replace(
      file,
      text({ a: { command: 'a' } }, { turns: turn, projects: { '/w': { cost: turn } } }),
    );
  }
  await replace(file, text({}));
  await until(1);
  watch.dispose();
  assert.equal(count(), 1);
});

test('A half-written file changes nothing until it is whole', async () => {
  const file = path.join(base, 'half.json');
  await writeFile(file, text({ a: { command: 'a' } }));
  const { watch, until, count } = follow(file);
  const next = text({ b: { command: 'b' } });
  await writeFile(file, next.slice(0, 12));
  await writeFile(file, next);
  await until(1);
  watch.dispose();
  assert.equal(count(), 1);
});

test('After its end nothing is told', async () => {
  const file = path.join(base, 'over.json');
  const first = follow(file);
  const second = follow(file);
  first.watch.dispose();
  await replace(file, text({ a: { command: 'a' } }));
  await second.until(1);
  second.watch.dispose();
  assert.equal(first.count(), 0);
});

test('a file that cannot be looked at is as good as none', () => {
  const loop = path.join(base, 'loop.json');
  symlinkSync(loop, loop);
  for (const file of [loop, path.join(base, 'loop.json', 'below')]) {
    const watch = new PersonServersWatch({ file, onChange: () => assert.fail('no change') });
    watch.dispose();
  }
  assert.ok(lstatSync(loop).isSymbolicLink());
});
