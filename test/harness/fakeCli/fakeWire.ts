import { appendFileSync } from 'node:fs';
import { createDeferred, type Deferred } from '../../../src/base/deferred';
import type { FakeAnswer, FakeRecord } from './fakeCliScript';

export interface FakeWire {
  send(message: unknown): void;
  /** Sends a control request; resolves with the `response` that comes back for it. */
  ask(id: string, request: unknown): Promise<FakeAnswer>;
  answerTo(id: string): Promise<FakeAnswer>;
  settle(answer: FakeAnswer): void;
  /** Writes at once: the process may be killed the next moment. */
  record(entry: FakeRecord): void;
}

export function createFakeWire(recordFile: string | undefined): FakeWire {
  const answers = new Map<string, Deferred<FakeAnswer>>();
  const slot = (id: string): Deferred<FakeAnswer> => {
    const known = answers.get(id) ?? createDeferred<FakeAnswer>();
    answers.set(id, known);
    return known;
  };
  const send = (message: unknown): void => {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  };
  const answerTo = (id: string): Promise<FakeAnswer> => slot(id).promise;
  return {
    send,
    answerTo,
    ask: (id, request) => {
      send({ type: 'control_request', request_id: id, request });
      return answerTo(id);
    },
    settle: (answer) => slot(answer.request_id).resolve(answer),
    record: (entry) => {
      if (recordFile !== undefined) appendFileSync(recordFile, `${JSON.stringify(entry)}\n`);
    },
  };
}
