/** How many rows of past conversations are drawn at once; a search narrows them down. */
export const CONVERSATIONS_SHOWN = 100;

/** A past conversation of the folder, as the list shows it. */
export interface ConversationRow {
  readonly sessionId: string;
  /** Its title, else what the person said first. */
  readonly title: string;
  /** What the person said first, where the title is another text. */
  readonly about?: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly changedAt: number;
  /** Shown in this panel, or in another place of the window. */
  readonly open?: 'here' | 'elsewhere';
}

/** All conversations of the folder, newest first, or why there are none to show. */
export type ConversationsAnswer =
  | {
      readonly kind: 'list';
      readonly rows: readonly ConversationRow[];
      /** That can be brought back: the one that was deleted just now. */
      readonly deleted?: { readonly sessionId: string; readonly title: string };
      /** Why what was asked for was not done, localized. */
      readonly problem?: string;
    }
  /** `reason` is localized and says what to do. */
  | { readonly kind: 'failed'; readonly reason: string };

/** How long a title may be, in characters. */
export const MAX_TITLE = 200;

/** The rows that have all words of the search, in title or first prompt, in their order. */
export function searchConversations(
  rows: readonly ConversationRow[],
  search: string,
): readonly ConversationRow[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ title, about = '' }) => {
    const text = `${title}\n${about}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
