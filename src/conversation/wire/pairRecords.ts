import { isJsonObject } from '../../protocol/lazySchema';
import type { WireFrame, WireRecord } from './wireFile';

/** A request of the file and what became of it. */
export interface RecordedRequest {
  readonly request: WireFrame;
  /** Its `request_id`, with its type. */
  readonly id: string | number;
  /** Undefined where the file has none. */
  answer: WireFrame | undefined;
  /** Nobody waits any more: whoever asked took it back, or the process ended. */
  isOver: boolean;
}

export interface RecordPairs {
  readonly requests: readonly RecordedRequest[];
  /** By the line of the request, and by that of the answer. */
  readonly byLine: ReadonlyMap<number, RecordedRequest>;
  /** Answers to nothing: their requests went before the file begins, or never. */
  readonly strays: readonly WireFrame[];
}

/** Which answers of a file belong to which requests. Ids begin anew with each process. */
export function pairRecords(records: readonly WireRecord[]): RecordPairs {
  const requests: RecordedRequest[] = [];
  const byLine = new Map<number, RecordedRequest>();
  const strays: WireFrame[] = [];
  const open = new Map<string, RecordedRequest>();
  for (const record of records) {
    if (record.what === 'ended') {
      for (const one of open.values()) one.isOver = true;
      open.clear();
    }
    if (record.what !== 'frame') continue;
    const { frame, dir } = record;
    if (frame.type === 'control_request' && isId(frame.request_id)) {
      const id = frame.request_id;
      const one: RecordedRequest = { request: record, id, answer: undefined, isOver: false };
      requests.push(one);
      byLine.set(record.line, one);
      open.set(keyOf(dir, id), one);
    } else if (frame.type === 'control_cancel_request' && isId(frame.request_id)) {
      const one = open.get(keyOf(dir, frame.request_id));
      if (one) one.isOver = true;
    } else if (frame.type === 'control_response') {
      const id = isJsonObject(frame.response) ? frame.response.request_id : undefined;
      const key = isId(id) ? keyOf(dir === 'in' ? 'out' : 'in', id) : '';
      const one = open.get(key);
      if (one === undefined) strays.push(record);
      else {
        open.delete(key);
        one.answer = record;
        byLine.set(record.line, one);
      }
    }
  }
  return { requests, byLine, strays };
}

/** What a request is about, for a report: `tools/call`, `can_use_tool`. */
export function requestName({ frame }: WireFrame): string {
  const request = isJsonObject(frame.request) ? frame.request : {};
  const message = isJsonObject(request.message) ? request.message : {};
  const name = message.method ?? request.subtype;
  return typeof name === 'string' ? name.slice(0, 80) : 'request';
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function keyOf(asker: string, id: string | number): string {
  return `${asker} ${typeof id} ${id}`;
}
