import * as z from 'zod/mini';
import { MAX_TEXT } from '../base/formField';
import { askReplySchema, formDraftSchema } from './askCardSchema';
import { CHANGE_ACTIONS, MAX_CHANGES } from './changesProtocol';
import { type ConversationsAnswer, MAX_TITLE } from './conversationsProtocol';
import { type ImageRef, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGES } from './imageProtocol';
import { MAX_IMAGE_NAME } from './imageRefSchema';
import { MAX_PASTED_CODE } from './pasteProtocol';
import { menuCommands } from './menuProtocol';
import type { Patch } from './patchProtocol';
import { MAX_PINS } from './pinProtocol';
import type { SuggestAnswer } from './suggestProtocol';
import { type FoundSymbol, MAX_SYMBOL_NAME, MAX_SYMBOL_NAMES } from './symbolProtocol';
import type { ViewState } from './viewStateProtocol';

/**
 * The messages between host and webview, as typed descriptors.
 * The host validates what arrives ({@link tryParseViewMessage}); the webview trusts the host.
 */

/** Host → webview. `seq` grows by one per message, so that a view sees when it missed one. */
export type HostMessage =
  /** The whole state; the answer to `ready`. `l10n` is the bundle of the editor's language. */
  | {
      readonly type: 'snapshot';
      readonly seq: number;
      readonly state: ViewState;
      readonly draft: string;
      /** The name of the input. Under another one the draft takes the place of what stands in it. */
      readonly box?: string;
      readonly edit?: PromptEdit;
      /** Pictures of the draft; absent for none. */
      readonly images?: readonly ImageRef[];
      readonly l10n?: Record<string, string>;
    }
  | { readonly type: 'patches'; readonly seq: number; readonly patches: readonly Patch[] }
  /** Puts the caret into the input. */
  | { readonly type: 'focusInput' }
  /** What a command does with the transcript. */
  | {
      readonly type: 'read';
      readonly action: 'previousPrompt' | 'nextPrompt' | 'collapseAll';
    }
  /** Opens the search of the conversation. */
  | { readonly type: 'openFind' }
  /** Opens the list of past conversations. */
  | { readonly type: 'openConversations' }
  /** Puts text into the input: appended after what is there, never over it. */
  | {
      readonly type: 'insertText';
      readonly text: string;
      /** Where the caret is, as a word among others. */
      readonly inline?: true;
      /** Pictures that the text had. */
      readonly images?: readonly ImageRef[];
    }
  /** Files that the person has chosen or dropped, to be looked at and attached by the view: base64. */
  | { readonly type: 'attachFiles'; readonly files: readonly GivenFile[] }
  /** A picture was not taken; `id` as in `attach`. */
  | { readonly type: 'attachRefused'; readonly id: string; readonly reason: string }
  /** Answers `pastedText` where it is code of an editor: what mentions its lines. */
  | { readonly type: 'pastedCode'; readonly pasteId: string; readonly mention: string }
  /** Answers `loadPicture`; without `data`, in base64, it is not there any more. */
  | {
      readonly type: 'picture';
      readonly id: string;
      readonly picture?: { readonly mediaType: ImageType; readonly data: string };
    }
  /** Answers `suggest`; the last one with a `queryId` holds, and one of an older query counts for nothing. */
  | { readonly type: 'suggestions'; readonly queryId: number; readonly answer: SuggestAnswer }
  /** Answers `loadImage`; without a picture where it is not kept any more. */
  | {
      readonly type: 'image';
      readonly toolUseId: string;
      readonly index: number;
      readonly image?: { readonly mediaType: string; readonly data: string };
    }
  /** Answers `findSymbols`. */
  | { readonly type: 'symbols'; readonly found: readonly FoundSymbol[] }
  /** Answers `listConversations`. */
  | { readonly type: 'conversations'; readonly answer: ConversationsAnswer }
  /** A submitted prompt was taken (`accepted`) or refused; a refused one is put back. */
  | { readonly type: 'submitted'; readonly promptId: string; readonly refused?: string }
  /** An edited prompt was not sent: it stays in its box, with the reason where there is one. */
  | { readonly type: 'edited'; readonly promptId: string; readonly refused?: string };

/** An earlier prompt that the person is about to say in other words. */
export interface PromptEdit {
  /** Of the prompt, since its item has another id in the next window. */
  readonly wireId: string;
  readonly text: string;
}

/** A file from the disk, for the view to look at. */
export interface GivenFile {
  readonly name: string;
  /** Base64. */
  readonly data: string;
}

const id = z.string().check(z.maxLength(200));
/** More than a message takes: too many are told, and what is typed beside them is kept. */
const imageIds = z.optional(z.array(z.uuid()).check(z.maxLength(10 * MAX_IMAGES)));
/** What is typed at the caret: longer than this it is no word to complete. */
const word = z.string().check(z.maxLength(1000));
const suggestQuery = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), text: word }),
  z.object({ kind: z.literal('argument'), command: word, given: word, text: word }),
  z.object({ kind: z.literal('mention'), text: word }),
]);

