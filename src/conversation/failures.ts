import * as l10n from '@vscode/l10n';
import { errorMessage, UserFacingError } from '../base/errors';
import type { ErrorFields } from '../chat/chatEvent';
import type { SentSelection } from '../chat/selectionProtocol';
import type { QueuedPrompt, ViewState } from '../chat/viewStateProtocol';
import type { SetUpPort } from './conversationPorts';

/** A CLI that ended, or was ended, before it was ready. */
export class AgentStartError extends UserFacingError {
  readonly fields: ErrorFields;

  constructor(fields: ErrorFields, cause: unknown) {
    const { message, kept, next, details } = fields;
    super(message, {
      ...(kept === undefined ? {} : { kept }),
      ...(next === undefined ? {} : { next }),
      details,
      cause,
    });
    this.fields = fields;
  }
}

/** The CLI was not found, or cannot run: whoever looks after the set-up is told as well. */
export function cliMissing(error: UserFacingError, setUp: SetUpPort | undefined): AgentStartError {
  setUp?.missing(error);
  return new AgentStartError({ ...failureOf(error), lacks: 'cli' }, error);
}

/** What an alert says of an error: a {@link UserFacingError} word for word, all else in its details. */
export function failureOf(error: unknown): ErrorFields {
  if (error instanceof AgentStartError) return error.fields;
  if (error instanceof UserFacingError) {
    return {
      message: error.message,
      kept: error.kept ?? l10n.t('Your message is kept.'),
      next: error.next,
      details: error.details,
      actions: [...error.remedies, 'retry', 'showLog'],
    };
  }
  return {
    message: l10n.t('The message could not be sent.'),
    kept: l10n.t('Your message is kept.'),
    next: l10n.t('Try again; the log says more.'),
    details: errorMessage(error),
    actions: ['retry', 'showLog'],
  };
}

/** An alert, or the quiet line that took its place. */
function offersRetry(item: ViewState['items'][number]): boolean {
  return (
    (item.kind === 'error' || item.kind === 'notice') && item.actions?.includes('retry') === true
  );
}

/**
 * The prompt that an alert is about: the last one above it. `isLast`: the person has said nothing
 * since. Undefined where there is no such alert (any more) or no prompt.
 * @param selectionOf what was selected as it was said
 */
export function failedPrompt(
  view: Pick<ViewState, 'items'>,
  alertId: string,
  selectionOf: (promptId: string) => SentSelection | undefined = () => undefined,
): { readonly prompt: QueuedPrompt; readonly isLast: boolean } | undefined {
  const at = view.items.findIndex((item) => item.id === alertId && offersRetry(item));
  const isPrompt = (item: ViewState['items'][number]): boolean => item.kind === 'user';
  const prompt = view.items.slice(0, Math.max(at, 0)).filter(isPrompt).at(-1);
  if (prompt?.kind !== 'user') return undefined;
  const { id, text, images } = prompt;
  return {
    prompt: { id, text, images, selection: selectionOf(id) },
    isLast: !view.items.slice(at).some(isPrompt),
  };
}
