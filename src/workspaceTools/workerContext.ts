import { errorMessage } from '../base/errors';
import type { Emitter } from '../base/event';
import { floodGate } from '../base/floodGate';
import type { AskAnswer } from '../mcp/askPort';
import type { ConversationReset } from '../mcp/conversationFacts';
import type { InputOf, ToolInput } from '../mcp/inputTypes';
import type { ToolContext } from '../mcp/toolContext';
import { createToolInput } from '../mcp/toolInput';
import { copyJson } from '../mcp/results';
import { isRecord, type JsonObject } from '../mcp/wire';
import type { CallFacts, FromWorker, StateEntry, ToldFile, ToWorker } from './workerMessages';

/** What a conversation keeps in this worker. */
export interface WorkerState {
  readonly map: Map<string, unknown>;
  readonly onReset: Emitter<ConversationReset>;
}

type Answer = Extract<ToWorker, { kind: 'answer' }>['answer'];

const ENDED = 'The call has ended';
/** Reports of progress that go to the extension host in a second. */
const REPORTS_PER_SECOND = 100;
/** Files that are told of one by one; those after them are told together, at the call's end. */
const FILES_AT_ONCE = 1_000;

/** The context of one call, in the worker: what it does goes to the extension host as messages. */
export class WorkerCall {
  readonly #controller = new AbortController();
  readonly #questions = new Map<number, (answer: Answer) => void>();
  readonly #post: (message: FromWorker) => void;
  readonly #id: number;
  /** Messages without end would hold up the extension host, which has to take them one by one. */
  readonly #takeReport = floodGate(REPORTS_PER_SECOND);
  readonly #takeLast = floodGate(REPORTS_PER_SECOND);
  readonly #files: ToldFile[] = [];
  #toldAtOnce = 0;
  #asked = 0;
  #isEnded = false;

  constructor(id: number, post: (message: FromWorker) => void) {
    this.#id = id;
    this.#post = post;
  }

  stop(reason: string): void {
    const error = new Error(reason);
    this.#controller.abort(error);
    this.#fail(reason);
  }

  /** What is left to be told before the call's own end. */
  tellRest(): void {
    const files = this.#files.splice(0);
    if (files.length > 0) this.#post({ kind: 'tellFiles', id: this.#id, files });
  }

  /** What the handler has left open, or asks from now on, is answered by nobody. */
  end(): void {
    this.#isEnded = true;
    this.#fail(ENDED);
  }

  answer(question: number, answer: Answer): void {
    const settle = this.#questions.get(question);
    this.#questions.delete(question);
    settle?.(answer);
  }

  context(facts: CallFacts, state: WorkerState): ToolContext {
    const id = this.#id;
    const post = this.#post;
    return {
      requestId: facts.requestId,
      toolUseId: facts.toolUseId,
      agent: facts.agent,
      progressToken: facts.progressToken,
      clientInfo: facts.clientInfo,
      clientCapabilities: facts.clientCapabilities,
      meta: facts.meta,
      conversation: facts.conversation,
      mode: facts.mode,
      turnStart: facts.turnStart,
      lastTurnStart: facts.lastTurnStart,
      signal: this.#controller.signal,
      state: state.map,
      onDidReset: state.onReset.event,
      progress: (done, total, message) => {
        const isLast = done === total;
        if (this.#takeReport() === undefined && !(isLast && this.#takeLast() !== undefined)) return;
        post({ kind: 'progress', id, done, total, message });
      },
      log: (level, data, logger) => {
        post({ kind: 'log', id, level, data: plainData(data), logger });
      },
      tellFile: (path, bytes) => {
        this.#toldAtOnce += 1;
        if (this.#toldAtOnce <= FILES_AT_ONCE) post({ kind: 'tellFile', id, path, bytes });
        else this.#files.push({ path, bytes });
      },
      ask: (schema, message) => this.#ask(schema, message),
      whilePersonDecides: (work) => this.#hold(work),
    };
  }

  async #ask<I extends ToolInput>(schema: I, message: string): Promise<AskAnswer<InputOf<I>>> {
    const form = createToolInput<InputOf<I>>(schema, 'form');
    let question = { schema: form.jsonSchema(), message };
    let before: string | undefined;
    for (;;) {
      const answer = await this.#put(question);
      if (answer.action !== 'accept') return { action: answer.action };
      // Once more by the author's own schema: it may make more of the texts than JSON can say.
      const parsed = await form.parse(answer.content);
      if (parsed.ok) return { action: 'accept', content: parsed.value };
      const problems = parsed.problems.join('\n');
      const given = JSON.stringify(answer.content);
      // Given twice it is the answer: of a program it would never be another one.
      if (given === before) throw new Error(`The answer does not fit the form:\n${problems}`);
      before = given;
      question = {
        schema: filledIn(form.jsonSchema(), answer.content),
        message: `${message}\n\n${problems}`,
      };
    }
  }

  async #put(asked: { readonly schema: JsonObject; readonly message: string }): Promise<AskAnswer> {
    this.#controller.signal.throwIfAborted();
    if (this.#isEnded) throw new Error(ENDED);
    const question = this.#nextQuestion();
    const answer = await new Promise<Answer>((resolve) => {
      this.#questions.set(question, resolve);
      this.#post({ kind: 'ask', id: this.#id, question, ...asked });
    });
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  }

  #fail(reason: string): void {
    for (const settle of this.#questions.values()) settle({ failed: reason });
    this.#questions.clear();
  }

  async #hold<T>(work: Promise<T>): Promise<T> {
    const question = this.#nextQuestion();
    this.#post({ kind: 'hold', id: this.#id, question });
    try {
      return await work;
    } finally {
      this.#post({ kind: 'release', id: this.#id, question });
    }
  }

  #nextQuestion(): number {
    this.#asked += 1;
    return this.#asked;
  }
}

/** What can be sent of the entries; `dropped` names those that are no plain data. */
export function sendableState(map: ReadonlyMap<string, unknown>): {
  readonly entries: readonly StateEntry[];
  readonly dropped: readonly string[];
} {
  const entries: StateEntry[] = [];
  const dropped: string[] = [];
  for (const [key, value] of map) {
    try {
      entries.push([key, structuredClone(value)]);
    } catch {
      dropped.push(key);
    }
  }
  return { entries, dropped };
}

/** A form that begins with this answer. */
function filledIn(schema: JsonObject, content: Readonly<Record<string, unknown>>): JsonObject {
  if (!isRecord(schema.properties)) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]): [string, object] => {
    const own: [string, unknown][] = isRecord(field) ? Object.entries(field) : [];
    const rest = own.filter(([key]) => key !== 'default');
    if (Object.hasOwn(content, name)) rest.push(['default', content[name]]);
    return [name, Object.fromEntries(rest)];
  });
  // Values of JSON, as they came.
  return { ...schema, properties: Object.fromEntries(fields) as JsonObject };
}

/** As a message takes it; the log must not fail on anything that it is given. */
export function plainData(data: unknown): unknown {
  if (typeof data === 'string') return data;
  if (data instanceof Error) return data.stack ?? errorMessage(data);
  try {
    return copyJson(data);
  } catch {
    return '(cannot be written)';
  }
}
