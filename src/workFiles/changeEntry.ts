import type { OpaqueReason } from './seenFile';

/** A file as it was at some moment, by the ids of what its store keeps of it. */
export type KeptFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'folder' }
  | {
      readonly kind: 'text';
      /** As UTF-8 with `\n` alone. */
      readonly text: string;
      readonly crlf: boolean;
      readonly bytes?: string | undefined;
      readonly mode?: number | undefined;
    }
  | { readonly kind: 'binary'; readonly bytes: string; readonly mode?: number | undefined }
  | { readonly kind: 'opaque'; readonly why: OpaqueReason; readonly stamp: string };

/** What the agent has made of one file since the person last said Keep. */
export interface ChangeEntry {
  readonly id: string;
  /** Absolute, as it is now. */
  readonly path: string;
  /** Where it was before the agent moved it. */
  readonly from?: string | undefined;
  /** Without what the agent did. */
  readonly base: KeptFile;
  /** As the agent left it. */
  readonly after: KeptFile;
  /** The person changed lines of the agent's between two of its edits: they cannot be told apart. */
  readonly isMixed?: boolean | undefined;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  readonly problem?: ChangeProblem | undefined;
}

/** What it takes to take a change back. */
export type KeptChange = Pick<ChangeEntry, 'path' | 'from' | 'base' | 'after'>;

/** Why a change was not undone; nothing was changed then. */
export interface ChangeProblem {
  readonly kind:
    | 'busy'
    | 'overlap'
    | 'changedNew'
    | 'changed'
    | 'gone'
    | 'exists'
    | 'placeTaken'
    | 'changing'
    | 'failed'
    | OpaqueReason;
  /** A line, from 1, or what the system said. */
  readonly detail?: string | undefined;
}

export type ChangeKind = 'edited' | 'created' | 'deleted' | 'moved';

export function changeKind({ from, base, after }: ChangeEntry): ChangeKind {
  if (base.kind === 'none') return 'created';
  if (after.kind === 'none') return 'deleted';
  return from === undefined ? 'edited' : 'moved';
}
