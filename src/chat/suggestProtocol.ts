/** How many rows a list of suggestions has at most. */
export const SUGGEST_LIMIT = 50;

/** What the message box wants suggestions for. The view finds the word, the host knows what fits. */
export type SuggestQuery =
  /** A slash command; `text` stands behind the slash. */
  | { readonly kind: 'command'; readonly text: string }
  /** An argument of a command; `given` stands between the command's name and the word. */
  | {
      readonly kind: 'argument';
      readonly command: string;
      readonly given: string;
      readonly text: string;
    }
  /** A mention; `text` stands behind the `@`, without a quote. */
  | { readonly kind: 'mention'; readonly text: string };

/** One row of the list. */
export interface SuggestRow {
  /** Its own among the rows of one answer. */
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  /** In one line with the label: a command's arguments, a file's folder. */
  readonly detail?: string;
  /** At the right: which server it is of. */
  readonly origin?: string;
  /** A line of its own. */
  readonly description?: string;
  /** Takes the word's place in the box, sign included; what must follow it is part of it. */
  readonly insert: string;
  /** It is a command of the panel's own: choosing it runs it. */
  readonly runs?: true;
}

export interface SuggestAnswer {
  /** Best first, at most {@link SUGGEST_LIMIT}. */
  readonly rows: readonly SuggestRow[];
  /** What could not be asked, or is only a part, a line each. */
  readonly notes: readonly string[];
  /** A later answer to the same query may have more. */
  readonly isPending: boolean;
  /** What the command still takes, where it is known. */
  readonly hint?: string;
  /** The rows are an offer only: none is chosen until the person moves to it. */
  readonly isOptional?: boolean;
}
