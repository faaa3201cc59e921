import type { ToolDefinition } from './defineTool';
import { thrownResult, toResult } from './results';
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
    return isThenable(value) || isGenerator(value) ? finish(value, ctx) : toResult(value);
  } catch (error) {
    return failed(error, ctx);
  }
}

async function finish(unfinished: unknown, ctx: ToolContext): Promise<CallToolResult> {
  try {
    const value = await unfinished;
    return toResult(isGenerator(value) ? await drain(value, ctx) : value);
  } catch (error) {
    return failed(error, ctx);
  }
}

function failed(error: unknown, ctx: ToolContext): CallToolResult {
  // The stack holds paths of this machine: it goes to the log, never to the model.
  ctx.log('error', error instanceof Error ? (error.stack ?? error.message) : error);
  return thrownResult(error);
}

/** What `await` would wait for. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof Reflect.get(value, 'then') === 'function';
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, undefined> {
  return isRecord(value) && Symbol.asyncIterator in value && typeof value.next === 'function';
}

/** What an async generator yields is progress, what it returns is the result. */
async function drain(
  generator: AsyncGenerator<unknown, unknown, undefined>,
  ctx: ToolContext,
): Promise<unknown> {
  for (let count = 1; ; count += 1) {
    const step = await generator.next();
    if (step.done === true) return step.value;
    report(step.value, count, ctx);
    if (ctx.signal.aborted) {
      await generator.return(undefined);
      return undefined;
    }
  }
}

function report(value: unknown, count: number, ctx: ToolContext): void {
  if (isRecord(value) && typeof value.done === 'number') {
    const { done, total, message } = value;
    ctx.progress(
      done,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  } else {
    ctx.progress(count, undefined, typeof value === 'string' ? value : JSON.stringify(value));
  }
}
