import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { FileReadGuard, HELD_MS } from '../../../src/conversation/fileReadGuard';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'patchbay-guard-')));
after(() => rmSync(base, { recursive: true }));
const put = (name: string, text: string): string => {
  const file = path.join(base, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const deny = (...rules: string[]): string => JSON.stringify({ permissions: { deny: rules } });
const guardOf = (roots: readonly string[], now?: () => number): FileReadGuard =>
  new FileReadGuard({
    ...(now ? { now } : {}),
    roots: () => roots.map((root) => path.join(base, root)),
    where: () => ({ env: {}, home: path.join(base, 'home'), platform: process.platform }),
  });

test('rules of all folders and of the person count, links are followed, a change counts at once', async () => {
  const env = put('a/.env', 'x');
  const key = put('b/keys/k.txt', 'x');
  const open = put('a/open.txt', 'x');
  symlinkSync('.env', path.join(base, 'a/innocent'));
  const link = path.join(base, 'a/innocent');
  put('home/.claude/settings.json', deny('Read(.env)', 'Bash(x)', 'Edit(open.txt)'));
  put('b/.claude/settings.local.json', deny('Read(keys/**)'));
  const guard = guardOf(['a', 'b']);
  const all = [env, key, open, link];
  assert.deepEqual(
    [...(await guard.denied(all))],
    [
      [env, 'Read(.env)'],
      [key, 'Read(keys/**)'],
      [link, 'Read(.env)'],
    ],
  );
  put('home/.claude/settings.json', deny('Read(open.txt)'));
  assert.deepEqual([...(await guard.denied(all)).keys()], [key, open]);
  put('home/.claude/settings.json', '{ broken');
  assert.deepEqual([...(await guard.denied(all)).keys()], [key]);
});

test('without rules and without a folder nothing is forbidden', async () => {
  assert.equal((await guardOf(['none']).denied([path.join(base, 'a/open.txt')])).size, 0);
  assert.equal((await guardOf([]).denied(['/x'])).size, 0);
});

test('rules that a running agent was given besides count as well', async () => {
  const file = put('c/given.txt', 'x');
  const guard = new FileReadGuard({
    roots: () => [path.join(base, 'c')],
    where: () => ({ env: {}, home: path.join(base, 'none'), platform: process.platform }),
    running: () => Promise.resolve([{ text: 'Read(given.txt)', source: 'cliArg' }]),
  });
  assert.deepEqual([...(await guard.denied([file])).values()], ['Read(given.txt)']);
});

test('what must not be read must not be written either, and rules of Edit forbid writing alone', async () => {
  const guard = guardOf(['d']);
  put('home/.claude/settings.json', '{}');
  const files = ['secret.txt', 'fixed.txt', 'open.txt'].map((name) => put(`d/${name}`, 'x'));
  const rules = deny('Read(secret.txt)', 'Edit(fixed.txt)', 'Edit', 'Write(open.txt)');
  put('d/.claude/settings.json', rules);
  assert.deepEqual([...(await guard.denied(files)).values()], ['Read(secret.txt)']);
  assert.deepEqual(
    [...(await guard.deniedWrites(files)).values()],
    ['Read(secret.txt)', 'Edit(fixed.txt)'],
  );
});

test('one call of a tool holds to the rules that it began with, the next has those that came', async () => {
  const files = ['kept.txt', 'later.txt'].map((name) => put(`e/${name}`, 'x'));
  let now = 0;
  const guard = guardOf(['e'], () => now);
  put('home/.claude/settings.json', '{}');
  put('e/.claude/settings.json', deny('Read(kept.txt)'));
  const call = guard.forOneCall();
  const texts = async (one: Pick<FileReadGuard, 'denied'>): Promise<readonly string[]> => [
    ...(await one.denied(files)).values(),
  ];
  assert.deepEqual(await texts(call), ['Read(kept.txt)']);
  put('e/.claude/settings.json', deny('Read(kept.txt)', 'Read(later.txt)'));
  assert.deepEqual(await texts(call), ['Read(kept.txt)']);
  assert.deepEqual([...(await call.deniedWrites(files)).values()], ['Read(kept.txt)']);
  now = HELD_MS + 1;
  assert.deepEqual(await texts(call), ['Read(kept.txt)', 'Read(later.txt)'], 'it took long');
  assert.deepEqual(await texts(guard.forOneCall()), ['Read(kept.txt)', 'Read(later.txt)']);
  assert.deepEqual(await texts(guard), ['Read(kept.txt)', 'Read(later.txt)']);
});
