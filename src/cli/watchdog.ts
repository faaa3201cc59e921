import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { toDisposable, type Disposable } from '../base/disposable';
import type { Logger } from '../base/logger';
import type { FamilyHead } from './family';
import { watchdogLine, type WatchdogLine } from './watchdogLine';

export interface WatchdogOptions {
  /** `watchdog.cjs`, absolute. */
  readonly file: string;
  readonly log: Logger;
  /** How long it stays when nothing is left to watch, in ms: the next agent is often near. Default 10 s. */
  readonly lingerMs?: number;
}

const LINGER_MS = 10_000;

/** How often one that was killed is started again. */
const MAX_STARTS_AFTER_LOSS = 3;

/**
 * The process that ends our CLIs when this one is killed. It runs while there is something to
 * watch, and learns of our end by its stdin, which the system closes however we end.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #families = new Map<string, FamilyHead>();
  #child: ChildProcess | undefined;
  #losses = 0;
  #lingering: NodeJS.Timeout | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Watches until the result is disposed. Never throws: without it all else works as well. */
  watch(head: FamilyHead): Disposable {
    clearTimeout(this.#lingering);
    this.#families.set(head.mark, head);
    if (this.#child === undefined) this.#start();
    else this.#tell({ watch: head });
    return toDisposable(() => {
      this.#families.delete(head.mark);
      this.#tell({ forget: head.mark });
      if (this.#families.size === 0) this.#linger();
    });
  }

  #linger(): void {
    const end = (): void => {
      this.#child?.stdin?.end();
      this.#child = undefined;
    };
    // Should we end meanwhile, it notices.
    this.#lingering = setTimeout(end, this.#options.lingerMs ?? LINGER_MS).unref();
  }

  #tell(told: WatchdogLine): void {
    this.#child?.stdin?.write(watchdogLine(told));
  }

  #start(): void {
    const { file, log } = this.#options;
    try {
      const child = spawn(process.execPath, [file], {
        // Inside a desktop editor the executable is Electron's; a plain Node ignores it.
        env: { ELECTRON_RUN_AS_NODE: '1', ...inheritedVariables() },
        // It must not hold a folder that a person, or an update, wants to remove.
        cwd: path.parse(file).root,
        stdio: ['pipe', 'ignore', 'ignore'],
        // A session of its own: what ends ours as a whole must not end it.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      child.unref();
      child.stdin.on('error', (error) => log.debug(`Watchdog: ${error.message}`));
      child.once('error', (error) => this.#lost(child, error.message));
      child.once('exit', (code, signal) => this.#lost(child, String(code ?? signal)));
      this.#child = child;
    } catch (error) {
      log.warn(`The watchdog could not be started: ${String(error)}`);
    }
    for (const head of this.#families.values()) this.#tell({ watch: head });
  }

  #lost(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#losses += 1;
    this.#options.log.warn(`The watchdog ended (${how})`);
    if (this.#losses <= MAX_STARTS_AFTER_LOSS) this.#start();
  }
}

/** What it needs to start and to find `ps` or `taskkill`; nothing of an agent's, so no mark. */
function inheritedVariables(): Record<string, string> {
  const names = ['PATH', 'Path', 'SystemRoot', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

let shared: Watchdog | undefined;

/** Sets the watchdog of this process, once at start. */
export function useWatchdog(options: WatchdogOptions): void {
  shared ??= new Watchdog(options);
}

/** Has a family ended should this process be killed. Without a watchdog, as in tests, a no-op. */
export function watchFamily(head: FamilyHead): Disposable {
  return shared?.watch(head) ?? { dispose: () => undefined };
}

/** Of the watchdog that runs; undefined while there is nothing to watch. */
export function watchdogPid(): number | undefined {
  return shared?.pid;
}
