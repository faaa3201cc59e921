import type { Approvals } from './approvals';
import { shaOf, type Snapshot } from './snapshot';
import { TOOL_SETS_FILE } from './toolFilePaths';
import type { FileChange, ToolFilesAnswer, ToolFilesQuestion } from './toolFile';
import type { WorkspaceToolsPorts } from './workspaceToolsPorts';

/** A file that is not as it was approved. */
interface Asked {
  readonly file: string;
  readonly kind: FileChange['kind'];
  /** Undefined for a file that is gone. */
  readonly sha: string | undefined;
}

export interface Imports {
  /** Files of `.patchbay`, by their path below the folder; the tool files are among them. */
  readonly files: ReadonlySet<string>;
  readonly packages: readonly string[];
}

export interface FolderQuestionOptions {
  readonly folder: string;
  readonly server: string;
  readonly approvals: Approvals;
  readonly hasLooped: (file: string) => boolean;
  readonly ports: Pick<WorkspaceToolsPorts, 'ask' | 'log'>;
  /** After an answer that changed what is approved or refused. */
  readonly answered: () => void;
}

/** The question whether what is new in one folder may run: at most one at a time, for one content. */
export class FolderQuestion {
  readonly #options: FolderQuestionOptions;
  #open: { readonly id: string; readonly controller: AbortController } | undefined;
  #preparing: Promise<void> = Promise.resolve();
  /** The person left it without an answer; it is not put again for the same content. */
  #left: string | undefined;

  constructor(options: FolderQuestionOptions) {
    this.#options = options;
  }

  /**
   * Asks about all that differs from what was approved, but for what was refused.
   * @param imports what the tool files import: files of the folder and packages, by name
   * @param isQuiet it is not put, as after the person took the approval back
   */
  put(snapshot: Snapshot, imports: Imports, isQuiet = false): void {
    const asked = this.#asked(snapshot, imports.files);
    // What only went needs no yes: nothing can run of it.
    if (!asked.some(({ kind }) => kind !== 'removed')) {
      this.close();
      return;
    }
    // Of two folders with the same files each has its own.
    const { folder } = this.#options;
    const id = shaOf(
      JSON.stringify([folder, ...asked.map(({ file, kind, sha }) => [file, kind, sha])]),
    );
    if (isQuiet) this.#left = id;
    if (this.#open?.id === id) return;
    this.close();
    if (this.#left === id) return;
    const controller = new AbortController();
    this.#open = { id, controller };
    this.#preparing = this.#ask(id, asked, snapshot, imports.packages, controller.signal);
  }

  /** Resolves when the question has been handed over. Never rejects. */
  prepared(): Promise<void> {
    return this.#preparing;
  }

  /** Takes the open question away. */
  close(): void {
    this.#open?.controller.abort();
    this.#open = undefined;
  }

  /** The next `put` asks even where the person had left it open. */
  again(): void {
    this.#left = undefined;
    this.close();
  }

  #asked({ files }: Snapshot, imported: ReadonlySet<string>): readonly Asked[] {
    const { approvals } = this.#options;
    const isLeftOut = (file: string): boolean => file === TOOL_SETS_FILE && !imported.has(file);
    const asked: Asked[] = [];
    for (const [file, { sha }] of files) {
      if (isLeftOut(file)) continue;
      if (approvals.isApproved(file, sha) || approvals.isRefused(file, sha)) continue;
      asked.push({ file, kind: approvals.files.has(file) ? 'changed' : 'added', sha });
    }
    for (const file of approvals.files.keys()) {
      if (!files.has(file) && !isLeftOut(file))
        asked.push({ file, kind: 'removed', sha: undefined });
    }
    return asked;
  }

  async #ask(
    id: string,
    asked: readonly Asked[],
    snapshot: Snapshot,
    packages: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { folder, server, approvals, ports } = this.#options;
    const changes = await Promise.all(asked.map((one) => this.#change(one, snapshot)));
    if (signal.aborted) return;
    const isFirst = approvals.isEmpty;
    const question: ToolFilesQuestion = { id, folder, server, changes, packages, isFirst, signal };
    const put = async (): Promise<ToolFilesAnswer> => ports.ask(question);
    put().then(
      (answer) => this.#settle(answer, id, asked, snapshot, signal),
      (error: unknown) => {
        ports.log.error(`The approval of ${folder} could not be asked for`, error);
        this.#settle(undefined, id, asked, snapshot, signal);
      },
    );
  }

  #settle(
    answer: ToolFilesAnswer,
    id: string,
    asked: readonly Asked[],
    snapshot: Snapshot,
    signal: AbortSignal,
  ): void {
    // An answer counts for what was shown; that has changed, or the question is gone.
    if (signal.aborted) return;
    const { approvals, answered } = this.#options;
    this.#open = undefined;
    if (answer === undefined) {
      this.#left = id;
      return;
    }
    for (const { file, sha } of asked) {
      if (answer === 'refuse') {
        if (sha !== undefined) approvals.refuse(file, sha);
      } else if (sha === undefined) approvals.forget(file);
      else approvals.approve(file, sha, snapshot.files.get(file)?.text);
    }
    void approvals.save();
    answered();
  }

  async #change({ file, kind }: Asked, snapshot: Snapshot): Promise<FileChange> {
    const now = snapshot.files.get(file);
    const { approvals, hasLooped } = this.#options;
    const before = kind === 'added' ? undefined : await approvals.text(file);
    return {
      ...{ relativePath: file, kind, before, after: now?.text, bytes: now?.bytes ?? 0 },
      ...(hasLooped(file) ? { hasLooped: true } : {}),
    };
  }
}
