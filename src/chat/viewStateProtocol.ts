import type { Changes } from './changesProtocol';
import type { Remedy } from '../base/errors';
import type { AskCard } from './askProtocol';
import type { FolderChoice } from './foldersProtocol';
import type { ImageRef } from './imageProtocol';
import type { SelectionOffer, SentSelection } from './selectionProtocol';
import type { SetUp } from './setUpProtocol';
import type { SideQuestion } from './sideProtocol';
import type { ResultImage, ResultTable, TodoPart, ToolSubject, WebLink } from './toolPartsProtocol';

/**
 * What the panel draws: one conversation as plain data.
 * The host owns it; the webview is a view that can be thrown away and rebuilt from a snapshot.
 * Everything here survives `structuredClone` and JSON.
 */

/** The state of the turn, as panel.md names it. */
export type TurnStatusKind =
  | 'idle'
  | 'starting'
  | 'waitingForModel'
  | 'working'
  | 'retrying'
  | 'waitingForPermission'
  | 'waitingForAnswer'
  | 'stopping'
  | 'failed'
  | 'notConnected';

export interface TurnStatus {
  readonly kind: TurnStatusKind;
  /** For `retrying`. */
  readonly retry?: RetryWait;
  /** For what waits for somebody else: since when, in milliseconds since the epoch. */
  readonly since?: number;
}

/** The API did not answer as it should, and the CLI asks it again. */
export interface RetryWait {
  /** When the next try starts, in milliseconds since the epoch. */
  readonly at: number;
  /** Why, one sentence. */
  readonly reason: string;
  /** The number of the coming try, from 1, and how many there are at most. */
  readonly attempt?: number;
  readonly most?: number;
}

/** What the model got with, or in place of, a message: a prompt's text, a resource, lines of a file. */
export interface ExpansionPart {
  /** `plan (notes)`, `note://milk`, `src/a.ts:3-9`. */
  readonly title: string;
  /** Cut for the view at {@link RESULT_TEXT_LIMIT}; of a picture what it is. */
  readonly text: string;
}

/** What the person said. `id` is made by the press of Send, or is the uuid on the disk. */
export interface UserItem {
  readonly kind: 'user';
  readonly id: string;
  text: string;
  readonly expansion?: readonly ExpansionPart[];
  /** Its uuid on the wire and on the disk, where it got so far. */
  readonly wireId?: string;
  readonly images?: readonly ImageRef[];
  /** Sent into a running turn, and not read yet: the agent reads it at its next step. */
  readonly waits?: true;
}

/** One model turn between two things the person said; its blocks stand in order of arrival. */
export interface AssistantItem {
  readonly kind: 'assistant';
  readonly id: string;
  readonly blocks: Block[];
  /** The turn was stopped by the person. */
  stopped?: boolean;
}

/** A quiet line in place: compaction, a model change, a stop, an interruption. */
export interface NoticeItem {
  readonly kind: 'notice';
  readonly id: string;
  readonly tone: 'info' | 'warning';
  readonly text: string;
  readonly actions?: readonly ErrorAction[];
}

/** An alert: what failed, what was kept, what to do. */
export interface ErrorItem {
  readonly kind: 'error';
  readonly id: string;
  readonly message: string;
  readonly kept?: string;
  readonly next?: string;
  /** Technical text, folded: last lines of stderr, the API's own words. */
  readonly details?: string;
  readonly actions: readonly ErrorAction[];
  /** It is about the program that was not found: it goes once that is there. */
  readonly lacks?: 'cli';
}

/** What the person can do about it, in the order of the buttons. */
export type ErrorAction =
  | Remedy
  /** Sends the message that the alert is about once more. */
  | 'retry'
  | 'showLog'
  | 'chooseModel'
  /** Sends `/compact`. */
  | 'compact'
  /** Begins a new conversation, with the message that failed in the input. */
  | 'newConversation';

export type TranscriptItem = UserItem | AssistantItem | NoticeItem | ErrorItem;

export interface TextBlock {
  readonly kind: 'text';
  readonly id: string;
  text: string;
  streaming: boolean;
  /** The `Agent` tool call that this belongs to; absent on the main thread. */
  readonly parentToolUseId?: string;
}

export interface ThinkingBlock {
  readonly kind: 'thinking';
  readonly id: string;
  text: string;
  streaming: boolean;
  durationMs?: number;
  readonly parentToolUseId?: string;
}

export type ToolState = 'running' | 'done' | 'failed' | 'denied' | 'cancelled';

/**
 * One changed stretch of a file: unified-diff lines, each starting with ' ', '-' or '+'.
 * Line numbers count from 1; 0 where the place in the file is not known.
 */
export interface DiffHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

export interface FileDiff {
  /** As shown: relative to the working folder where it lies inside. */
  readonly path: string;
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
  /** Lines of a long diff that are not in `hunks`. */
  readonly omittedLines?: number;
  /** Lines in `hunks` are longer than what stands there. */
  readonly hasCutLines?: true;
}

