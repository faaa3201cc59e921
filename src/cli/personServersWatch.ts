import { readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isMissing } from '../base/errors';
import type { Disposable } from '../base/disposable';
import { isJsonObject } from '../protocol/lazySchema';

export interface PersonServersWatchOptions {
  /** The CLI's `.claude.json`, see `configFile`; it need not be there. */
  readonly file: string;
  /** Called when its servers, of any folder, are others than before; not for its other changes. */
  readonly onChange: () => void;
  /** How often it is looked at; 2 s by default. */
  readonly everyMs?: number;
}

const EVERY_MS = 2_000;
/** A larger one, full of the CLI's own notes, would cost more than its servers are worth. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Further looks at a file that is broken or gone before that counts: it may be just being written. */
const PATIENCE = 3;

type Seen = { readonly servers: string } | 'missing' | 'unreadable';
const NO_SERVERS = '[{},[]]';

/**
 * Follows the person's own servers. The CLI replaces its file with every turn and keeps much else in
 * it, so its age is looked at in intervals, which also works in folders that cannot be watched, and
 * only its servers are compared.
 */
export class PersonServersWatch implements Disposable {
  readonly #options: PersonServersWatchOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #stamp: string;
  /** All servers, as one text. */
  #known: string;
  #triesLeft = 0;
  #isLooking = false;
  #isOver = false;

  constructor(options: PersonServersWatchOptions) {
    this.#options = options;
    // Before it is read: what comes in between is then seen by the next look.
    this.#stamp = stampNow(options.file);
    const seen = readServers(options.file);
    this.#known = typeof seen === 'object' ? seen.servers : NO_SERVERS;
    this.#timer = setInterval(() => void this.#look(), options.everyMs ?? EVERY_MS);
    this.#timer.unref();
  }

  dispose(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    // A folder on a network may answer late.
    if (this.#isLooking) return;
    this.#isLooking = true;
    const found = await stat(this.#options.file, { bigint: true }).catch(() => undefined);
    this.#isLooking = false;
    if (this.#isOver) return;
    const stamp = stampOf(found);
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#triesLeft = PATIENCE;
    } else if (this.#triesLeft === 0) return;
    this.#take(readServers(this.#options.file));
  }

  #take(seen: Seen): void {
    if (typeof seen === 'object') {
      this.#triesLeft = 0;
      this.#learn(seen.servers);
      return;
    }
    this.#triesLeft -= 1;
    // One that stays broken says nothing: the servers are as they were.
    if (this.#triesLeft === 0 && seen === 'missing') this.#learn(NO_SERVERS);
  }

  #learn(servers: string): void {
    if (servers === this.#known) return;
    this.#known = servers;
    this.#options.onChange();
  }
}

/** Names this very state of the file. */
function stampOf(
  found: { readonly mtimeNs: bigint; readonly size: bigint; readonly ino: bigint } | undefined,
): string {
  return found === undefined ? '' : `${found.mtimeNs} ${found.size} ${found.ino}`;
}

function readServers(file: string): Seen {
  try {
    if (statSync(file).size > MAX_BYTES) return 'unreadable';
    const config: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    return { servers: isJsonObject(config) ? serversOf(config) : NO_SERVERS };
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable';
  }
}

function serversOf({ mcpServers, projects }: Record<string, unknown>): string {
  const own = Object.entries(isJsonObject(projects) ? projects : {}).flatMap(([folder, project]) =>
    isJsonObject(project) && (project.mcpServers ?? project.disabledMcpServers) !== undefined
      ? [[folder, project.mcpServers, project.disabledMcpServers]]
      : [],
  );
  return JSON.stringify([mcpServers ?? {}, own]);
}

/** A path that cannot be looked at, such as a link to itself, is as good as none. */
function stampNow(file: string): string {
  try {
    return stampOf(statSync(file, { bigint: true, throwIfNoEntry: false }));
  } catch {
    return stampOf(undefined);
  }
}
