import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { configuredHooks } from '../../../src/cli/configuredHooks';

test('the hooks of all settings files are listed with where they stand, and what is broken has none (C19)', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'patchbay hooks '));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string): string => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const command = { type: 'command', command: './check.sh' };
  const own = write(
    'home/.claude/settings.json',
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }] } }),
  );
  const project = write(
    'ws/.claude/settings.json',
    JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [command, 7, null] }, 'odd', { hooks: 'odd' }],
        Odd: 'odd',
      },
    }),
  );
  write('ws/.claude/settings.local.json', '{');
  const options = { env: {}, home: path.join(root, 'home'), platform: 'linux' } as const;
  const managedFile = path.join(root, 'none.json');
  assert.deepEqual(
    await configuredHooks({ ...options, managedFile, folder: path.join(root, 'ws') }),
    [
      { event: 'Stop', matcher: '', runs: 'Is it done?', file: own },
      { event: 'PreToolUse', matcher: 'Bash', runs: './check.sh', file: project },
    ],
  );
  assert.equal((await configuredHooks({ ...options, managedFile, folder: undefined })).length, 1);
});
