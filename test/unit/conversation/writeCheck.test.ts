import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import {
  WriteCheck,
  type WriteCall,
  type WriteVerdict,
} from '../../../src/conversation/writeCheck';
import type { PermissionResult } from '../../../src/protocol/permissions';

let base = '';
let workspace = '';
const dirty: string[] = [];
const refused: string[][] = [];

before(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay write ')));
  workspace = path.join(base, 'work');
  for (const folder of ['src', '.vscode', '.git/hooks', 'deep/.git']) {
    await mkdir(path.join(workspace, folder), { recursive: true });
  }
  await mkdir(path.join(base, 'out'));
  await writeFile(path.join(workspace, 'src/a.ts'), 'a');
  await writeFile(path.join(base, 'out/secret'), 's');
  await symlink(workspace, path.join(base, 'root-link'));
  await symlink(path.join(workspace, '.vscode'), path.join(workspace, 'settings'));
  await symlink('../out', path.join(workspace, 'away'));
  await symlink('away', path.join(workspace, 'away2'));
  await symlink(path.join(base, 'out/not-yet'), path.join(workspace, 'dangling'));
  await symlink('ring', path.join(workspace, 'ring'));
  await symlink(path.join(workspace, 'src'), path.join(workspace, 'inner'));
  await link(path.join(base, 'out/secret'), path.join(workspace, 'hard'));
});

after(async () => {
  await rm(base, { recursive: true, force: true });
});

function checkOf(root = workspace): WriteCheck {
  return new WriteCheck({
    buffers: { dirtyFiles: () => dirty },
    workspaceRoots: () => [root],
    planFolder: path.join(base, 'plans'),
    log: silentLogger,
    onRefused: (_id, paths) => refused.push([...paths]),
  });
}

interface Asked {
  readonly verdict: WriteVerdict['kind'];
  readonly cards: string[];
}

async function write(
  file: string,
  options: { check?: WriteCheck; tool?: string; onAsk?: (round: number) => Promise<unknown> } = {},
): Promise<Asked> {
  const cards: string[] = [];
  const key = options.tool === 'NotebookEdit' ? 'notebook_path' : 'file_path';
  const call: WriteCall = {
    toolName: options.tool ?? 'Write',
    input: { [key]: file },
    toolUseId: 'call',
    cwd: path.join(workspace, 'src'),
  };
  const signal = new AbortController().signal;
  const verdict = await (options.check ?? checkOf()).clear(call, 'card', signal, async (id) => {
    await options.onAsk?.(cards.length);
    cards.push(id);
    const answer: PermissionResult = { behavior: 'allow', updatedInput: {} };
    return answer;
  });
  return { verdict: verdict.kind, cards };
}

const asks: readonly (readonly [what: string, file: () => string])[] = [
  ['in a protected folder', () => path.join(workspace, '.vscode/tasks.json')],
  ['in a nested repository', () => path.join(workspace, 'deep/.git/config')],
  ['that is a protected name itself', () => path.join(workspace, 'deep/x/.git')],
  ['by a linked folder into a protected one', () => path.join(workspace, 'settings/new/x.json')],
  ['by a linked folder to outside', () => path.join(workspace, 'away/x')],
  ['by a chain of links', () => path.join(workspace, 'away2/x')],
  ['that is a link to a file not there yet', () => path.join(workspace, 'dangling')],
  ['by dots', () => path.join(workspace, 'src') + '/../../out/x'],
  ['relative to the working folder', () => '../../out/x'],
  ['relative into a protected folder', () => '../.git/hooks/pre-commit'],
  ['with a slash at its end', () => path.join(workspace, '.vscode/x/')],
  [
    'many folders below a link',
    () => path.join(workspace, 'away', ...Array<string>(900).fill('d')),
  ],
];

for (const [what, file] of asks) {
  for (const tool of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']) {
    test(`${tool} of a path ${what} asks once`, async () => {
      assert.deepEqual(await write(file(), { tool }), { verdict: 'allowed', cards: ['card'] });
    });
  }
}

test('paths inside the workspace are left to the usual rules, also where the workspace is a link', async () => {
  const none = { verdict: 'none', cards: [] };
  assert.deepEqual(await write(path.join(workspace, 'src/a.ts')), none);
  assert.deepEqual(await write('a.ts'), none);
  assert.deepEqual(await write(path.join(workspace, 'inner/new/b.ts')), none);
  const linked = checkOf(path.join(base, 'root-link'));
  assert.deepEqual(await write(path.join(workspace, 'src/a.ts'), { check: linked }), none);
  const byLink = path.join(base, 'root-link');
  assert.deepEqual(await write(path.join(byLink, 'src/a.ts'), { check: linked }), none);
  const tasks = path.join(byLink, '.vscode/tasks.json');
  assert.equal((await write(tasks, { check: linked })).cards.length, 1);
  // A ring of links leads nowhere: the write itself fails.
  assert.deepEqual(await write(path.join(workspace, 'ring')), none);
});

test('a hard link is a file of the workspace like any other: nothing tells where else its name stands', async () => {
  assert.equal((await write(path.join(workspace, 'hard'))).verdict, 'none');
});

test('a path that was made to lead elsewhere before the answer is asked about anew', async () => {
  const door = path.join(workspace, 'door');
  await symlink(path.join(base, 'out'), door);
  const check = checkOf();
  const swap = async (round: number): Promise<void> => {
    if (round !== 0) return;
    await rm(door);
    await symlink(path.join(workspace, '.git/hooks'), door);
  };
  const file = path.join(door, 'pre-commit');
  assert.deepEqual(await write(file, { check, onAsk: swap }), {
    verdict: 'allowed',
    cards: ['card', 'card/1'],
  });
  assert.deepEqual((await write(file, { check })).cards, [], 'the same call to the same place');
  check.forget();
  assert.deepEqual((await write(file, { check })).cards, ['card'], 'another process');
});

test('unsaved changes are seen through links, both ways, and also when they come before the answer', async () => {
  const real = path.join(workspace, 'src/a.ts');
  const byLink = path.join(workspace, 'inner/a.ts');
  for (const [open, written] of [
    [real, real],
    [real, byLink],
    [byLink, real],
  ] as const) {
    dirty.splice(0, dirty.length, path.join(base, 'other.ts'), open);
    refused.length = 0;
    assert.equal((await write(written)).verdict, 'denied');
    assert.deepEqual(refused, [[open]], 'named as the editor has it, so that it can be saved');
  }
  dirty.length = 0;
  const late = path.join(workspace, '.vscode/late.json');
  const type = (): Promise<unknown> => Promise.resolve(dirty.push(late));
  assert.equal((await write(late, { onAsk: type })).verdict, 'denied');
  dirty.length = 0;
});
