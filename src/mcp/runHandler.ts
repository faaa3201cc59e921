import type { ToolDefinition } from './defineTool';
import { thrownResult, toJson, toResult } from './results';
import { toStructuredResult } from './structuredResult';
import { isThenable } from './thenable';
import type { ToolContext } from './toolContext';
import { type CallToolResult, isRecord } from './wire';

/**
 * Runs a tool's handler and makes its value a result; a promise of it only where the handler has
 * not finished when it returns. Never throws, never rejects.
 */
export function runHandler(
  tool: ToolDefinition,
  input: unknown,
  ctx: ToolContext,
): CallToolResult | Promise<CallToolResult> {
  try {
    const value = tool.run(input, ctx);
    return isThenable(value) || isGenerator(value)
      ? finish(tool, value, ctx)
      : resultOf(tool, value);
  } catch (error) {
    return failed(error, ctx);
  }
}

function resultOf(tool: ToolDefinition, value: unknown): CallToolResult | Promise<CallToolResult> {
  const { parseOutput } = tool;
  return parseOutput === undefined ? toResult(value) : toStructuredResult(tool, parseOutput, value);
}

async function finish(
  tool: ToolDefinition,
  unfinished: unknown,
  ctx: ToolContext,
): Promise<CallToolResult> {
  try {
    const value = await unfinished;
    return await resultOf(tool, isGenerator(value) ? await drain(value, ctx) : value);
  } catch (error) {
    return failed(error, ctx);
  }
}

function failed(error: unknown, ctx: ToolContext): CallToolResult {
  // The stack holds paths of this machine: it goes to the log, never to the model.
  ctx.log('error', error instanceof Error ? (error.stack ?? error.message) : error);
  return thrownResult(error);
}

type Steps = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>;

/** Of what is not asynchronous only a generator: values of a `Map` are no steps. */
function isGenerator(value: unknown): value is Steps {
  return (
    isRecord(value) &&
    typeof value.next === 'function' &&
    (Symbol.asyncIterator in value || (Symbol.iterator in value && 'throw' in value))
  );
}

/** What a generator yields is progress, what it returns is the result. */
async function drain(generator: Steps, ctx: ToolContext): Promise<unknown> {
  for (let count = 1; ; count += 1) {
    const step = await generator.next();
    if (step.done === true) return step.value;
    ctx.progress(...stepOf(step.value, count));
    if (ctx.signal.aborted) {
      await generator.return(undefined);
      return undefined;
    }
  }
}

/**
 * What cannot be told of a yielded value is left out: with an error here the generator would be left
 * where it stands, and its `finally` never run.
 */
function stepOf(value: unknown, count: number): Parameters<ToolContext['progress']> {
  try {
    if (!isRecord(value) || typeof value.done !== 'number') {
      return [count, undefined, messageOf(value)];
    }
    const { done, total, message } = value;
    return [
      done,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    ];
  } catch {
    return [count];
  }
}

function messageOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : toJson(value);
}
