import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { ImageRef } from '../chat/imageProtocol';
import type { Patch } from '../chat/patchProtocol';
import type { HostMessage, PromptEdit } from '../chat/viewProtocol';
import type { ViewState } from '../chat/viewStateProtocol';
import type { Clock } from './clock';
import type { Conversation } from './conversationPorts';

/** One frame of the screen, in milliseconds: no view gets patches more often. */
export const FRAME_MS = 16;

/** What is drawn. */
export type PumpSource = Pick<Conversation, 'onDidChange' | 'snapshot' | 'takePatches'>;

/** Messages that carry no state: they have no number and wait until the view has a snapshot. */
export type DirectMessage = Extract<
  HostMessage,
  {
    type:
      | 'focusInput'
      | 'openFind'
      | 'openConversations'
      | 'insertText'
      | 'submitted'
      | 'edited'
      | 'suggestions'
      | 'conversations'
      | 'pastedCode'
      | 'picture'
      | 'image'
      | 'symbols'
      | 'attachFiles'
      | 'attachRefused'
      | 'read';
  }
>;

type InsertText = Extract<DirectMessage, { type: 'insertText' }>;

export interface PumpTarget {
  /** Hands a message to the webview; false when it surely did not get there. */
  post(message: HostMessage): PromiseLike<boolean>;
}

export interface PumpOptions {
  readonly clock: Clock;
  /** The unsent text of the input, given back with every snapshot. */
  readonly draft: () => string;
  /** The name of the input: another one has another draft. */
  readonly draftBox?: () => string;
  /** An earlier prompt that is being edited, given back as well. */
  readonly edit?: () => PromptEdit | undefined;
  /** The pictures beside it. */
  readonly draftImages?: () => readonly ImageRef[];
  /** The bundle of the editor's language; undefined for English. */
  readonly l10n: () => Record<string, string> | undefined;
  /** A view that could not be posted to. The others are not touched. */
  readonly onError: (error: unknown) => void;
  /** Text for an input whose view has gone before it got there: it is for the next one. */
  readonly onUnsent?: (message: InsertText) => void;
}

/** One view on the pump. Disposing it detaches the view. */
export interface PumpedView extends Disposable {
  /** The webview's script listens from now on, with nothing drawn: it gets a snapshot. */
  ready(): void;
  setVisible(visible: boolean): void;
  send(message: DirectMessage): void;
}

/**
 * Brings the state of one conversation to any number of views.
 *
 * The patches of a conversation can be taken once only, so they are taken in one place, once a
 * frame, and in that same frame a view that needs a snapshot gets it: a snapshot then holds exactly
 * what the views before it have got in patches, and no patch is lost or doubled. A hidden view gets
 * nothing (messages to it may be lost), and a snapshot once it is visible again if it missed any.
 */
export class ViewPump implements Disposable {
  readonly #options: PumpOptions;
  readonly #views = new Set<View>();
  readonly #flushed = new Emitter<readonly Patch[]>();
  #source: PumpSource | undefined;
  #listener: Disposable | undefined;
  #timer: Disposable | undefined;
  #lastFrame = -Infinity;
  #disposed = false;

  constructor(options: PumpOptions) {
    this.#options = options;
  }

  /** What was taken in a frame, views or not. */
  readonly onDidFlush: Event<readonly Patch[]> = this.#flushed.event;

  /** Shows another conversation; every view gets a snapshot of it. */
  setSource(source: PumpSource): void {
    if (this.#disposed) return;
    this.#listener?.dispose();
    this.#source = source;
    this.#listener = source.onDidChange(() => {
      this.#schedule();
    });
    for (const view of this.#views) view.missed = true;
    this.#schedule();
  }

  attach(target: PumpTarget, visible: boolean): PumpedView {
    const view = new View(target, visible);
    this.#views.add(view);
    return {
      ready: () => {
        view.isReady = true;
        view.missed = true;
        view.wantsL10n = true;
        this.#schedule();
      },
      setVisible: (value) => {
        view.visible = value;
        if (value) this.#schedule();
      },
      send: (message) => {
        view.outbox.push(message);
        this.#schedule();
      },
      dispose: () => {
        this.#detach(view);
      },
    };
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#listener?.dispose();
    for (const view of [...this.#views]) this.#detach(view);
    this.#flushed.dispose();
  }

  #detach(view: View): void {
    if (!this.#views.delete(view)) return;
    for (const message of view.outbox.splice(0)) this.#giveBack(view, message);
  }

  /** What a view has not got. What only it has asked for is of no use to another one. */
  #giveBack(view: View, message: DirectMessage): void {
    if (message.type !== 'insertText') return;
    if (!this.#views.has(view)) this.#options.onUnsent?.(message);
    // With the next frame that there is: asked again at once it would most likely not be taken either.
    else view.outbox.unshift(message);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#disposed) return;
    const elapsed = this.#options.clock.now() - this.#lastFrame;
    // Never at once: what arrives in one chunk of the CLI's output goes out as one message.
    this.#timer = this.#options.clock.after(Math.max(0, FRAME_MS - elapsed), () => {
      this.#timer = undefined;
      this.#frame();
    });
  }

  #frame(): void {
    const source = this.#source;
    if (source === undefined) return;
    this.#lastFrame = this.#options.clock.now();
    const patches = source.takePatches();
    let state: ReturnType<PumpSource['snapshot']> | undefined;
    for (const view of [...this.#views]) {
      if (!view.isReady || !view.visible) {
        view.missed ||= patches.length > 0;
      } else if (view.missed) {
        state ??= source.snapshot();
        const l10n = view.wantsL10n ? this.#options.l10n() : undefined;
        view.missed = view.wantsL10n = false;
        this.#post(view, { ...this.#snapshot(state, ++view.seq), ...(l10n && { l10n }) });
        this.#flushOutbox(view);
      } else {
        if (patches.length > 0) this.#post(view, { type: 'patches', seq: ++view.seq, patches });
        this.#flushOutbox(view);
      }
    }
    if (patches.length > 0) this.#flushed.fire(patches);
  }

  #snapshot(state: ViewState, seq: number): HostMessage {
    const { draft, draftBox, edit, draftImages } = this.#options;
    const editing = edit?.();
    const images = draftImages?.() ?? [];
    return {
      ...{ type: 'snapshot', seq, state, draft: draft() },
      ...(draftBox && { box: draftBox() }),
      ...(editing && { edit: editing }),
      ...(images.length > 0 && { images }),
    };
  }

  #flushOutbox(view: View): void {
    for (const message of view.outbox.splice(0)) this.#post(view, message);
  }

  #post(view: View, message: HostMessage): void {
    const lost = (): void => {
      if (message.type === 'snapshot' || message.type === 'patches') view.missed = true;
      else this.#giveBack(view, message);
    };
    try {
      view.target.post(message).then(
        (delivered) => {
          if (!delivered) lost();
        },
        (error: unknown) => {
          lost();
          this.#options.onError(error);
        },
      );
    } catch (error) {
      lost();
      this.#options.onError(error);
    }
  }
}

class View {
  isReady = false;
  /** The view's state is not the conversation's: only a snapshot helps. */
  missed = true;
  wantsL10n = false;
  seq = 0;
  readonly outbox: DirectMessage[] = [];

  constructor(
    readonly target: PumpTarget,
    public visible: boolean,
  ) {}
}
