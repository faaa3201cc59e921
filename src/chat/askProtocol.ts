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

/** What the person says about some lines of a plan. */
export interface PlanComment {
  readonly id: string;
  /** Lines of the plan as it is now, edits included, from 1, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** These lines, as they were before they were deleted where they are gone. */
  readonly quote: string;
  readonly text: string;
  /** The person has deleted the lines since. */
  readonly isGone?: boolean | undefined;
}

/** A plan that waits to be approved: the CLI's tool ExitPlanMode. */
export interface PlanCard extends AskBase {
  readonly kind: 'plan';
  /** As the agent wrote it; absent where it wrote none. */
  readonly plan?: string | undefined;
  /** Its whole length in characters, where only a part of it is here. */
  readonly cutFrom?: number | undefined;
  /** As the person has changed it. */
  readonly edited?: string | undefined;
  /** Drawn in place of both where they hold what cannot be seen. */
  readonly shown?: string | undefined;
  readonly comments: readonly PlanComment[];
}

/** What the person makes of a plan before the answer. */
export type PlanReview = Pick<PlanCard, 'edited' | 'comments'>;

export type AskCard = FormCard | LinkCard | QuestionCard | PlanCard;

/** The answers to a plan; its edits and comments stand in the card. */
export type PlanReply =
  | { readonly action: 'approve'; readonly acceptEdits: boolean }
  | { readonly action: 'keepPlanning'; readonly words: string };

/** `decline` is also what Dismiss says. */
export type AskReply =
  | { readonly action: 'accept'; readonly draft: FormDraft }
  | { readonly action: 'decline' }
  | PlanReply;

/** `lost`: its agent has ended; where the person may still answer, an interrupted card follows. */
export type AskOutcome = 'answered' | 'declined' | 'withdrawn' | 'lost';
