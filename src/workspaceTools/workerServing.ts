import { errorMessage } from '../base/errors';
import { Emitter } from '../base/event';
import type { Disposable } from '../base/disposable';
import type { ConversationReset } from '../mcp/conversationFacts';
import { RpcError } from '../mcp/jsonRpc';
import type { Definition } from '../mcp/mcpServer';
import { toContents } from '../mcp/resourceContents';
import { copyJson, errorResult } from '../mcp/results';
import { runHandler } from '../mcp/runHandler';
import { createToolContext, type ToolContext } from '../mcp/toolContext';
import type { ParsedInput } from '../mcp/toolInput';
import { isRecord } from '../mcp/wire';
import { sendableState, WorkerCall, type WorkerState } from './workerContext';
import type { CallFacts, FromWorker, ToWorker, WorkerTask } from './workerMessages';

type CallMessage = Extract<ToWorker, { kind: 'call' }>;

/** Serves, in the worker, the definitions of one tool file. */
export class WorkerServing {
  readonly #definitions: readonly Definition[];
  readonly #post: (message: FromWorker) => void;
  readonly #calls = new Map<number, WorkerCall>();
  readonly #states = new Map<number, WorkerState>();
  readonly #watches = new Map<number, { readonly uri: string; readonly watch: unknown }>();

  constructor(definitions: readonly Definition[], post: (message: FromWorker) => void) {
    this.#definitions = definitions;
    this.#post = post;
  }

  take(message: ToWorker): void {
    switch (message.kind) {
      case 'call':
        void this.#serve(message);
        break;
      case 'stop':
        this.#calls.get(message.id)?.stop(message.reason);
        break;
      case 'answer':
        this.#calls.get(message.id)?.answer(message.question, message.answer);
        break;
      case 'reset':
        this.#states.get(message.stateKey)?.onReset.fire(message.reset);
        break;
      case 'forget':
        this.#states.delete(message.stateKey);
        break;
      case 'watch':
        this.#watch(message.id, message.index, message.uri);
        break;
      case 'unwatch':
        this.#unwatch(message.id);
        break;
      case 'ping':
        this.#post({ kind: 'pong', count: message.count });
        break;
      case 'load':
        throw new Error('A worker loads one file only');
    }
  }

  async #serve({ id, task, facts }: CallMessage): Promise<void> {
    const call = new WorkerCall(id, this.#post);
    this.#calls.set(id, call);
    const state = facts && this.#stateOf(facts);
    try {
      const ctx = facts && state ? call.context(facts, state) : createToolContext();
      const value = await this.#run(task, ctx);
      call.tellRest();
      const kept = state && this.#kept(id, state);
      try {
        this.#post({ kind: 'done', id, value, state: kept });
      } catch {
        // No plain data, such as an object of a class with functions: as JSON it may be.
        this.#post({ kind: 'done', id, value: sentAsJson(value), state: kept });
      }
    } catch (error) {
      call.tellRest();
      const code = error instanceof RpcError ? error.code : undefined;
      const kept = state && this.#kept(id, state);
      this.#post({ kind: 'failed', id, message: errorMessage(error), code, state: kept });
    } finally {
      this.#calls.delete(id);
      call.end();
    }
  }

