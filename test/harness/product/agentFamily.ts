import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { eventually } from '../panelSandbox/eventually';
import { realCliPath } from '../paths';
import { processesWith } from '../processes';
import { findCliPid } from '../tour/cliProcess';

/** The one CLI that runs: one of before may still be on its way out. */
export async function theCli(): Promise<number> {
  let found = 0;
  await eventually(async () => {
    found = await findCliPid(process.pid, realCliPath).catch(() => 0);
    return found !== 0;
  });
  return found;
}

/** All that this agent has started, wherever it went: looked up anew at each call (Linux). */
export function familyOf(pid: number): () => number[] {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const mark = environment.find((variable) => variable.startsWith('PATCHBAY_FAMILY='));
  assert.ok(mark !== undefined);
  return () => processesWith(mark);
}

/** The process that started this one (Linux). */
export async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
