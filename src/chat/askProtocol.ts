import type { FormDraft, FormField } from '../base/formField';

/**
 * What somebody asks the person beyond leave to do something: a form of a tool or a server, a page
 * to be opened, questions of the model. Part of the view state; survives JSON.
 */
interface AskBase {
  readonly id: string;
  /** The call during which it is asked. */
  readonly toolUseId?: string | undefined;
  /** Who asks, in words: the tool's title, or the server's name. */
  readonly title: string;
  /** What the person has put in so far. The view that it was put in is ahead of it. */
  readonly draft?: FormDraft | undefined;
  /** The agent ended before the answer: it goes as the next message. */
  readonly interrupted?: boolean | undefined;
}

export interface FormCard extends AskBase {
  readonly kind: 'form';
  /** The server on which the asker is. */
  readonly server: string;
  readonly message: string;
  readonly fields: readonly FormField[];
}

/** A page that a server wants the person to visit. */
export interface LinkCard extends AskBase {
  readonly kind: 'link';
  readonly server: string;
  readonly message: string;
  /** The whole address, hidden characters written out. */
  readonly url: string;
  /** Where it leads, as the network knows it; absent for an address that is not opened. */
  readonly host?: string | undefined;
}

export interface QuestionOption {
  readonly label: string;
  readonly description: string;
  /** What it would look like, to be shown as it is. */
  readonly preview?: string | undefined;
}

export interface Question {
  readonly question: string;
  readonly header: string;
  readonly multi: boolean;
  readonly options: readonly QuestionOption[];
}

/** The model's own questions: the CLI's tool AskUserQuestion. */
export interface QuestionCard extends AskBase {
  readonly kind: 'questions';
  readonly questions: readonly Question[];
}

export type AskCard = FormCard | LinkCard | QuestionCard;

/** `decline` is also what Dismiss says. */
export type AskReply =
  { readonly action: 'accept'; readonly draft: FormDraft } | { readonly action: 'decline' };

/** `lost`: its agent has ended; where the person may still answer, an interrupted card follows. */
export type AskOutcome = 'answered' | 'declined' | 'withdrawn' | 'lost';
