import { type Disposable, DisposableStore } from '../base/disposable';
import { assertNever } from '../base/assertNever';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import {
  type InspectorCounts,
  type InspectorHostMessage,
  type InspectorMessage,
  type Redaction,
  tryParseInspectorMessage,
} from '../chat/inspectorProtocol';
import type { Clock } from '../conversation/clock';
import type { Conversation } from '../conversation/conversationPorts';
import { FrameBook } from '../conversation/wire/frameBook';
import { frameDetail, wholeFrame } from '../conversation/wire/frameDetail';
import type { RedactOptions } from '../conversation/wire/redactFrame';
import { SecretsSeen } from '../conversation/wire/secretsSeen';
import { WireLog } from '../conversation/wire/wireLog';
import { writeWireFile } from '../conversation/wire/writeWireFile';
import type { ConversationPlace } from './conversationPlace';
import { Later } from './later';

/** How long frames are gathered before they are shown, in milliseconds. */
const GATHER_MS = 100;
/** Frames that are written at once; between them the host does other things. */
const WRITTEN_AT_ONCE = 200;

/** The page of the inspector, as far as it is not VS Code's. */
export interface InspectorSurface {
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<boolean>;
  readonly onDidReceiveMessage: Event<unknown>;
  post(message: InspectorHostMessage): PromiseLike<boolean>;
}

export interface InspectorPorts {
  readonly log: Logger;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Fires also where a place gets another conversation, and where its title changes. */
  readonly onDidChangeTurn: Event<ConversationPlace>;
  /** Values that are left out wherever they stand. */
  readonly secrets: readonly string[];
  readonly extensionVersion: string | undefined;
  l10n(): Record<string, string> | undefined;
  /** Localized. */
  nameOf(place: ConversationPlace): string;
  /** Asks the person; undefined where they do not say. */
  choose(): Promise<ConversationPlace | undefined>;
  save(file: WireFile): Promise<void>;
  open(text: string, language: 'json' | 'jsonl'): Promise<void>;
  copy(text: string): Promise<void>;
  /** Shows what could not be done. */
  report(error: unknown): void;
}

/** What can be saved. */
export interface WireFile {
  readonly frames: number;
  readonly redaction: Redaction;
  text(): Promise<string>;
}

/**
 * Records the wire of one conversation while it lives, and shows it in a page that can be thrown
 * away at any moment. Nothing is recorded before it is made, and nothing after it is disposed.
 */
export class WireInspector implements Disposable {
  readonly #surface: InspectorSurface;
  readonly #ports: InspectorPorts;
  readonly #store = new DisposableStore();
  readonly #later: Later;
  readonly #secrets: SecretsSeen;
  #place: ConversationPlace;
  #conversation: Conversation | undefined;
  #listening: Disposable | undefined;
  #log: WireLog;
  #book: FrameBook;
  #redaction: Redaction = { secrets: true, contents: true };
  /** How many frames there were when it was paused. */
  #pausedAt: number | undefined;
  #isReady = false;
  #shown = 0;
  #name = '';

