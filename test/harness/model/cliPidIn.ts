import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';

/** The process id of the CLI that works in a folder of its own (Linux). */
export function cliPidIn(workspace: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === workspace;
    } catch {
      return false;
    }
  });
  assert.ok(found, 'a CLI runs in the workspace');
  return Number(found);
}
