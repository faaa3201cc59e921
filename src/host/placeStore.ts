import {
  array,
  boolean,
  catch as orElse,
  enum as oneOf,
  looseObject,
  number,
  optional,
  safeParse,
  string,
} from 'zod/mini';
import type { Logger } from '../base/logger';
import { askCardSchema } from '../chat/askCardSchema';
import { imageRefSchema } from '../chat/imageRefSchema';
import type { ImageRef } from '../chat/imageProtocol';
import { isUntouched } from '../conversation/conversationMemory';
import type { KeptConversation } from '../conversation/conversationPorts';
import { StoredTable, type StoredTableFiles } from './storedTable';

/** The conversation of a place, and the folder in which it works. */
export interface KeptPlace {
  readonly folder: { readonly name: string; readonly path: string };
  readonly conversation: KeptConversation;
}

// Loose, so that what a later version writes is still there after this one.
// What the conversation can do without: one that does not fit is left out, and the rest is back.
const spare = <T extends Parameters<typeof optional>[0]>(schema: T) =>
  orElse(optional(schema), undefined);
const selection = looseObject({
  file: spare(string()),
  path: string(),
  from: number(),
  to: number(),
  text: spare(string()),
});
const prompt = {
  ...{ id: string(), text: string() },
  images: spare(array(imageRefSchema)),
  selection: spare(selection),
};
const schema = looseObject({
  folder: looseObject({ name: string(), path: string() }),
  conversation: looseObject({
    sessionId: optional(string()),
    queue: array(looseObject({ ...prompt, held: spare(boolean()), leads: spare(boolean()) })),
    sent: array(looseObject({ ...prompt, wireId: string(), held: spare(boolean()) })),
    questions: spare(
      array(
        looseObject({
          id: string(),
          toolUseId: optional(string()),
          toolName: string(),
          title: string(),
          what: spare(string()),
          facts: spare(array(string())),
          said: spare(string()),
          body: string(),
          bodyKind: oneOf(['command', 'path', 'url', 'json']),
          reason: optional(string()),
          conversationRule: optional(string()),
          draft: spare(string()),
        }),
      ),
    ),
    asks: spare(array(askCardSchema)),
    pins: spare(array(string())),
    mode: spare(string()),
    modeChosen: spare(boolean()),
    modeBeforePlan: spare(string()),
    model: spare(string()),
    modelChosen: spare(boolean()),
    effort: spare(string()),
    grants: spare(looseObject({ rules: array(string()), folders: array(string()) })),
    usage: spare(
      looseObject({
        costUsd: number(),
        inputTokens: number(),
        outputTokens: number(),
        turns: number(),
        contextFill: optional(number()),
        contextTokens: optional(number()),
      }),
    ),
  }),
});

/** Places, and conversations that were left with something that waits or was chosen. */
const MAX_PLACES = 100;

/** Which conversation stands at which place. Survives a kill of the extension host. */
export class PlaceStore {
  readonly #table: StoredTable<KeptPlace>;

  private constructor(table: StoredTable<KeptPlace>) {
    this.#table = table;
  }

  /** Reads the newest of the files and writes the first. One that is missing or damaged counts as empty. */
  static async open(files: StoredTableFiles, log: Logger): Promise<PlaceStore> {
    const parse = (value: unknown): KeptPlace | undefined => safeParse(schema, value).data;
    return new PlaceStore(
      await StoredTable.open({ files, log, what: 'Conversations', parse, max: MAX_PLACES }),
    );
  }

  get(place: string): KeptPlace | undefined {
    return this.#table.get(place);
  }

  /** Under which ids something of this session is kept. */
  ofSession(sessionId: string): readonly string[] {
    return this.#table.placesOf(({ conversation }) => conversation.sessionId === sessionId);
  }

  /** The pictures of all messages that wait. */
  get images(): readonly ImageRef[] {
    return this.#table.values.flatMap(({ conversation: { queue, sent } }) =>
      [...queue, ...sent].flatMap(({ images }) => images ?? []),
    );
  }

  /** A conversation in which nothing was said or chosen leaves nothing to keep. */
  set(place: string, kept: KeptPlace | undefined): void {
    const isEmpty = kept === undefined || isUntouched(kept.conversation);
    if (isEmpty && this.get(place) === undefined) return;
    this.#table.set(place, isEmpty ? undefined : kept);
  }

  /** Resolves when all that was set is on the disk, or could not be written (logged). */
  flush(): Promise<void> {
    return this.#table.flush();
  }
}
