/** What the open row of a call shows for its kind, beside input and result. Plain data for the view. */

/** What a call is about, whole: the command, the file, the pattern, the address. */
export interface ToolSubject {
  readonly kind: 'command' | 'file' | 'pattern' | 'url';
  /** What hides in it made visible; cut at {@link SUBJECT_LIMIT}. */
  readonly text: string;
  /** As a link of the transcript is written: the host opens it after a check. */
  readonly href?: string;
  /** `lines 10–49 of 300`, `in src, *.ts`. */
  readonly detail?: string;
}

/** How many characters of a subject the view gets. */
export const SUBJECT_LIMIT = 4000;

export type TodoState = 'pending' | 'active' | 'done';

export interface TodoEntry {
  readonly text: string;
  readonly state: TodoState;
}

/** The agent's list of what it has to do, as it stood after a call. */
export interface TodoPart {
  readonly entries: readonly TodoEntry[];
  /** How many more there are. */
  readonly more?: number;
  /** It is the list as it stands now. */
  readonly isLatest: boolean;
}

/** What was found in the web. */
export interface WebLink {
  readonly title: string;
  readonly url: string;
}

/** A result that is a list of alike records. */
export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows that are not here. */
  readonly moreRows?: number;
}

/** A picture of a result. Its bytes are not part of the state: the view asks for them. */
export interface ResultImage {
  readonly mediaType: string;
  readonly bytes: number;
}

/** The kinds of pictures that a page draws without anything in them acting. */
export const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
];