export interface ToolResult {
  /** The text that the model got, cut for the view at {@link RESULT_TEXT_LIMIT} characters. */
  readonly text: string;
  /** Characters of the whole text, uncut. */
  readonly size: number;
  /** Lines of the whole text. */
  readonly lines?: number;
  readonly isError: boolean;
  /** What comes last says most, as of a command: of a long one the end is here, not the beginning. */
  readonly isEnd?: boolean;
  /** The text is markdown: an agent's report, a page in words. */
  readonly isMarkdown?: boolean;
  readonly table?: ResultTable;
  readonly images?: readonly ResultImage[];
  /** Parts that are neither text nor picture, one line each: name, type and size. */
  readonly attachments?: readonly string[];
  /** How it ended, where more can be said than the state does: `Exit code 1`. */
  readonly ending?: string;
}

/** A plan as it was proposed, and as it was decided on once it was. */
export interface PlanPart {
  readonly text: string;
  /** Drawn in its place where it holds what cannot be seen. */
  readonly shown?: string;
  /** Only its beginning and its end are here. */
  readonly isCut?: boolean;
}

export type ToolAction = 'saveAndRetry' | 'discardAndRetry';

/** A tool call. `id` is the `tool_use` id of the wire. */
export interface ToolBlock {
  readonly kind: 'tool';
  readonly id: string;
  /** As on the wire: `Bash`, `mcp__code__diagnostics`. */
  readonly name: string;
  /** In words: `Run a command`, `Problems`. */
  title: string;
  /** One line: what it is about, later its outcome. */
  summary: string;
  /** At the right of the row: `12 in 5 files`, `+2 −2`, `48 tok`. */
  figure?: string;
  state: ToolState;
  /** What it is about, whole. */
  subject?: ToolSubject;
  /** The input as JSON text, indented; empty while it streams in. */
  input: string;
  result?: ToolResult;
  diff?: FileDiff;
  /** Of a call that proposed one. */
  plan?: PlanPart;
  todos?: TodoPart;
  links?: readonly WebLink[];
  /** When it began to run, in milliseconds since the epoch; only while it runs. */
  startedAt?: number;
  /** Wall time in milliseconds, once it has ended. */
  durationMs?: number;
  /** Says that it ran though the person was not asked, and why. */
  unasked?: string;
  /** Offered where a write was refused because the file has unsaved changes. */
  actions?: readonly ToolAction[];
  readonly parentToolUseId?: string;
}

export type Block = TextBlock | ThinkingBlock | ToolBlock;

/** How many characters of a tool's result the view gets. The model's copy is never cut by us. */
export const RESULT_TEXT_LIMIT = 20_000;

/** A question of the CLI that waits for the person. `id` is the control `request_id`. */
export interface PermissionCard {
  readonly id: string;
  readonly toolUseId?: string;
  readonly toolName: string;
  /** In words: `Run a command`. */
  readonly title: string;
  /** What will happen, one sentence without its full stop: `Run this command in shop`. */
  readonly what?: string;
  /** The thing itself: the whole command, path, URL or input; control characters made visible. */
  readonly body: string;
  readonly bodyKind: 'command' | 'path' | 'url' | 'json';
  /** The body is too long to be drawn; the host has all of it. */
  readonly isCut?: boolean;
  readonly diff?: FileDiff;
  /** What else decides, a few words each: `Only reads`, `Not encrypted`. */
  readonly facts?: readonly string[];
  /** The model's own words on the call; nobody has checked them. */
  readonly said?: string;
  /** Why the CLI or the guard asks, one line. */
  readonly reason?: string;
  /** The rule that "Allow for this conversation" would add; absent where none can be added. */
  readonly conversationRule?: string;
  /** What "Always allow…" offers; absent where no rule can be written down. */
  readonly always?: LastingOffer;
  /** What the person has typed so far as the reason of a no. */
  readonly draft?: string;
  /** The agent ended before the answer: it goes as the next message. */
  readonly interrupted?: boolean;
}

/** A rule of the CLI's settings that would settle such calls from now on. */
export interface LastingOffer {
  /** As it would stand in the file: `Bash(npm test *)`; several with commas between them. */
  readonly rule: string;
  /** What of the rule is easily overlooked: `Every call of this tool, whatever its input`. */
  readonly note?: string;
  readonly places: readonly LastingPlace[];
}

/** A settings file that the rule can go into. */
export interface LastingPlace {
  readonly answer: LastingAnswer;
  /** For whom it then holds: `This workspace, only for me`. */
  readonly label: string;
  /** As shown: `.claude/settings.local.json`. */
  readonly file: string;
  /** Why it would not hold at once. */
  readonly note?: string;
}

export type LastingAnswer = 'alwaysLocal' | 'alwaysProject' | 'alwaysUser';

/** Something of the workspace that does not run before the person has approved just this content. */
export type ApprovalCard = ServerApprovalCard | ToolFilesApprovalCard;

