import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import {
  type Comment,
  type CommentReply,
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  comments as vscodeComments,
  type Disposable,
  Range,
  type TextDocument,
  type Uri,
} from 'vscode';
import type { PlanComment } from '../chat/askProtocol';
import { linesOf } from '../chat/planComments';
import type { PlanCommentCommand } from './commands';
import { PLAN_SCHEME } from './planFiles';

/** As package.json's menus name it. */
const CONTROLLER = 'patchbay-plan';

export interface PlanThreadsPorts {
  /** Whether the document's plan still waits for an answer. */
  isOpen(uri: Uri): boolean;
  /** The text that stands in the document. */
  text(uri: Uri): string;
  change(uri: Uri, next: (comments: readonly PlanComment[]) => readonly PlanComment[]): void;
}

/** A comment of the person in VS Code's words; a thread holds one. */
class Note implements Comment {
  readonly author = { name: l10n.t('You') };
  readonly contextValue = 'note';
  mode = CommentMode.Preview;

  constructor(
    readonly id: string,
    readonly thread: CommentThread,
    /** VS Code writes what is typed into it. */
    public body: string,
    public saved = body,
  ) {}
}

/** Comments by lines in the documents of plans. The plan's card holds them; threads only show them. */
export class PlanThreads implements Disposable {
  readonly #ports: PlanThreadsPorts;
  readonly #controller = vscodeComments.createCommentController(
    CONTROLLER,
    l10n.t('Comments on a plan'),
  );
  readonly #notes = new Map<string, Note>();

  constructor(ports: PlanThreadsPorts) {
    this.#ports = ports;
    this.#controller.options = {
      prompt: l10n.t('Comment on these lines'),
      placeHolder: l10n.t('What the agent should know or change here'),
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }: TextDocument) =>
        uri.scheme === PLAN_SCHEME && ports.isOpen(uri)
          ? [new Range(0, 0, Math.max(0, lineCount - 1), 0)]
          : undefined,
    };
  }

  /** Draws these comments in the document, and no others. */
  show(uri: Uri, comments: readonly PlanComment[]): void {
    const wanted = new Set(comments.map(({ id }) => id));
    for (const note of this.#of(uri)) if (!wanted.has(note.id)) this.#remove(note);
    for (const comment of comments) {
      const known = this.#notes.get(comment.id);
      if (known) place(known.thread, comment);
      else this.#add(comment, this.#controller.createCommentThread(uri, rangeOf(comment), []));
    }
  }

  /** What stands on the document, in the order of its making. */
  threads(uri: Uri): readonly CommentThread[] {
    return this.#of(uri).map(({ thread }) => thread);
  }

  /** Does what a button of a thread says. VS Code hands over what it was pressed on. */
  run(command: PlanCommentCommand, target: unknown): void {
    if (command === 'addPlanComment') {
      if (isReply(target)) this.#reply(target);
    } else if (target instanceof Note) {
      this.#act(command, target);
    }
  }

  dispose(): void {
    this.#notes.clear();
    this.#controller.dispose();
  }

  #reply({ thread, text }: CommentReply): void {
    const { uri, range } = thread;
    if (text.trim() === '' || !this.#ports.isOpen(uri)) return;
    const from = (range?.start.line ?? 0) + 1;
    const to = Math.max(from, (range?.end.line ?? 0) + 1);
    const quote = linesOf(this.#ports.text(uri), from, to);
    const comment = { id: randomUUID(), from, to, quote, text: text.trim() };
    this.#add(comment, thread);
    this.#ports.change(uri, (comments) => [...comments, comment]);
  }

  #act(command: Exclude<PlanCommentCommand, 'addPlanComment'>, note: Note): void {
    switch (command) {
      case 'editPlanComment':
        note.mode = CommentMode.Editing;
        break;
      case 'cancelPlanComment':
        note.body = note.saved;
        note.mode = CommentMode.Preview;
        break;
      case 'savePlanComment':
        this.#save(note);
        break;
      case 'deletePlanComment':
        this.#delete(note);
        return;
    }
    // VS Code looks at a comment again only where it is set again.
    if (this.#notes.has(note.id)) note.thread.comments = [note];
  }

  #save(note: Note): void {
    const text = note.body.trim();
    if (text === '') {
      this.#delete(note);
      return;
    }
    note.body = note.saved = text;
    note.mode = CommentMode.Preview;
    this.#ports.change(note.thread.uri, (comments) =>
      comments.map((one) => (one.id === note.id ? { ...one, text } : one)),
    );
  }

  #delete(note: Note): void {
    const { uri } = note.thread;
    this.#remove(note);
    this.#ports.change(uri, (comments) => comments.filter(({ id }) => id !== note.id));
  }

  #add(comment: PlanComment, thread: CommentThread): void {
    const note = new Note(comment.id, thread, comment.text);
    this.#notes.set(comment.id, note);
    thread.canReply = false;
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    thread.comments = [note];
    place(thread, comment);
  }

  #remove(note: Note): void {
    this.#notes.delete(note.id);
    note.thread.dispose();
  }

  #of(uri: Uri): Note[] {
    const key = uri.toString();
    return [...this.#notes.values()].filter(({ thread }) => thread.uri.toString() === key);
  }
}

/** VS Code leaves a thread where it was made, whatever is written above it. */
function place(thread: CommentThread, comment: PlanComment): void {
  const range = rangeOf(comment);
  if (thread.range?.isEqual(range) !== true) thread.range = range;
  const label = comment.isGone === true ? l10n.t('The text below this was deleted') : undefined;
  if (thread.label !== label) thread.label = label;
}

function rangeOf({ from, to }: PlanComment): Range {
  return new Range(from - 1, 0, to - 1, 0);
}

/** Commands can be run by anyone, with anything. */
function isReply(value: unknown): value is CommentReply {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    typeof value.text === 'string' &&
    'thread' in value &&
    typeof value.thread === 'object'
  );
}
