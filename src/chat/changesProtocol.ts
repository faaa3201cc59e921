/** A file that the agent has changed since the person last said Keep. */
export interface ChangedFile {
  readonly id: string;
  /** As shown; what hides in it made visible. */
  readonly path: string;
  readonly kind: 'edited' | 'created' | 'deleted' | 'moved';
  /** Where a moved one was, as shown. */
  readonly from?: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** What the figures do not tell: that it is no text, or too large. Localized. */
  readonly note?: string;
  /** Why it was not undone, and what to do. Localized. */
  readonly problem?: string;
}

/** What stands for review. */
export interface Changes {
  readonly files: readonly ChangedFile[];
  /** What was undone last and can be had again. */
  readonly undone?: UndoneChanges;
}

export interface UndoneChanges {
  readonly id: string;
  readonly count: number;
  /** Of the first one, as shown. */
  readonly path: string;
  /** Why it was not brought back. Localized. */
  readonly problem?: string;
}

/** `redo` and `forget` are about what was undone: their one id is its. */
export const CHANGE_ACTIONS = ['keep', 'undo', 'review', 'redo', 'forget'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** Ids that one message may name: all that is shown. */
export const MAX_CHANGES = 5_000;