/** What the person does with a prompt that waits. `edit` takes it into the input. */
export const QUEUE_ACTIONS = ['remove', 'sendNow', 'edit', 'moveUp', 'moveDown'] as const;
export type QueueAction = (typeof QUEUE_ACTIONS)[number];
const symbolName = z.string().check(z.maxLength(MAX_SYMBOL_NAME));

const promptEditSchema = z.object({ wireId: id, text: z.string() });

/** Webview → host. */
export const viewMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** `promptId` is made once per press of Send, so that a doubled message sends once. */
  z.object({
    ...{ type: z.literal('submit'), promptId: id, text: z.string(), images: imageIds },
    /** Of the selection that the panel showed as going with it. */
    selection: z.optional(id),
    /** Into the running turn, where there is one, rather than into the queue. */
    steers: z.optional(z.boolean()),
  }),
  /** Whether what is selected goes with messages, from now on. */
  z.object({ type: z.literal('attachSelection'), isOn: z.boolean() }),
  z.object({ type: z.literal('stop') }),
  /** Takes the side questions away, one that is being asked too. */
  z.object({ type: z.literal('dismissSide') }),
  /** The answers that stay in sight, from now on. */
  z.object({ type: z.literal('pins'), keys: z.array(id).check(z.maxLength(MAX_PINS)) }),
  /** Takes back what was submitted and is not accepted or refused yet. */
  z.object({ type: z.literal('cancelSubmit') }),
  z.object({
    ...{ type: z.literal('draft'), text: z.string(), images: imageIds },
    /** The input that it was typed into, by its name in the snapshot. */
    box: z.optional(id),
  }),
  /** A picture, ready to be sent: kept by the host from now on, and named by its id. */
  z.object({
    type: z.literal('attach'),
    id: z.uuid(),
    name: z.string().check(z.maxLength(MAX_IMAGE_NAME)),
    data: z.string().check(z.maxLength(Math.ceil((MAX_IMAGE_BYTES * 4) / 3) + 4)),
    width: z.int(),
    height: z.int(),
  }),
  /** The person took a picture out of the message. */
  z.object({ type: z.literal('detach'), id }),
  /** Asks for a picture that is drawn. */
  z.object({ type: z.literal('loadPicture'), id }),
  /** Shows it in full size, in an editor. */
  z.object({ type: z.literal('openPicture'), id }),
  /** Lets the person choose files. */
  z.object({ type: z.literal('chooseFiles') }),
  /** Files and folders that were dropped, as URIs. */
  z.object({
    type: z.literal('dropFiles'),
    uris: z.array(z.string().check(z.maxLength(4_000))).check(z.maxLength(200)),
  }),
  /** Text of several lines was pasted: it may be code that was copied in an editor. */
  z.object({
    type: z.literal('pastedText'),
    pasteId: id,
    text: z.string().check(z.maxLength(MAX_PASTED_CODE)),
  }),
  z.object({ type: z.literal('inputFocused') }),
  /** Asks what fits the word at the caret; `queryId` grows with each. */
  z.object({ type: z.literal('suggest'), queryId: z.number(), query: suggestQuery }),
  z.object({
    type: z.literal('answerPermission'),
    cardId: id,
    answer: z.enum([
      'allowOnce',
      'allowConversation',
      'alwaysLocal',
      'alwaysProject',
      'alwaysUser',
      'deny',
      'denyAndStop',
    ]),
    reason: z.optional(z.string()),
  }),
  /** What is typed so far as the reason of a no. */
  z.object({
    type: z.literal('permissionDraft'),
    cardId: id,
    reason: z.string().check(z.maxLength(5 * MAX_TEXT)),
  }),
  /** `later` asks again in the next window. */
  z.object({
    type: z.literal('answerApproval'),
    approvalId: id,
    answer: z.enum(['approve', 'later', 'never']),
  }),
  /** Shows where the entry is written down, or the difference: of one file by its place in the card. */
  z.object({
    type: z.literal('showApproval'),
    approvalId: id,
    file: z.optional(z.int().check(z.minimum(0))),
  }),
  /** `accept` of a page opens it. `decline` is also what Dismiss says. */
  z.object({
    type: z.literal('answerAsk'),
    cardId: id,
    reply: askReplySchema(),
  }),
  z.object({ type: z.literal('askDraft'), cardId: id, draft: formDraftSchema }),
  /** `save` asks for a file in the workspace. */
  z.object({
    type: z.literal('planCard'),
    cardId: id,
    action: z.enum(['open', 'save', 'discardEdits']),
  }),
  z.object({ type: z.literal('removePlanComment'), cardId: id, commentId: id }),
  /** Of a plan that is decided. */
  z.object({ type: z.literal('savePlan'), toolUseId: id }),
  z.object({ type: z.literal('setModel'), model: id }),
  z.object({ type: z.literal('setMode'), mode: id }),
  /** Where it works, and those that begin later; without a path in the folder of the editor. */
  z.object({
    type: z.literal('chooseFolder'),
    path: z.optional(z.string().check(z.maxLength(4_000))),
  }),
  /** `text` goes on in its input. */
  z.object({ type: z.literal('newConversation'), text: z.optional(z.string()) }),
  z.object({ type: z.literal('listConversations') }),
  /** Shows a past one here, or where it is open already. */
  z.object({
    type: z.literal('openConversation'),
    sessionId: id,
    inTab: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal('renameConversation'),
    sessionId: id,
    title: z.string().check(z.maxLength(MAX_TITLE)),
  }),
  /** Moves it aside; `undeleteConversation` brings it back. */
  z.object({ type: z.literal('deleteConversation'), sessionId: id, title: z.string() }),
  z.object({ type: z.literal('undeleteConversation'), sessionId: id }),
  z.object({ type: z.literal('retry'), itemId: id }),
  /** Goes on from here in a copy: before a prompt, behind an answer. */
  z.object({ type: z.literal('forkHere'), itemId: id }),
  /** Says a prompt in other words, in a copy of what was said before it. */
  z.object({ type: z.literal('editPrompt'), itemId: id, promptId: id, text: z.string() }),
  /** What is typed so far; without an edit the person gave it up. `box` as with `draft`. */
  z.object({
    ...{ type: z.literal('editDraft'), edit: z.optional(promptEditSchema) },
    box: z.optional(id),
  }),
  /** Asks for the last answer once more, in a copy. */
  z.object({ type: z.literal('retryAnswer'), promptId: id }),
  z.object({ type: z.literal('showLog') }),
  z.object({ type: z.literal('openSettings') }),
  z.object({ type: z.literal('login') }),
  /** Looks again for what has to be set up. */
  z.object({ type: z.literal('checkSetUp') }),
  /** Lets the person name the CLI's program. */
  z.object({ type: z.literal('chooseCli') }),
  z.object({ type: z.literal('openFolder') }),
  z.object({ type: z.literal('doctor') }),
  z.object({
    type: z.literal('toolAction'),
    toolUseId: id,
    action: z.enum(['saveAndRetry', 'discardAndRetry']),
  }),
  /** A picture of a result, by its place among those. */
  z.object({ type: z.literal('loadImage'), toolUseId: id, index: z.int().check(z.minimum(0)) }),
  /** Opens all of a result of which the view has a part. */
  z.object({ type: z.literal('showResult'), toolUseId: id }),
  /** What the person does with files that the agent has changed; `redo` and `forget` name what was undone. */
  z.object({
    type: z.literal('changes'),
    action: z.enum(CHANGE_ACTIONS),
    ids: z.array(id).check(z.maxLength(MAX_CHANGES)),
  }),
  /** `show` opens what it has printed so far. */
  z.object({ type: z.literal('task'), taskId: id, action: z.enum(['stop', 'show']) }),
  z.object({ type: z.literal('openLink'), href: z.string() }),
  /** Which of the names that answers cite are defined in the workspace; answered by `symbols`. */
  z.object({
    type: z.literal('findSymbols'),
    names: z.array(symbolName).check(z.maxLength(MAX_SYMBOL_NAMES)),
  }),
  /** Goes to the definition; where there are a few the host lets the person choose. */
  z.object({ type: z.literal('openSymbol'), name: symbolName }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  /** Puts code at the cursor of the editor that was used last. */
  z.object({ type: z.literal('insertCode'), text: z.string() }),
  /** `language` is what the fence says. */
  z.object({
    type: z.literal('openCode'),
    text: z.string(),
    language: z.string().check(z.maxLength(40)),
  }),
  z.object({ type: z.literal('showDiff'), cardId: id }),
  /** Opens the whole of what a card shows a part of. */
  z.object({ type: z.literal('showRequest'), cardId: id }),
  z.object({
    type: z.literal('queue'),
    promptId: id,
    action: z.enum(QUEUE_ACTIONS),
  }),
  /** Lists all commands of ours. */
  z.object({ type: z.literal('moreActions') }),
  z.object({ type: z.literal('menu'), command: z.enum(menuCommands) }),
  /** The view could not draw; for the log only. */
  z.object({ type: z.literal('viewError'), message: z.string() }),
]);

export type ViewMessage = z.infer<typeof viewMessageSchema>;

/** Parses an edit that was kept as a draft; undefined when it is none. */
export function tryParsePromptEdit(value: unknown): PromptEdit | undefined {
  return promptEditSchema.safeParse(value).data;
}

/** Parses what a webview sent; undefined when it is none of ours. */
export function tryParseViewMessage(value: unknown): ViewMessage | undefined {
  const parsed = viewMessageSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
