import type { Logger } from '../base/logger';

export interface WorkerHostOptions {
  /** The program, see `workerProgram.ts`; absolute. */
  readonly workerFile: string;
  /** What compiles, see `compilerProgram.ts`; absolute. */
  readonly compilerFile: string;
  readonly log: Logger;
  /** `ctx.workspaceFolder.name` of the handlers. */
  readonly folderName: (folder: string) => string;
  /** The translations of what the person is told. */
  readonly words: () => Readonly<Record<string, string>>;
  /** What the code of one file may need. */
  readonly memoryMb: number;
  /** How long a file may take until it is loaded. */
  readonly loadWithinMs: number;
  /** How long it may take to check the arguments of a call. */
  readonly checkWithinMs: number;
  /** How long the worker of a call that was stopped may be silent. */
  readonly patienceMs: number;
}

export const WORKER_LIMITS = {
  memoryMb: 512,
  loadWithinMs: 60_000,
  checkWithinMs: 30_000,
  patienceMs: 2_000,
} as const;