  async #run(task: WorkerTask, ctx: ToolContext): Promise<unknown> {
    const definition = this.#definitions[task.index];
    if (definition === undefined) throw new Error(`There is no definition ${task.index}`);
    switch (task.op) {
      case 'check': {
        const parsed = await parse(definition, task.args);
        return parsed.ok ? [] : parsed.problems;
      }
      case 'edits':
        return definition.kind === 'tool'
          ? definition.edits?.(await inputOf(definition, task.args))
          : undefined;
      case 'run':
        return runOne(definition, task.args, ctx);
      case 'read':
        return definition.kind === 'resource' ? readOne(definition, task, ctx) : undefined;
      case 'list':
        return definition.kind === 'resource' && definition.list !== undefined
          ? [...(await definition.list(ctx))]
          : [];
      case 'complete':
        return definition.kind === 'tool'
          ? []
          : definition.complete.get(task.field)?.(task.value, task.others, ctx);
    }
  }

  #stateOf({ stateKey, state }: CallFacts): WorkerState {
    let known = this.#states.get(stateKey);
    if (known === undefined) {
      const onReset = new Emitter<ConversationReset>((error) => {
        this.#failed('a listener of onDidReset failed', error);
      });
      known = { map: new Map(state), onReset };
      this.#states.set(stateKey, known);
    }
    return known;
  }

  /** Sent with the end of each call, so that it outlives the worker. */
  #kept(id: number, { map }: WorkerState): ReturnType<typeof sendableState>['entries'] {
    const { entries, dropped } = sendableState(map);
    if (dropped.length > 0) {
      const data = `ctx.state: ${dropped.join(', ')} is no plain data and is lost when the worker ends`;
      this.#post({ kind: 'log', id, level: 'warning', data });
    }
    return entries;
  }

  #watch(id: number, index: number, uri: string): void {
    const definition = this.#definitions[index];
    if (definition?.kind !== 'resource') return;
    const changed = (): void => {
      this.#post({ kind: 'changed', id });
    };
    try {
      const watch: unknown = definition.watch?.(uri, changed);
      if (watch !== undefined) this.#watches.set(id, { uri, watch });
    } catch (error) {
      this.#failed(`watch of ${uri} failed`, error);
    }
  }

  /** Whatever an author's watch gave: the calls of the file have no part in it. */
  #unwatch(id: number): void {
    const known = this.#watches.get(id);
    if (known === undefined) return;
    this.#watches.delete(id);
    const { uri, watch } = known;
    try {
      if (typeof watch === 'function') Reflect.apply(watch, undefined, []);
      // Else as its type says; what is none is told.
      else (watch as Disposable).dispose();
    } catch (error) {
      this.#failed(`the watch of ${uri} could not be ended`, error);
    }
  }

  #failed(what: string, error: unknown): void {
    this.#post({ kind: 'log', level: 'error', data: `${what}: ${errorMessage(error)}` });
  }
}

function runOne(definition: Definition, args: unknown, ctx: ToolContext): unknown {
  switch (definition.kind) {
    case 'tool':
      return inputOf(definition, args).then((input) => runHandler(definition, input, ctx));
    case 'prompt':
      return inputOf(definition, args).then((input) => definition.run(input, ctx));
    case 'resource':
      return undefined;
  }
}

/** Made contents of here: as a message some of it would be less, such as nothing of a `URL`. */
async function readOne(
  definition: Extract<Definition, { kind: 'resource' }>,
  { variables, uri }: Extract<WorkerTask, { op: 'read' }>,
  ctx: ToolContext,
): Promise<unknown> {
  const value = await definition.read(variables, ctx, uri);
  return value === undefined || value === null
    ? undefined
    : toContents(value, uri, definition.wire.mimeType);
}

async function parse(definition: Definition, args: unknown): Promise<ParsedInput<unknown>> {
  switch (definition.kind) {
    case 'tool':
      return definition.parseInput(args);
    case 'prompt':
      return definition.parseArguments(args);
    case 'resource':
      return { ok: true, value: args };
  }
}

/** The handler's own form of arguments that were found to fit. */
async function inputOf(definition: Definition, args: unknown): Promise<unknown> {
  const parsed = await parse(definition, args);
  if (parsed.ok) return parsed.value;
  throw new Error(`The arguments fitted, and then did not:\n${parsed.problems.join('\n')}`);
}

function sentAsJson(value: unknown): unknown {
  try {
    return copyJson(value);
  } catch (error) {
    const text = `What the handler returned cannot be sent: ${errorMessage(error)}`;
    if (isRecord(value) && 'content' in value) return errorResult(text);
    throw new Error(text, { cause: error });
  }
}
