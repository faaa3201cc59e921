import type { FormAgain, FormDraft } from '../base/formField';
import type { JsonObject } from './wire';

/** What the person is asked by a handler, or by a server of others, while it serves a call. */
export interface AskQuestion {
  readonly server: string;
  /** Absent where a server asks outside of a call. */
  readonly tool?: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly message: string;
  /** JSON Schema of the form: an object with `properties`, each a text, number, truth value or choice. */
  readonly schema: JsonObject;
  /** Aborted when nobody waits for the answer any more: the form is to be closed. */
  readonly signal: AbortSignal;
  /** The conversation in whose panel the form belongs. */
  readonly conversation: { readonly id: string; readonly cwd: string };
  /** The answer before did not fit after all: the form comes back as it was, with the reason. */
  readonly again?: FormAgain | undefined;
}

/** `decline`: the person said no. `cancel`: the form was closed without an answer. */
export type AskAnswer<Content = Readonly<Record<string, unknown>>> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' };

/** `draft`: what stood in the form, where a person can be asked again. */
export type FormAnswer = AskAnswer & { readonly draft?: FormDraft | undefined };

/** Shows a form and waits for the person. Rejects only where no form can be shown. */
export type AskPort = (question: AskQuestion) => Promise<FormAnswer>;