  constructor(surface: InspectorSurface, place: ConversationPlace, ports: InspectorPorts) {
    this.#surface = surface;
    this.#ports = ports;
    this.#place = place;
    this.#secrets = new SecretsSeen(ports.secrets);
    this.#later = this.#store.add(
      new Later(ports.clock, GATHER_MS, () => {
        this.#flush();
      }),
    );
    this.#log = this.#createLog();
    this.#book = new FrameBook(this.#log, this.#secrets, () => this.#known());
    this.show(place);
    this.#store.add(ports.onDidChangeTurn((changed) => this.#follow(changed)));
    this.#store.add(
      surface.onDidChangeVisibility((visible) => {
        // A hidden page is gone; it says `ready` when it is made anew.
        if (!visible) this.#isReady = false;
      }),
    );
    this.#store.add(surface.onDidReceiveMessage((value) => this.#receive(value)));
  }

  /** The place whose conversation is looked at. */
  get place(): ConversationPlace {
    return this.#place;
  }

  /** The page has been started, and is not hidden. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Number of the newest frame that the page was given. */
  get shown(): number {
    return this.#shown;
  }

  /** Looks at the conversation of this place. What was seen of another one is forgotten. */
  show(place: ConversationPlace): void {
    if (place === this.#place && place.conversation === this.#conversation) return;
    this.#place = place;
    this.#conversation = place.conversation;
    this.#listening?.dispose();
    this.#log = this.#createLog();
    this.#book = new FrameBook(this.#log, this.#secrets, () => this.#known());
    this.#pausedAt = undefined;
    this.#listening = place.conversation.wire.listen(this.#log);
    this.#start();
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#store.dispose();
  }

  #createLog(): WireLog {
    return new WireLog({ now: this.#ports.now, onAdd: () => this.#later.start() });
  }

  #follow(place: ConversationPlace): void {
    if (place !== this.#place) return;
    this.show(place);
    const name = this.#ports.nameOf(place);
    if (name === this.#name) return;
    this.#name = name;
    this.#post({ type: 'named', conversation: name });
  }

  #receive(value: unknown): void {
    const message = tryParseInspectorMessage(value);
    if (message === undefined) {
      this.#ports.log.warn('A message of the wire inspector was not understood and is dropped');
      return;
    }
    this.#handle(message).catch((error: unknown) => this.#ports.report(error));
  }

  // Async, so that what throws at once and what fails later end in the same place.
  async #handle(message: InspectorMessage): Promise<void> {
    const ports = this.#ports;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        this.#start();
        return;
      case 'choose': {
        const place = await ports.choose();
        if (place && !this.#store.isDisposed) this.show(place);
        return;
      }
      case 'pause':
        this.#pause(message.on);
        return;
      case 'clear':
        this.#log.clear();
        if (this.#pausedAt !== undefined) this.#pausedAt = this.#log.total;
        this.#start();
        return;
      case 'redact':
        this.#redaction = { secrets: message.secrets, contents: message.contents };
        return;
      case 'detail':
        this.#detail(message.n);
        return;
      case 'save':
        return ports.save(this.file());
      case 'openAll':
        return ports.open(await this.file().text(), 'jsonl');
      case 'openFrame':
        return ports.open(this.#whole(message.n), 'json');
      case 'copyFrame':
        return ports.copy(this.#whole(message.n));
      case 'viewError':
        ports.log.error(`The wire inspector reports: ${message.message}`);
        return;
      default:
        assertNever(message, 'inspector message');
    }
  }

  #start(): void {
    this.#name = this.#ports.nameOf(this.#place);
    const l10n = this.#ports.l10n();
    this.#post({
      type: 'start',
      conversation: this.#name,
      rows: this.#book.all(this.#pausedAt),
      counts: this.#counts(),
      isPaused: this.#pausedAt !== undefined,
      redaction: this.#redaction,
      ...(l10n ? { l10n } : {}),
    });
    if (this.#canPost()) this.#shown = this.#pausedAt ?? this.#log.total;
  }

  #flush(): void {
    // Also for a page that is hidden: what a frame tells of secrets is learned before it is dropped.
    this.#book.read();
    if (!this.#canPost()) return;
    const counts = this.#counts();
    if (this.#pausedAt !== undefined) {
      this.#post({ type: 'counts', counts, isPaused: true });
      return;
    }
    this.#post({ type: 'frames', ...this.#book.take(), counts });
    this.#shown = this.#log.total;
  }

  #pause(on: boolean): void {
    // What came until now is shown.
    if (on) this.#flush();
    this.#pausedAt = on ? this.#log.total : undefined;
    this.#post({ type: 'counts', counts: this.#counts(), isPaused: on });
    if (!on) this.#flush();
  }

  #counts(): InspectorCounts {
    const { first, dropped, total } = this.#log;
    return { first, dropped, missed: total - (this.#pausedAt ?? total) };
  }

  /** The detail hides no contents: they are the person's own, and saving is another matter. */
  #inDetail(): RedactOptions {
    return { secrets: this.#redaction.secrets, contents: false, known: this.#known() };
  }

  #known(): readonly string[] {
    return [...this.#secrets.values, ...(this.#conversation?.wire.secrets ?? [])];
  }

  #detail(n: number): void {
    const entry = this.#log.get(n);
    const gone = { n, text: undefined, isFolded: false, hidden: 0 };
    this.#post({ type: 'detail', detail: entry ? frameDetail(entry, this.#inDetail()) : gone });
  }

  #whole(n: number): string {
    const entry = this.#log.get(n);
    return entry ? wholeFrame(entry, this.#inDetail()) : '';
  }

  /** As it is now: frames that come while it is written are not in it. */
  file(): WireFile {
    // For the CLI's version, and for secrets to leave out.
    this.#book.read();
    const entries = this.#log.from(1);
    const redaction = this.#redaction;
    const facts = {
      cli: this.#book.cliVersion,
      extension: this.#ports.extensionVersion,
      savedAt: this.#ports.now(),
      dropped: this.#log.dropped,
    };
    const options = { ...redaction, known: this.#known() };
    return {
      frames: entries.length,
      redaction,
      text: () => gathered(writeWireFile(entries, facts, options)),
    };
  }

  #canPost(): boolean {
    return this.#isReady && this.#surface.visible;
  }

  #post(message: InspectorHostMessage): void {
    if (!this.#canPost()) return;
    this.#surface.post(message).then(undefined, (error: unknown) => {
      this.#ports.log.error('The wire inspector could not be posted to', error);
    });
  }
}

async function gathered(pieces: Iterable<string>): Promise<string> {
  const all: string[] = [];
  for (const piece of pieces) {
    all.push(piece);
    if (all.length % WRITTEN_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return all.join('');
}
