import type { Disposable } from '../base/disposable';
import type { Definition } from '../mcp/mcpServer';
import type { Compiled } from './sourceCompiler';
import type { ToolFileFault } from './toolFile';

/** What is to be loaded. Plain data but for the signal, so that it can be sent to a worker. */
export interface LoadRequest {
  /** Absolute path of the workspace folder; packages resolve from its own `node_modules`. */
  readonly folder: string;
  /** The tool file, below the folder with `/`. */
  readonly file: string;
  /**
   * All files of `.patchbay` that may be read as code or data, by their path below the folder: the
   * very texts that were approved. Nothing is read from the disk again.
   */
  readonly sources: ReadonlyMap<string, string>;
  /** What is made of some of these texts already, as modules, by the same paths. */
  readonly compiled: ReadonlyMap<string, Compiled>;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** One export that can be offered. */
export interface LoadedDefinition {
  /** Its handler gets the router's context; what a tool file's context has besides is the host's work. */
  readonly definition: Definition;
  /** Line of the export, counted from 1. */
  readonly line?: number | undefined;
}

/** A file that was loaded. Disposed of when it is replaced or goes, after its last call has ended. */
export interface LoadedFile extends Disposable {
  readonly definitions: readonly LoadedDefinition[];
  /** Of single exports; they keep none of the others away. */
  readonly faults: readonly ToolFileFault[];
  /** The files of `.patchbay` that were loaded with it, itself among them; paths as in `sources`. */
  readonly loaded: readonly string[];
}

/** Where the code of tool files runs: the extension host, or a worker of each file's own. */
export interface ToolFileHost {
  /**
   * Runs the file and reads its exports.
   * @throws ToolFileError with what is wrong and where; the file then offers nothing
   */
  load(request: LoadRequest): Promise<LoadedFile>;
}

/** A file that cannot be loaded. */
export class ToolFileError extends Error {
  override readonly name = 'ToolFileError';

  constructor(
    readonly fault: ToolFileFault,
    options?: ErrorOptions,
  ) {
    super(fault.message, options);
  }
}
