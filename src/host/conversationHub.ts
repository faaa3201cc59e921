import { DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import { ConversationPlace, type PlacePorts } from './conversationPlace';
import { WINDOW_PLACE } from './placeIds';

export type HubPorts = Omit<PlacePorts, 'onEnded'> & { readonly log: Logger };

/** The conversations of this window: one in the side bar, one in each editor tab. */
export class ConversationHub {
  readonly #ports: HubPorts;
  readonly #places = new Map<string, { place: ConversationPlace; store: DisposableStore }>();
  readonly #turnChanged = new Emitter<ConversationPlace>();
  readonly #endings = new Set<Promise<void>>();
  #activeId = WINDOW_PLACE;

  readonly onDidChangeTurn: Event<ConversationPlace> = this.#turnChanged.event;

  constructor(ports: HubPorts) {
    this.#ports = ports;
  }

  /** The place of this id; made on first use, with a conversation that has started nothing yet. */
  place(id: string): ConversationPlace {
    const known = this.#places.get(id);
    if (known) return known.place;
    const store = new DisposableStore();
    const place = store.add(
      new ConversationPlace(id, {
        ...this.#ports,
        onEnded: (ending) => {
          this.#await(ending);
        },
      }),
    );
    store.add(
      place.onDidChangeTurn(() => {
        this.#turnChanged.fire(place);
      }),
    );
    this.#places.set(id, { place, store });
    return place;
  }

  /** The place that commands mean: the one that the person used last. */
  get active(): ConversationPlace {
    return this.place(this.#activeId);
  }

  setActive(place: ConversationPlace): void {
    this.#activeId = place.id;
  }

  get all(): readonly ConversationPlace[] {
    return [...this.#places.values()].map((entry) => entry.place);
  }

  /** What Stop means: the active one if it runs, else any that does. */
  get running(): ConversationPlace | undefined {
    const active = this.#places.get(this.#activeId)?.place;
    if (active?.isRunning) return active;
    return this.all.find((place) => place.isRunning);
  }

  /** Ends the conversation of a closed editor tab. */
  close(id: string): void {
    const entry = this.#places.get(id);
    if (!entry) return;
    this.#places.delete(id);
    if (this.#activeId === id) this.#activeId = WINDOW_PLACE;
    entry.store.dispose();
    entry.place.putDraftAway();
    this.#turnChanged.fire(entry.place);
  }

  /** Resolves when the processes of all conversations that have ended so far are gone. */
  async ended(): Promise<void> {
    await Promise.all(this.#endings);
  }

  /** Ends all conversations; resolves when every process of theirs is gone. */
  async dispose(): Promise<void> {
    for (const { store } of this.#places.values()) store.dispose();
    this.#places.clear();
    this.#turnChanged.dispose();
    await Promise.all(this.#endings);
  }

  #await(ending: Promise<void>): void {
    const tracked = ending
      .catch((error: unknown) => {
        this.#ports.log.error('A conversation could not be ended', error);
      })
      .finally(() => this.#endings.delete(tracked));
    this.#endings.add(tracked);
  }
}
