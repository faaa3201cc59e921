import type { KeptConversation } from '../conversation/conversationPorts';
import { draftOwner } from './placeDrafts';
import type { KeptPlace } from './placeStore';

/** What outlives the window. */
export interface PlacesPort {
  get(place: string): KeptPlace | undefined;
  set(place: string, kept: KeptPlace | undefined): void;
  /** Under which ids something of this session is kept. */
  ofSession(sessionId: string): readonly string[];
}

/**
 * What waits to be sent in the conversation of one place, and what was chosen in it. Left for another
 * one it is put away, and it is there again where its conversation is shown next. What waits in one
 * that is no session yet goes on waiting for the next that begins here.
 */
export class PlaceQueues {
  readonly #place: string;
  readonly #places: PlacesPort;

  constructor(place: string, places: PlacesPort) {
    this.#place = place;
    this.#places = places;
  }

  /**
   * A conversation of this session takes the place; of none, a new one.
   * @returns what is kept of it so far; undefined for nothing
   */
  turn(sessionId: string | undefined): KeptConversation | undefined {
    this.putAway();
    const kept = this.#take(sessionId);
    const queue = kept.flatMap((one) => one.queue);
    if (sessionId !== undefined) {
      const sent = kept.flatMap((one) => one.sent);
      return { ...leftBehind(kept.at(-1)), sessionId, queue, sent };
    }
    const held = queue.map((prompt) => ({ ...prompt, held: true }));
    return held.length === 0 ? undefined : { queue: held, sent: [] };
  }

  /** Of the conversation that is kept at the place. */
  putAway(): void {
    const { folder, conversation } = this.#places.get(this.#place) ?? {};
    if (folder === undefined || conversation === undefined) return;
    const { sessionId, queue, sent } = conversation;
    const chosen = sessionId === undefined ? undefined : leftBehind(conversation);
    if (queue.length + sent.length === 0 && !isWorthKeeping(chosen)) return;
    const owner = draftOwner(this.#place, sessionId);
    this.#places.set(owner, { folder, conversation: { ...chosen, sessionId, queue, sent } });
  }

  /**
   * Also of a tab that is closed, or has not been looked at since the window is back: that one begins
   * anew then, since two agents on one session would split it.
   */
  #take(sessionId: string | undefined): readonly KeptConversation[] {
    const places = this.#places;
    const owner = draftOwner(this.#place, undefined);
    const ids = sessionId === undefined ? [owner] : places.ofSession(sessionId);
    return ids.flatMap((id) => {
      const kept = places.get(id)?.conversation;
      places.set(id, undefined);
      return kept ?? [];
    });
  }
}

/** Without what the person allowed: they are asked again. */
function leftBehind({
  grants: _grants,
  ...rest
}: Partial<KeptConversation> = {}): Partial<KeptConversation> {
  return rest;
}

/** What the CLI's own file does not bring back. */
function isWorthKeeping(kept: Partial<KeptConversation> | undefined): boolean {
  const {
    mode,
    modeChosen,
    modelChosen,
    effort,
    pins = [],
    questions = [],
    asks = [],
  } = kept ?? {};
  const isChosen = modeChosen === true || modelChosen === true || mode === 'plan';
  return isChosen || effort !== undefined || [...pins, ...questions, ...asks].length > 0;
}
