import type { AskAnswer } from './askPort';
import type { ForeignCall } from './foreignServer';
import { RPC_NOT_FOUND, RpcError } from './jsonRpc';
import { isRecord, type JsonObject, ownField } from './wire';
import { withoutPatterns } from './withoutPatterns';

/** A request of a server of others. */
interface ForeignQuestion {
  readonly method: string;
  readonly params: unknown;
  /** Fires when the server takes it back. */
  readonly withdrawn: AbortSignal;
}

/**
 * Puts what a server asks while it serves calls: a form. Of several calls it may not say for which
 * it asks: then the clocks of all stand still, and the form stands until the last of them has ended.
 * @param calls those that run now and may be meant
 * @throws RpcError for anything else, and where nobody could tell whom to ask
 */
export async function askForCalls(
  calls: () => readonly ForeignCall[],
  { method, params, withdrawn }: ForeignQuestion,
): Promise<AskAnswer> {
  const schema = ownField(params, 'requestedSchema');
  const [first, ...others] = calls();
  if (method !== 'elicitation/create' || first === undefined || !isRecord(schema)) {
    throw new RpcError(RPC_NOT_FOUND, `Method '${method}' not supported`);
  }
  if (others.some(({ conversation }) => conversation.id !== first.conversation.id)) {
    throw new RpcError(RPC_NOT_FOUND, 'It is not clear in which conversation this is asked');
  }
  // Came as JSON.
  const form = { ...withoutPatterns(schema as JsonObject), type: 'object' as const };
  const text = ownField(params, 'message');
  const message = typeof text === 'string' ? text : '';
  let call = first;
  for (;;) {
    const asked: Promise<AskAnswer> = call.ask(form, message, withdrawn);
    const waiting = calls().filter((one) => one !== call);
    const held = waiting.reduce((all, one) => one.whilePersonDecides(all), asked);
    const answer = await held.catch((error: unknown) => ({ error }));
    const isAnswered = 'action' in answer && answer.action !== 'cancel';
    const left = calls();
    // The form went with a call that was not meant.
    if (!isAnswered && !withdrawn.aborted && !left.includes(call) && left[0] !== undefined) {
      call = left[0];
    } else if ('action' in answer) return answer;
    else throw answer.error;
  }
}
