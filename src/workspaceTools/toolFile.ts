/** One tool of a file, as it is shown to the person. */
export interface FileTool {
  readonly kind: 'tool' | 'prompt' | 'resource';
  /** The tool's or prompt's name; of a resource its URI or template. */
  readonly name: string;
}

export type FaultKind =
  /** It cannot be read as code. */
  | 'syntax'
  /** It threw while it was loaded, or did not come to an end. */
  | 'load'
  /** What it exports cannot be offered: bad schema, no export, an illegal name. */
  | 'definition'
  /** Another tool has the name. */
  | 'duplicate'
  /** An import leads out of `.patchbay`, or to nothing. */
  | 'import'
  /** The file itself cannot be used: too large, binary, or a link that leads out. */
  | 'file'
  /** It ran for ever in the extension host, and its approval was withdrawn. */
  | 'looped';

/** Why a file, or a part of it, is not offered. */
export interface ToolFileFault {
  readonly kind: FaultKind;
  /** Absolute; may be a file that the tool file imports. */
  readonly path: string;
  /** Counted from 1; undefined where only the file is known. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Plain words for the person, translated. */
  readonly message: string;
}

export type ToolFileState =
  | { readonly kind: 'loading' }
  /** What it offers; faults of single exports do not keep the others away. */
  | { readonly kind: 'ready'; readonly offers: readonly FileTool[] }
  /** Not read as code: it, or what it imports, is not what the person approved. */
  | { readonly kind: 'needsApproval' }
  /** The person said no to just this content. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed' };

/** A `*.tool.*` file of a workspace folder. */
export interface ToolFile {
  /** Absolute. */
  readonly path: string;
  /** Below the workspace folder, with `/`, such as `.patchbay/tools/todo.tool.ts`. */
  readonly relativePath: string;
  readonly isolation: 'host' | 'worker';
  readonly state: ToolFileState;
  readonly faults: readonly ToolFileFault[];
}

/** Why no tool file of a folder is used; undefined where they are. */
export type FolderHold = 'untrusted' | 'switchedOff' | undefined;

/** The tool files of one workspace folder. */
export interface ToolFolder {
  /** Absolute path of the workspace folder. */
  readonly path: string;
  /** `workspace` of the first folder, `workspace-<folder>` of others. */
  readonly server: string;
  readonly hold: FolderHold;
  readonly files: readonly ToolFile[];
  /** Of files that are no tool files, such as a link that leads out. */
  readonly faults: readonly ToolFileFault[];
}

/** A file below `.patchbay` that is not as it was approved. */
export interface FileChange {
  /** Below the workspace folder, with `/`. */
  readonly relativePath: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** The approved text; undefined for an added file, and for what is not text. */
  readonly before: string | undefined;
  /** What is asked about; undefined for a removed file, and for what is not text. */
  readonly after: string | undefined;
  /** Bytes of it; 0 for a removed file. */
  readonly bytes: number;
  /** It ran for ever when it was approved the last time. */
  readonly hasLooped?: boolean;
}

/** What the person is asked once for a folder: may just this run in the editor? */
export interface ToolFilesQuestion {
  /** Hash of all that is asked about. An answer counts for this content only. */
  readonly id: string;
  /** Absolute path of the workspace folder. */
  readonly folder: string;
  readonly server: string;
  readonly changes: readonly FileChange[];
  /** Packages of the workspace that the files import by name, sorted. */
  readonly packages: readonly string[];
  /** Whether anything of this folder was approved before. */
  readonly isFirst: boolean;
  /** Aborted when the content has changed again, or the question is settled elsewhere. */
  readonly signal: AbortSignal;
}

/** `undefined`: the person left it open; it is put again when asked for, or in the next window. */
export type ToolFilesAnswer = 'approve' | 'refuse' | undefined;
