import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { UserFacingError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { FormDraft } from '../base/formField';
import type { AskCard, AskReply, PlanCard, PlanReview } from '../chat/askProtocol';
import type { FileForm } from '../chat/fileForm';
import type { ImageData } from '../chat/imageShelf';
import type { PanelCommandCall } from '../chat/panelCommands';
import type { Patch } from '../chat/patchProtocol';
import type { PermissionAnswerKind } from '../chat/permissionAnswer';
import type { SetUp } from '../chat/setUpProtocol';
import type { SuggestQuery, SuggestRow } from '../chat/suggestProtocol';
import type { QueueAction } from '../chat/viewProtocol';
import type { SentSelection } from '../chat/selectionProtocol';
import type {
  PermissionCard,
  PromptExtras,
  QueuedPrompt,
  Usage,
  ViewFields,
  ViewState,
} from '../chat/viewStateProtocol';
import type { ExternalServer } from '../cli/collectServers';
import type { CliSettings } from '../cli/prepareCli';
import type { ServersFor } from '../cli/serverBook';
import type { WireSeat } from '../cli/wireSeat';
import type { ConversationDigest } from '../sessions/conversationDigest';
import type { LineTransport } from '../cli/lineTransport';
import type { SpawnCliOptions } from '../cli/spawnCli';
import type { OfferedServers } from '../mcp/switchedServers';
import type { RuleText } from '../rules/permissionRule';
import type { ImagesPort, Picture } from './conversationImages';
import type { HookBook } from './hookBook';
import type { KeptGrants } from './sessionGrants';
import type { ToolCall } from './toolCallWatch';
import type { SpareSeat } from './spareSeat';
import type { TasksPort } from './taskDesk';
import type { ChangedFilesPort, ChangesPort } from './changeDesk';
import type { Clock } from './clock';
import type { TelemetryPort } from './conversationTelemetry';

/** What the person's settings say, read afresh at each start of the CLI. */
export interface ConversationSettings extends CliSettings {
  /** `patchbay.cli.arguments`: added to those that Patchbay gives. */
  readonly cliArguments: readonly string[];
  /** `patchbay.allowBypassPermissions`: counts in a trusted workspace only. */
  readonly allowBypassPermissions?: boolean | undefined;
  /** `patchbay.initialPermissionMode`; empty for the CLI's own default. */
  readonly initialPermissionMode: string;
  /** `patchbay.model`; empty for the CLI's own default. */
  readonly model: string;
  /** `patchbay.allowedTools`: rules of tools that run without a question. */
  readonly allowedTools?: readonly string[];
  /** `patchbay.cli.parkAfterMinutes`: an idle CLI is ended after so long; 0 for never. */
  readonly parkAfterMinutes: number;
}

/** The editor's buffers, for the guard and for the cards. Paths are absolute. */
export interface BuffersPort {
  /** The files of which an editor holds unsaved changes, as the editor names them: a link may lead there. */
  dirtyFiles(): readonly string[];
  /** Saves the file's buffer. False when it could not be saved. */
  save(path: string): Promise<boolean>;
  /** Throws the buffer's changes away. False when that failed. */
  discard(path: string): Promise<boolean>;
  /** The file as the person sees it: the buffer where one is open, else the disk; undefined if neither. */
  read(path: string): Promise<string | undefined>;
  /** How the file is written down; undefined where there is none. Absent: nobody knows. */
  form?(path: string): Promise<FileForm | undefined>;
}

/** What a message may mention of the editor. */
export interface MentionSourcesPort {
  /**
   * Errors and warnings as the editor has them: of one file, or of all. `file` is absolute, `path`
   * as it is shown.
   */
  problems(
    file: string | undefined,
  ): Promise<
    readonly { readonly file: string; readonly path: string; readonly lines: readonly string[] }[]
  >;
  /** Against the last commit. Undefined where the folder is in no repository that the editor knows. */
  readonly changes?: ((folder: string) => Promise<GitChanges | undefined>) | undefined;
  /** What is selected in the terminal that was used last; undefined for nothing. */
  readonly terminal?: (() => Promise<string | undefined>) | undefined;
  /** A past conversation of the folder, by the beginning of its session's id. */
  readonly conversation?:
    ((folder: string, start: string) => Promise<ConversationDigest | undefined>) | undefined;
  /** The glob of `patchbay.ignore` that covers a file, if one does. Absolute paths. */
  readonly ignored?: ((file: string) => Promise<string | undefined>) | undefined;
}

/** What differs from the last commit. */
export interface GitChanges {
  readonly branch: string | undefined;
  /** How many a rule or setting keeps back. */
  readonly left: number;
  /** How many are not listed, since they are too many. */
  readonly more: number;
  readonly files: readonly {
    /** Absolute. */
    readonly file: string;
    /** As it is shown. */
    readonly path: string;
    /** To the model: `changed`, `untracked`. */
    readonly state: string;
    /** Absent where there is none, or no room for it. */
    readonly diff?: string | undefined;
  }[];
}

/** What the person has changed in the editor. */
export interface UserChangesPort {
  /** The person wants it before each message. */
  isWanted(): boolean;
  /** What was changed after that moment, in milliseconds since 1970; undefined for nothing. Never rejects. */
  describe(since: number): Promise<string | undefined>;
}

/** The servers that the CLI connects to itself. */
export interface ExternalServersPort {
  /** Never rejects. What cannot be used is in the list, with its reason. */
  collect(wanted: ServersFor): Promise<readonly ExternalServer[]>;
  /** Fires when {@link collect} may give something else: running conversations follow. */
  readonly onDidChange: Event<void>;
}

/** Told of what keeps the CLI from answering anybody, also where nobody waits for it. */
export interface SetUpPort {
  /** Its program was not found, or cannot run. */
  missing(error: UserFacingError): void;
  /** It runs. Called before the one who waits for it has it. */
  started(isLoggedIn: boolean): void;
}

/** A server as the running CLI sees it. Holds no address, header or environment. */
export interface ServerStatus {
  readonly name: string;
  /** `connected`, `pending`, `failed`, `disabled`, `needs-auth`, or what else the CLI says. */
  readonly status: string;
  readonly error?: string | undefined;
  readonly toolCount: number;
  /** Their names, as the server has them; absent where they are not known. */
  readonly tools?: readonly string[] | undefined;
}

/** A prompt at the CLI. `wireId` is the uuid under which it goes over the wire and to the disk. */
export interface SentPrompt extends QueuedPrompt {
  readonly wireId: string;
}

/** What must outlive the process, so that the conversation can come back. Survives JSON. */
export interface KeptConversation {
  /** The CLI's session; undefined before its first turn. */
  readonly sessionId?: string | undefined;
  readonly queue: readonly QueuedPrompt[];
  /** The title of the conversation that it is a fork of, to be told once. */
  readonly forkOf?: string | undefined;
  /** Handed to the CLI, whose turn has not ended: it may or may not have taken them up. */
  readonly sent: readonly SentPrompt[];
  /** What the next process is told; undefined for the CLI's own default. */
  readonly mode?: string | undefined;
  /** The person chose the mode. */
  readonly modeChosen?: boolean | undefined;
  /** The mode that an approved plan leads back to. */
  readonly modeBeforePlan?: string | undefined;
  readonly model?: string | undefined;
  /** The person chose the model. */
  readonly modelChosen?: boolean | undefined;
  readonly effort?: string | undefined;
  /** What the person allowed for the conversation: the next process is told of it. */
  readonly grants?: KeptGrants | undefined;
  readonly usage?: Usage | undefined;
  /** Answers that stay in sight. */
  readonly pins?: readonly string[] | undefined;
  /** That waited for the person. */
  readonly questions?: readonly PermissionCard[] | undefined;
  /** Forms, pages and questions that waited for the person, with what was put in. */
  readonly asks?: readonly AskCard[] | undefined;
}

/** Of a card that does not wait any more there is nothing. */
export interface CardRequestsPort {
  /** The file that its edit would change; undefined where it changes no single file. */
  edit(cardId: string): Promise<{ path: string; before: string; after: string } | undefined>;
  /** The whole of what the card shows, with what hides in it made visible. */
  whole(cardId: string): string | undefined;
}

/** Everything that a conversation needs from the world around it. Plain data and functions. */
export interface ConversationPorts {
  readonly log: Logger;
  readonly now: () => number;
  /** Measures how long nothing has happened, and how long a Stop is left unanswered. */
  readonly clock: Clock;
  /** One for all conversations of the window. */
  readonly spares: SpareSeat;
  /** Starts the CLI that was found; rejects with what to tell. Absent: as a process of its own. */
  readonly startCli?: ((options: SpawnCliOptions) => Promise<LineTransport>) | undefined;
  readonly settings: () => ConversationSettings;
  readonly isTrusted: () => boolean;
  /** The folder in which the CLI works; undefined in a window without one. */
  readonly folder: { readonly name: string; readonly path: string } | undefined;
  /** All workspace folders, absolute. */
  readonly workspaceRoots: () => readonly string[];
  readonly buffers: BuffersPort;
  /** Absent: `@problems` is an ordinary word. */
  readonly mentions?: MentionSourcesPort | undefined;
  /** Absent: a message has no pictures. */
  readonly images?: ImagesPort | undefined;
  /** Whether a selection may be given to the agent now. Absent: none may. Never rejects. */
  readonly maySelect?: ((selection: SentSelection) => Promise<boolean>) | undefined;
  /** Absent: nobody keeps track of what the agent changes. */
  readonly changedFiles?: ChangedFilesPort | undefined;
  /** Absent: a message goes without what the person has changed. */
  readonly userChanges?: UserChangesPort | undefined;
  /** Our in-process servers: those that are switched on. */
  readonly registry: OfferedServers;
  /** Absent: the person's own servers, as they are when the CLI starts. */
  readonly externalServers?: ExternalServersPort | undefined;
  readonly setUp?: SetUpPort | undefined;
  /** Hooks of others; absent: only our own. */
  readonly hooks?: HookBook | undefined;
  /** Told of the conversation and of each request to a server of ours. */
  readonly telemetry?: TelemetryPort | undefined;
  /** The checkout that holds the development CLI in `node_modules`, when run from the repository. */
  readonly developmentRoot: string | undefined;
  /** The environment that the CLI starts from: the extension host's own. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** A conversation to go on with, as {@link keep} was told of it by an earlier process. */
  readonly kept?: KeptConversation | undefined;
  /** Called with each change of what must outlive the process. */
  readonly keep?: ((kept: KeptConversation) => void) | undefined;
  /** The conversation is over for good; told once, with its id. */
  readonly onEnded?: ((conversationId: string) => void) | undefined;
  /** Told of each call of a tool that has ended. */
  readonly onToolCall?: ((call: ToolCall) => void) | undefined;
}

/** Rows of one source, with how well they fit. */
export interface SuggestPart {
  readonly rows: readonly (SuggestRow & { readonly score: number })[];
  readonly hint?: string | undefined;
  /** What the rows do not tell: that they are only a part. */
  readonly note?: string | undefined;
  readonly isOptional?: boolean | undefined;
}

/** Something that may know what fits. */
export interface SuggestSource {
  /** Names it where it fails. */
  readonly name: string;
  rows(signal: AbortSignal): Promise<SuggestPart>;
}

/** What became of a prompt that was handed in. */
export type SubmitOutcome =
  | { readonly accepted: true }
  /** `reason` is localized; the prompt stays with the person. */
  | { readonly accepted: false; readonly reason: string };

/** What the person does with questions beside the conversation; they are asked by `/btw`. */
export interface SidePort {
  /** Takes them away, one that is being asked too. */
  dismiss(): void;
}

/** What the person does with forms, pages and questions. */
export interface AsksPort {
  answer(cardId: string, reply: AskReply): void;
  /** What was put in so far. */
  draft(cardId: string, draft: FormDraft): void;
  /** Edits and comments of the person on a plan that waits; nothing where it does not. */
  reviewPlan(cardId: string, change: (card: PlanCard) => PlanReview): void;
  /** The page that a card wants to open; undefined where it does not wait, or may not be opened. */
  url(cardId: string): string | undefined;
}

/** One conversation with the agent. Everything that a view or a command can do with it. */
export interface Conversation extends Disposable {
  readonly id: string;
  /** Fires when patches can be taken. */
  readonly onDidChange: Event<void>;
  /** Where somebody may look at what goes to and from its CLI. */
  readonly wire: WireSeat;
  snapshot(): ViewState;
  takePatches(): Patch[];
  /** Starts the CLI ahead of the first prompt. Harmless when it runs already. */
  prewarm(): void;
  /** Nobody sees the conversation any more: a CLI that was only started ahead is ended. */
  releaseSpare(): void;
  /** A view was made anew: the CLI is asked which of its questions wait. */
  recheckQuestions(): void;
  /**
   * A doubled `promptId` is taken once. While a turn runs the prompt waits in the queue. A promise
   * where the message names something that has to be read or run first.
   */
  submit(
    promptId: string,
    text: string,
    extras?: PromptExtras,
  ): SubmitOutcome | Promise<SubmitOutcome>;
  /** Refuses what was submitted and is still being read or run. */
  cancelSubmit(): void;
  /** Where a message calls one of the panel's own commands, which is not for the agent. */
  panelCommand(text: string): PanelCommandCall | undefined;
  /** What is asked, each for itself, to complete what the person types. */
  suggest(query: SuggestQuery): readonly SuggestSource[];
  stop(): Promise<void>;
  answerPermission(cardId: string, answer: PermissionAnswerKind, reason?: string): void;
  /** What is typed so far as the reason of a no; it outlives view and process. */
  draftReason(cardId: string, text: string): void;
  readonly asks: AsksPort;
  readonly side: SidePort;
  setModel(model: string): Promise<void>;
  setMode(mode: string): Promise<void>;
  /** Sends the last prompt again after an error. */
  retry(itemId: string): void;
  /**
   * What was missing is there: alerts that ask for it go, and what they kept can be sent.
   * @param renew the next turn needs a CLI that reads the login anew
   */
  setUpDone(what: SetUp['lacks'], renew: boolean): void;
  toolAction(toolUseId: string, action: 'saveAndRetry' | 'discardAndRetry'): Promise<void>;
  /** `edit` takes the prompt out of the queue and returns it for the input. */
  queueAction(promptId: string, action: QueueAction): QueuedPrompt | undefined;
  /** A picture of a message of this conversation; undefined where it is gone. Never rejects. */
  picture(id: string): Promise<Picture | undefined>;
  /** What was selected in the editor as a message was said; undefined where nothing went with it. */
  selection(itemId: string): SentSelection | undefined;
  /** For what the host knows: suggestions, notice, send key. */
  setFields(fields: Partial<ViewFields>): void;
  /** What runs in the background. */
  readonly tasks: TasksPort;
  /** The files that the agent has changed. */
  readonly changes: ChangesPort;
  /** A picture of a call's result; undefined where it is not kept any more. */
  image(toolUseId: string, index: number): ImageData | undefined;
  /** What the permission cards that wait ask for, for an editor. */
  readonly requests: CardRequestsPort;
  /** The rules that the running CLI applies; undefined while none runs, or where it does not tell. */
  rules(): Promise<readonly RuleText[] | undefined>;
  /** Has the running CLI give the conversation a title; false where none runs, or it does not take it. */
  rename(title: string): Promise<boolean>;
  /** What the running CLI says of all servers; empty while none runs. */
  serverStatus(): Promise<readonly ServerStatus[]>;
  /** Resolves when the running CLI has the servers as they are now; at once while none runs. */
  syncServers(): Promise<void>;
  /** Has the running CLI connect to an external server anew. Rejects with its reason. */
  reconnectServer(name: string): Promise<void>;
  /** Ends the CLI and its whole process group; resolves when it is gone. */
  dispose(): Promise<void>;
}
