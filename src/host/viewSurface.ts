import type { Event } from '../base/event';
import type { HostMessage } from '../chat/viewProtocol';

/** One webview that draws a conversation, in the side bar or as an editor tab. */
export interface ViewSurface {
  /** Which conversation it draws: the id of its {@link ConversationPlace}. */
  readonly place: string;
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<boolean>;
  /** It has the focus, as an editor tab tells; the side bar does not tell. */
  readonly onDidActivate: Event<void>;
  readonly onDidDispose: Event<void>;
  /** What the webview posts, from its first message on: none is lost before somebody listens. */
  readonly onDidReceiveMessage: Event<unknown>;
  /** False when the message surely did not get there. */
  post(message: HostMessage): PromiseLike<boolean>;
  /** Brings it to the front with the focus. */
  reveal(): void;
  setTitle(title: string): void;
  /** How many questions wait; 0 takes the badge away. */
  setBadge(count: number): void;
  /** Loads the page afresh. */
  reload(): void;
  /** Replaces the chat by a page that says why it cannot be shown. `reason` is localized. */
  showFailure(reason: string): void;
}
