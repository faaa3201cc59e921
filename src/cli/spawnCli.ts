import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Logger } from '../base/logger';
import { CliProcess } from './cliProcess';
import { CLOSE_LIMITS, type CloseLimits } from './closeLimits';
import type { FamilyHead } from './family';
import type { LineTransport } from './lineTransport';
import { secretValues } from '../base/maskSecrets';
import { FAMILY_MARK, startOf } from './processTable';
import { isDamaged, otherProcessor } from './programFormat';
import {
  argumentInvalid,
  cliDamaged,
  cliForOtherProcessor,
  describeSpawnFailure,
  describeSpawnInput,
  folderIsGone,
  isFolder,
  invalidVariables,
  variablesInvalid,
} from './spawnFailure';

export interface SpawnCliOptions {
  /** An absolute path. Never run through a shell. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child, see `childEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Gets each line of stderr, secrets masked. */
  readonly onErrorLine?: (line: string) => void;
  /** Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** How long the steps of {@link LineTransport.close} may take; by default less than 3 s in all. */
  readonly closeLimits?: CloseLimits;
}

/**
 * Starts a CLI and resolves once it runs. Rejects with a `UserFacingError` that tells a missing
 * folder, a missing or unusable program and a missing interpreter apart.
 */
export async function spawnCli(options: SpawnCliOptions): Promise<LineTransport> {
  if (!isFolder(options.cwd)) throw folderIsGone(options.cwd);
  const invalid = invalidVariables(options.env);
  if (invalid.length > 0) throw variablesInvalid(invalid);
  const badArgument = options.args.findIndex((arg) => arg.includes('\0'));
  if (badArgument !== -1) throw argumentInvalid(badArgument);
  if (isDamaged(options.command)) throw cliDamaged(options.command);
  const processor = otherProcessor(options.command);
  if (processor !== undefined) throw cliForOtherProcessor(options.command, processor);
  const { child, head } = await start(options);
  return new CliProcess(child, {
    head,
    log: options.log,
    onErrorLine: options.onErrorLine,
    secrets: secretValues(options.env),
    maxLineBytes: options.maxLineBytes,
    closeLimits: options.closeLimits ?? CLOSE_LIMITS,
  });
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly head: FamilyHead;
}

function start(options: SpawnCliOptions): Promise<Started> {
  const mark = randomUUID();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      options.log.error(`Spawning failed: ${describeSpawnInput(options)}`, error);
      reject(describeSpawnFailure(error, options.command, options.cwd, options.env.PATH ?? ''));
    };
    try {
      const child = spawn(options.command, options.args, {
        cwd: options.cwd,
        env: { ...options.env, [FAMILY_MARK]: mark },
        stdio: ['pipe', 'pipe', 'pipe'],
        // A group of its own, so that what the CLI started can be ended with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      // At once: it cannot be collected, and its number given to another, before we go on.
      const pid = child.pid ?? 0;
      const head = { pid, started: startOf(pid), mark };
      child.once('error', fail);
      child.once('spawn', () => {
        child.off('error', fail);
        // A late error, such as a failed kill, must not take the extension host down.
        child.on('error', (error) => options.log.warn(`CLI process: ${error.message}`));
        resolve({ child, head });
      });
    } catch (error) {
      // Some failures are thrown at once, such as a NUL character in an argument.
      fail(error);
    }
  });
}
