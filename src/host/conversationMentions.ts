import * as l10n from '@vscode/l10n';
import type { Logger } from '../base/logger';
import { fuzzyScore } from '../chat/fuzzyMatch';
import { mentionText } from '../chat/mentions';
import { conversationTarget } from '../chat/namedMentions';
import type { SuggestPart } from '../conversation/conversationPorts';
import type { ListedConversation } from '../sessions/conversationList';

type Row = SuggestPart['rows'][number];

/** While somebody types, the disk is not asked for each letter. In milliseconds. */
const KEPT_MS = 10_000;
const SHOWN = 10;
const FEWEST_LETTERS = 2;

export interface PastPorts {
  readonly log: Logger;
  readonly now: () => number;
  /** Newest first. */
  readonly list: (folder: string) => Promise<readonly ListedConversation[]>;
}

/** The past conversations of a folder, to be mentioned in another one. */
export class ConversationMentions {
  readonly #ports: PastPorts;
  #known:
    | {
        readonly folder: string;
        readonly at: number;
        readonly listed: Promise<readonly ListedConversation[]>;
      }
    | undefined;

  constructor(ports: PastPorts) {
    this.#ports = ports;
  }

  /** @param here the session of the conversation that asks: it knows itself */
  async rows(text: string, folder: string, here: string | undefined): Promise<SuggestPart> {
    // A bare sign offers what is at hand.
    if (text.length < FEWEST_LETTERS) return { rows: [] };
    const listed = await this.#listed(folder);
    return {
      rows: listed
        .filter(({ sessionId }) => sessionId !== here)
        .flatMap((one, index) => row(one, text, index))
        .sort((a, b) => b.score - a.score)
        .slice(0, SHOWN),
    };
  }

  #listed(folder: string): Promise<readonly ListedConversation[]> {
    const { now, list, log } = this.#ports;
    const known = this.#known;
    if (known?.folder === folder && now() - known.at < KEPT_MS) return known.listed;
    const listed = list(folder).catch((error: unknown) => {
      log.warn(`The conversations could not be listed for a mention: ${String(error)}`);
      return [];
    });
    this.#known = { folder, at: now(), listed };
    return listed;
  }
}

/** So much is a word that stands there; less are letters that only happen to. */
const STANDS_THERE = 1_000;
const KIND = 'conversation:';

/** `conv` lists the newest; else the words of a title do. */
function row(
  { sessionId, title, firstPrompt }: ListedConversation,
  text: string,
  age: number,
): readonly Row[] {
  const name = title ?? firstPrompt ?? '';
  const words = text.startsWith(KIND) ? text.slice(KIND.length) : text;
  const byName = words === '' ? 0 : (fuzzyScore(words, name) ?? 0);
  const isKind = KIND.startsWith(text.toLowerCase());
  const fits = byName >= STANDS_THERE ? byName : isKind ? STANDS_THERE - age : undefined;
  if (fits === undefined) return [];
  return [
    {
      id: `conversation ${sessionId}`,
      icon: 'comment-discussion',
      label: name === '' ? sessionId : name,
      origin: l10n.t('Conversation'),
      insert: `${mentionText(conversationTarget(name, sessionId))} `,
      // Behind a file, a symbol or a tool's thing of that name.
      score: fits - 100,
    },
  ];
}
