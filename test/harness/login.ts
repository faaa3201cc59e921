import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const TIMEOUT_MS = 15_000;

/** The person's own CLI: the first `claude` on PATH. */
export function ownCli(): string | undefined {
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    // npm puts the bundled one's folder in front while it runs a script.
    if (!path.isAbsolute(folder) || folder.includes('node_modules')) continue;
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** True if `claude auth status` says so: by an account, a key, or another provider. */
export async function isLoggedIn(cli: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(cli, ['auth', 'status'], { timeout: TIMEOUT_MS }, (error) => {
      resolve(error === null);
    }).stdin?.end();
  });
}
