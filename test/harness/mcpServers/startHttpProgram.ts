import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inRoot } from '../paths';

/** Starts `httpProgram.mjs`; rejects when it ends before it has told its address. */
export async function startHttpProgram(
  name: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const file = inRoot('test/harness/mcpServers/httpProgram.mjs');
  const child = spawn(process.execPath, [file, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    void gone.then(() => reject(new Error('The HTTP server ended at once')));
  });
  return {
    url,
    close: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
