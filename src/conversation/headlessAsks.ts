import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { untilAborted } from '../base/untilAborted';
import type { PermissionRequest } from '../chat/permissionRequest';
import { DISMISSED, tryCreateQuestionCard } from '../chat/questionCard';
import type { AskAnswer, AskPort } from '../mcp/askPort';
import type { ElicitationRequest } from '../protocol/controlRequests';
import { isJsonObject } from '../protocol/lazySchema';
import type { PermissionResult } from '../protocol/permissions';
import type { ElicitationAnswer } from './askDesk';

/** What is asked in a conversation that no panel shows. */
export type HeadlessAsk =
  | {
      readonly kind: 'form';
      readonly server: string;
      readonly tool?: string | undefined;
      readonly message: string;
      readonly schema: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'url';
      readonly server: string;
      readonly message: string;
      readonly url: string;
    }
  | {
      readonly kind: 'questions';
      readonly questions: readonly {
        readonly question: string;
        readonly header: string;
        readonly multiSelect: boolean;
        readonly options: readonly { readonly label: string; readonly description: string }[];
      }[];
    };

/** Asks whoever started the conversation. Of questions the content is the answers by their texts. */
export type HeadlessAsker = (ask: HeadlessAsk, signal: AbortSignal) => unknown;

export interface HeadlessAsks {
  readonly askForTool: AskPort;
  elicit(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Undefined where the request is about something else. */
  question(request: PermissionRequest, signal: AbortSignal): Promise<PermissionResult> | undefined;
}

/** Without an asker, and where it fails, the answer is no: nobody else could give one. */
export function createHeadlessAsks(asker: HeadlessAsker | undefined, log: Logger): HeadlessAsks {
  const ask = async (asked: HeadlessAsk, signal: AbortSignal): Promise<AskAnswer> => {
    if (asker === undefined) return { action: 'decline' };
    try {
      return answerOf(await untilAborted(Promise.resolve(asker(asked, signal)), signal));
    } catch (error) {
      if (!signal.aborted) log.warn(`A question was not answered: ${errorMessage(error)}`);
      return { action: signal.aborted ? 'cancel' : 'decline' };
    }
  };
  return {
    askForTool: ({ server, tool, message, schema, signal }) =>
      ask({ kind: 'form', server, tool, message, schema }, signal),
    elicit: ({ mcp_server_name: server, message = '', mode, url, requested_schema }, signal) =>
      mode === 'url'
        ? ask({ kind: 'url', server, message, url: url ?? '' }, signal).then(withoutContent)
        : ask({ kind: 'form', server, message, schema: requested_schema ?? {} }, signal),
    question: (request, signal) => {
      const card = tryCreateQuestionCard('', request);
      if (!card) return undefined;
      const questions = card.questions.map(({ multi, ...one }) => ({ ...one, multiSelect: multi }));
      return ask({ kind: 'questions', questions }, signal).then((answer) =>
        questionsResult(request, answer),
      );
    },
  };
}

/** A page has nothing to fill in: the protocol wants the bare action. */
function withoutContent({ action }: AskAnswer): ElicitationAnswer {
  return { action };
}

/** Other extensions may be plain JavaScript. */
function answerOf(given: unknown): AskAnswer {
  if (isJsonObject(given)) {
    const { action, content } = given;
    if (action === 'decline' || action === 'cancel') return { action };
    if (action === 'accept') return { action, content: isJsonObject(content) ? content : {} };
  }
  throw new Error("the answer must be { action: 'accept' | 'decline' | 'cancel', content? }");
}

function questionsResult({ input }: PermissionRequest, answer: AskAnswer): PermissionResult {
  if (answer.action !== 'accept') return { behavior: 'deny', message: DISMISSED };
  const entries = Object.entries(answer.content).map(([question, given]) => [
    question,
    Array.isArray(given) ? given.join(', ') : String(given),
  ]);
  return { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(entries) } };
}
