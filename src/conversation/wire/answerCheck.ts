import { isJsonObject } from '../../protocol/lazySchema';
import { RPC_INVALID_PARAMS } from '../../mcp/jsonRpc';
import { ownField } from '../../mcp/wire';
import { jsonDifference } from './jsonDifference';
import { type RecordedRequest, type RecordPairs, requestName } from './pairRecords';

export interface AnswerCount {
  readonly same: number;
  /** Given as the file has them: what made them is not in the file. */
  readonly takenOver: number;
  /** One line each: which answer, and the first place in which it differs. */
  readonly different: readonly string[];
}

/** Compares what we answered then with what the code answers now. */
export class AnswerCheck {
  #same = 0;
  #takenOver = 0;
  readonly #different: string[] = [];
  /** Answers of now, by the request that they answer. */
  readonly #given = new Map<RecordedRequest, unknown>();
  readonly #isTakenOver = new Set<RecordedRequest>();

  get count(): AnswerCount {
    return { same: this.#same, takenOver: this.#takenOver, different: this.#different };
  }

  /** The code's own answer: the frame that goes to the CLI. */
  give(request: RecordedRequest, frame: unknown): void {
    this.#given.set(request, JSON.parse(JSON.stringify(frame)));
  }

  hasGiven(request: RecordedRequest): boolean {
    return this.#given.has(request);
  }

  /** Its answer comes from the file. */
  takeOver(request: RecordedRequest): void {
    this.#isTakenOver.add(request);
  }

  /** Compares all that the file has answers of ours to. */
  finish({ requests, strays }: RecordPairs): void {
    for (const one of requests) {
      if (one.request.dir === 'in' && one.answer !== undefined) this.#compare(one);
    }
    // Their requests are not in the file, so nothing could make them.
    this.#takenOver += strays.filter(({ dir }) => dir === 'out').length;
  }

  #compare(one: RecordedRequest): void {
    const then = one.answer?.frame;
    if (!this.#given.has(one)) {
      this.#differs(one, 'the code gives no answer now');
      return;
    }
    const now = this.#given.get(one);
    const difference = jsonDifference(then, now);
    if (difference !== undefined && !isOwnCheck(then, now)) this.#differs(one, difference);
    else if (difference !== undefined || this.#isTakenOver.has(one)) this.#takenOver += 1;
    else this.#same += 1;
  }

  #differs(one: RecordedRequest, difference: string): void {
    const { request, answer, id } = one;
    const line = answer?.line ?? request.line;
    this.#different.push(
      `line ${line}: answer to ${requestName(request)}, request ${id}: ${difference}`,
    );
  }
}

/** Bad arguments are told by the tool's own schema, of which the file has only the JSON Schema. */
function isOwnCheck(then: unknown, now: unknown): boolean {
  const was = rpcError(then);
  if (was?.code !== RPC_INVALID_PARAMS || !was.message.startsWith('Invalid arguments'))
    return false;
  const is = rpcError(now);
  return is === undefined || is.message.split('\n')[0] === was.message.split('\n')[0];
}

function rpcError(frame: unknown): { code: unknown; message: string } | undefined {
  const body = ownField(ownField(frame, 'response'), 'response');
  const error = ownField(ownField(body, 'mcp_response'), 'error');
  if (!isJsonObject(error) || typeof error.message !== 'string') return undefined;
  return { code: error.code, message: error.message };
}
