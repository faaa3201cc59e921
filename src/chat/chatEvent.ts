import type { FormDraft } from '../base/formField';
import type { UserMessage } from '../protocol/conversationMessages';
import type { CliMessage } from '../protocol/messages';
import type { ImageRef } from './imageProtocol';
import type { AskCard, AskOutcome, PlanCard } from './askProtocol';
import type { SetUp } from './setUpProtocol';
import type {
  ErrorItem,
  ExpansionPart,
  ModelOption,
  ModeOption,
  NoticeItem,
  PermissionCard,
  QueuedPrompt,
  ToolAction,
  Usage,
  ViewFields,
} from './viewStateProtocol';

/** What an alert says; the model gives it its id. */
export type ErrorFields = Omit<ErrorItem, 'kind' | 'id'>;

/** `interrupted` stands where a process was killed in a turn and a later one went on. */
export type RestoredMessage = CliMessage | RestoredPrompt | { readonly type: 'interrupted' };

/** A prompt with what went with it. */
export type RestoredPrompt = UserMessage & {
  readonly images: readonly ImageRef[];
  readonly expansion?: readonly ExpansionPart[] | undefined;
};

/** `lost` is told by what ended the process. */
export type PermissionOutcome = 'allowed' | 'denied' | 'withdrawn' | 'lost';

/**
 * Everything that can change the conversation: what the CLI sent, what the person did, and what
 * happened to the process. `conversation/` makes these; the model turns them into patches.
 */
export type ChatEvent =
  /** Any message of the CLI that is not a control request or response. Order matters. */
  | { readonly type: 'message'; readonly message: CliMessage }
  /**
   * A prompt goes to the CLI (or is folded into the running turn): adds the person's item.
   * A second event with the same id adds what the first one did not know: what the model got.
   */
  | {
      readonly type: 'promptSubmitted';
      readonly id: string;
      readonly text: string;
      readonly expansion?: readonly ExpansionPart[] | undefined;
      /** The uuid under which it goes over the wire and to the disk: a fresh one each time. */
      readonly wireId?: string | undefined;
      readonly images?: readonly ImageRef[] | undefined;
      /** It went into a running turn, and the CLI has not taken it up. */
      readonly waits?: boolean | undefined;
    }
  /** The CLI has taken up a prompt that waited in its turn. */
  | { readonly type: 'promptTaken'; readonly id: string }
  /** The whole list of waiting prompts, as it is now. */
  | { readonly type: 'queueChanged'; readonly queue: readonly QueuedPrompt[] }
  /** A prompt was written to the CLI and nothing came back yet. */
  | { readonly type: 'turnStarting' }
  /** A tool of ours tells how far it is, in words for its row. Nothing where the call is not running. */
  | { readonly type: 'toolProgress'; readonly toolUseId: string; readonly text: string }
  | { readonly type: 'permissionRequested'; readonly card: PermissionCard }
  /** What the person has typed so far as the reason of a no. */
  | { readonly type: 'permissionDrafted'; readonly cardId: string; readonly draft: string }
  /**
   * The card leaves. `toolUseId` is needed only where the card named none; `reason` is what the
   * person typed, shown on the refused call.
   */
  | {
      readonly type: 'permissionSettled';
      readonly cardId: string;
      readonly outcome: PermissionOutcome;
      readonly toolUseId?: string;
      readonly reason?: string;
    }
  | { readonly type: 'askRequested'; readonly card: AskCard }
  /** What the person has put into a card so far. */
  | { readonly type: 'askDrafted'; readonly cardId: string; readonly draft: FormDraft }
  /** The person has edited the plan of a card, or commented on it: the card as it is now. */
  | { readonly type: 'planReviewed'; readonly card: PlanCard }
  /** The card leaves; a line or a row says what became of it. `reason`: what the person said to a no. */
  | {
      readonly type: 'askSettled';
      readonly cardId: string;
      readonly outcome: AskOutcome;
      readonly reason?: string | undefined;
    }
  /** The process is being started. */
  | { readonly type: 'cliStarting' }
  /** `initialize` was answered. Absent fields keep their value. */
  | {
      readonly type: 'cliReady';
      readonly models?: readonly ModelOption[];
      readonly model?: string;
      readonly modes?: readonly ModeOption[];
      readonly mode?: string;
      readonly toolCount?: number;
    }
  /**
   * The process has ended. What streamed stays, what ran is marked as cancelled, open cards leave.
   * With `error` an alert is added: an end that nobody asked for.
   */
  | { readonly type: 'cliExited'; readonly error?: ErrorFields }
  /** A process that had nothing to do was ended; nothing that can be seen changes. */
  | { readonly type: 'cliParked' }
  /** What a resumed process counts on from, in US dollars: it was told before. */
  | { readonly type: 'costCounted'; readonly usd: number }
  /** The prompt was taken back before the CLI took it up: no `result` follows. */
  | { readonly type: 'turnDropped'; readonly stopped: boolean }
  /** The person pressed Stop; the CLI has not confirmed yet. */
  | { readonly type: 'stopRequested' }
  /** The CLI did not take the stop (or had nothing to stop): back to what the turn was doing. */
  | { readonly type: 'stopFailed' }
  /** Something of ours failed; an alert is added. With `endsTurn` the status becomes Failed. */
  | { readonly type: 'failed'; readonly error: ErrorFields; readonly endsTurn?: boolean }
  | {
      readonly type: 'notice';
      readonly text: string;
      readonly tone?: NoticeItem['tone'];
      readonly actions?: NoticeItem['actions'];
    }
  /** What was missing is there: alerts that ask for it go, and what they kept can be sent again. */
  | { readonly type: 'setUpDone'; readonly what: SetUp['lacks'] }
  /** An item that is done with: the alert whose Retry was pressed. */
  | { readonly type: 'itemRemoved'; readonly id: string }
  /** Sets fields that nothing on the wire knows: folder, suggestions, notice, send key. */
  | { readonly type: 'fields'; readonly fields: Partial<ViewFields> }
  /** The person chose a model, by its id in the list. */
  | { readonly type: 'modelChosen'; readonly model: string }
  /** Offers (or, empty, takes back) actions on a tool call that was refused. */
  | {
      readonly type: 'toolActions';
      readonly toolUseId: string;
      readonly actions: readonly ToolAction[];
    }
  /**
   * A conversation as the disk has it, drawn before what was said since. A `user` message whose
   * content is a text is a prompt; `isInterrupted`: its last turn never ended.
   */
  | {
      readonly type: 'restored';
      readonly messages: readonly RestoredMessage[];
      readonly title?: string | undefined;
      readonly isInterrupted: boolean;
      /** It is so long that earlier messages are left out. */
      readonly isCut: boolean;
      /** What it had used, which is not on the disk. */
      readonly usage?: Usage | undefined;
      /** Said below it, before what came since. */
      readonly note?: string | undefined;
    }
  /** A new conversation: empties transcript, title, usage, cards and queue. */
  | { readonly type: 'cleared' };
