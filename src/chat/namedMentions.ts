import { ellipsize } from '../base/cutText';

/** What a mention may name that is neither a file nor of a server. */
export type NamedMention =
  /** `problems`, `problems:src/a.ts` */
  | { readonly kind: 'problems'; readonly file: string | undefined }
  /** `git:changes` */
  | { readonly kind: 'changes' }
  /** `terminal:selection` */
  | { readonly kind: 'terminal' }
  /** `conversation:What it is about 1a2b3c4d`: `start` is how its session's id begins. */
  | { readonly kind: 'conversation'; readonly start: string };

export const CHANGES_MENTION = 'git:changes';
export const TERMINAL_MENTION = 'terminal:selection';
const ID_CHARS = 8;
const TITLE_CHARS = 60;

/** A name with a colon, so that a folder `terminal` is still a folder. */
export function tryParseNamed(target: string): NamedMention | undefined {
  if (target === CHANGES_MENTION) return { kind: 'changes' };
  if (target === TERMINAL_MENTION) return { kind: 'terminal' };
  const [, start] = /^conversation:(?:.* )?([0-9a-f]{8})$/u.exec(target) ?? [];
  if (start !== undefined) return { kind: 'conversation', start };
  const [problems, file] = /^problems(?::(.+))?$/u.exec(target) ?? [];
  return problems === undefined ? undefined : { kind: 'problems', file };
}

/** What names a past conversation: for the person its title, for us the beginning of its id. */
export function conversationTarget(title: string, sessionId: string): string {
  const words = ellipsize(title.replace(/[\s"]+/gu, ' ').trim(), TITLE_CHARS);
  const id = sessionId.slice(0, ID_CHARS);
  return `conversation:${words === '' ? id : `${words} ${id}`}`;
}
