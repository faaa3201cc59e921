import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { CliSession } from '../cli/cliSession';
import { fit } from '../protocol/lazySchema';
import { mcpStatusResultSchema } from '../protocol/controlResults';
import type { SystemMessageOf } from '../protocol/systemMessages';
import { type ServerHealthOptions, serverProblems } from './serverHealth';

/** What is known of a start beside the process itself. */
export interface StartFacts {
  /** Names of the person's servers that were handed over. */
  readonly personServers: readonly string[];
  /** Faults of the CLI's files, a sentence each. */
  readonly problems: readonly string[];
  /** What it wrote to stderr so far, masked. */
  readonly errorLines: () => readonly string[];
  /** Takes the secrets of servers out of what the CLI says of them. */
  readonly mask: (text: string) => string;
}

interface Checked {
  readonly session: CliSession;
  readonly facts: StartFacts;
}

export interface CheckupOptions {
  /** Names of our own servers that have tools. */
  readonly ownServers: () => readonly string[];
  readonly tell: (text: string) => void;
  readonly log: Logger;
}

/** How long the CLI may take to tell why a server failed, in ms. */
const STATUS_WITHIN_MS = 5000;
/** What the CLI says of an argument or a rule that it leaves out, and goes on. */
const WARNING = /^(?:Warning: |Ignoring \d+ permissions)/;

/**
 * Looks at each process once, when its first turn begins: what the CLI passes over in silence is
 * told as a quiet line. Each line comes once in a conversation, however often it is started.
 */
export class Checkup {
  readonly #options: CheckupOptions;
  readonly #seen = new WeakSet<CliSession>();
  readonly #told = new Set<string>();

  constructor(options: CheckupOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async look(started: Checked, init: SystemMessageOf<'init'>): Promise<void> {
    if (this.#seen.has(started.session)) return;
    this.#seen.add(started.session);
    try {
      await this.#look(started, init);
    } catch (error) {
      this.#options.log.error('A process could not be looked at', error);
    }
  }

  async #look({ session, facts }: Checked, init: SystemMessageOf<'init'>): Promise<void> {
    for (const problem of facts.problems) this.#tell(problem);
    for (const line of facts.errorLines()) {
      if (WARNING.test(line)) this.#tell(l10n.t('The CLI says: {0}', line));
    }
    const { mcp_servers: rows, tools } = init;
    if (rows === undefined || tools === undefined) return;
    const health: ServerHealthOptions = {
      person: facts.personServers,
      own: this.#options.ownServers(),
      rows,
      tools,
    };
    if (serverProblems(health).length === 0) return;
    const errors = await this.#errors(session);
    const told = rows.map((row) => {
      const error = errors.get(row.name);
      return { ...row, error: error && facts.mask(error) };
    });
    for (const problem of serverProblems({ ...health, rows: told })) this.#tell(problem);
  }

  /** Why servers failed, by their names. Only the error is read: a row may hold tokens. */
  async #errors(session: CliSession): Promise<ReadonlyMap<string, string>> {
    try {
      const answer = await session.request('mcp_status', {}, { timeoutMs: STATUS_WITHIN_MS });
      const status = fit(mcpStatusResultSchema(), answer);
      const rows = status.ok ? status.value.mcpServers : [];
      return new Map(rows.flatMap(({ name, error }) => (error ? [[name, error] as const] : [])));
    } catch (error) {
      this.#options.log.debug(`The state of the servers was not told: ${errorMessage(error)}`);
      return new Map();
    }
  }

  #tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.log.warn(text);
    this.#options.tell(text);
  }
}