/** A server that the workspace brings. */
export interface ServerApprovalCard {
  readonly kind: 'server';
  readonly id: string;
  readonly name: string;
  /** The whole entry: what it would run, or where it connects; what cannot be seen made visible. */
  readonly body: string;
  readonly bodyKind: 'command' | 'url';
  /** The person has answered before, for another content. */
  readonly changed: boolean;
}

/** The tool files of one workspace folder. */
export interface ToolFilesApprovalCard {
  readonly kind: 'toolFiles';
  /** Of the content that is asked about: an answer counts for no other. */
  readonly id: string;
  /** Name of the folder, what cannot be seen made visible. */
  readonly folder: string;
  /** Nothing of this folder was approved before. */
  readonly isFirst: boolean;
  /** The first of them; `moreFiles` are not here. */
  readonly files: readonly ApprovalFile[];
  readonly moreFiles?: number;
  /** Packages of the workspace that the files load. */
  readonly packages: readonly string[];
}

/** A file that is not as it was approved. */
export interface ApprovalFile {
  /** As shown. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** In words, such as `1.2 KB`; absent for a removed file. */
  readonly size?: string;
  /** The difference; absent where it is too long for a card, and for what is no text. */
  readonly diff?: FileDiff;
  /** It ran for ever before. */
  readonly hasLooped?: boolean;
}

/** What goes with the words of a message. */
export interface PromptExtras {
  readonly images?: readonly ImageRef[] | undefined;
  /** What was selected in the editor when it was sent. */
  readonly selection?: SentSelection | undefined;
  /** For the running turn, where there is one: it must not wait for the end of it. */
  readonly steers?: boolean | undefined;
}

export interface QueuedPrompt extends PromptExtras {
  readonly id: string;
  readonly text: string;
  /** Stop took it back: it waits until the person sends it. */
  readonly held?: boolean | undefined;
  /** Why the person stopped the agent, which it was not told: the next message begins with it. */
  readonly leads?: boolean | undefined;
}

/** Work that goes on beside the turns. `id` is the CLI's. */
export interface BackgroundTask {
  readonly id: string;
  readonly kind: 'command' | 'agent';
  readonly title: string;
  /** What it does now. */
  readonly progress?: string;
  /** The call that started it. */
  readonly toolUseId?: string;
  /** In milliseconds since the epoch. */
  readonly startedAt?: number;
}

export interface ModelOption {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
}

export interface ModeOption {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Shown disabled with this reason: the CLI's own words when it refused the mode. */
  readonly disabledReason?: string;
}

export interface Usage {
  /** US dollars, whole conversation. */
  readonly costUsd: number;
  /** Tokens of the last turn. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Model turns of the last prompt. */
  readonly turns: number;
  /** How full the model's context is, 0 … 1, where known. */
  readonly contextFill?: number;
  /** Tokens now in the context, where known. */
  readonly contextTokens?: number;
}

/** An offer of the empty state, made from what the editor knows. */
export interface Suggestion {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  readonly detail: string;
  readonly prompt: string;
}

/** The parts of the state that are replaced as a whole. */
export interface ViewFields {
  title: string;
  status: TurnStatus;
  permissions: readonly PermissionCard[];
  /** Of the folder that the conversation works in. */
  approvals?: readonly ApprovalCard[];
  /** Forms, pages and questions that wait for the person. */
  asks: readonly AskCard[];
  queue: readonly QueuedPrompt[];
  /** What runs in the background. */
  tasks?: readonly BackgroundTask[];
  /** Files that the agent has changed; absent for none. */
  changes?: Changes | undefined;
  /** The working folder, as the panel shows it; undefined in a window without one. */
  folder: { readonly name: string; readonly path: string } | undefined;
  model: string;
  models: readonly ModelOption[];
  mode: string;
  modes: readonly ModeOption[];
  usage: Usage | undefined;
  /** One line that always stands: scripted offline model, untrusted workspace. */
  notice: string | undefined;
  suggestions: readonly Suggestion[];
  /** How many tools of ours are ready. */
  toolCount: number;
  sendKey: 'enter' | 'modEnter';
  /** The work of each turn is folded into one line. */
  focusView?: boolean;
  /** Of the text, in pixels; absent or 0 for the editor's. */
  fontSize?: number;
  /** Answers that stay in sight, by their `pinKey`. */
  pins?: readonly string[] | undefined;
  /** Questions beside the conversation; absent where there are none. */
  side?: readonly SideQuestion[] | undefined;
  /** Where a new conversation works; absent where there is no choice, or no more. */
  folders?: FolderChoice | undefined;
  /** What has to be set up before anything can be asked; absent where nothing is missing. */
  setUp?: SetUp | undefined;
  /** Absent where nothing is selected, or nothing that the agent may have. */
  selection?: SelectionOffer | undefined;
}

export interface ViewState extends ViewFields {
  items: TranscriptItem[];
}
