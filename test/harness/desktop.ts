import { spawn } from 'node:child_process';
import path from 'node:path';
import type { EnvironmentChanges } from './offlineEnvironment';

export interface DesktopOptions {
  /** The desktop's command, `code`. */
  readonly code: string;
  /** The extension in development. */
  readonly extension: string;
  readonly workspace: string;
  readonly env: EnvironmentChanges;
  /** Takes the profile, where one is needed. */
  readonly work: string;
}

/** Opens a desktop window and waits until it is closed. Returns the command's exit code. */
export function openDesktop(options: DesktopOptions): Promise<number> {
  const args = [
    ...['--new-window', '--wait', `--extensionDevelopmentPath=${options.extension}`],
    // Electron refuses to run as root otherwise.
    ...(process.getuid?.() === 0
      ? ['--no-sandbox', '--user-data-dir', path.join(options.work, 'desktop')]
      : []),
    options.workspace,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(options.code, args, {
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'inherit', 'inherit'],
      // On Windows it is a `.cmd`, which cannot be started without a shell.
      shell: process.platform === 'win32',
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}
