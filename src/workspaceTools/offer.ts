import type { Disposable } from '../base/disposable';
import type { PromptDefinition } from '../mcp/definePrompt';
import type { ResourceDefinition } from '../mcp/defineResource';
import type { ToolDefinition } from '../mcp/defineTool';
import type { Definition } from '../mcp/mcpServer';
import { errorResult } from '../mcp/results';
import { runHandler } from '../mcp/runHandler';
import type { ToolContext } from '../mcp/toolContext';
import type { CallToolResult, ToolAnnotations } from '../mcp/wire';
import { CallScope } from './callScope';
import { cutResult, type KeepWhole } from './cutResult';
import type { ToolFileLimits } from './workspaceToolsPorts';

/** The characters of a result where neither setting nor tool says another number. */
const DEFAULT_CHARS = 50_000;

export interface OfferOptions {
  readonly limits: () => ToolFileLimits;
  /** Whether the author's `readOnlyHint` may be told. */
  readonly isAllowed: boolean;
  /** Aborted, with the words for the model as its reason, when no call of the file may go on. */
  readonly life: () => AbortSignal;
  /** One call has begun; disposed of at its end. */
  readonly began: () => Disposable;
  readonly keep: (conversation: string, tool: string) => KeepWhole;
}

/** A definition of a tool file as conversations are offered it: bounded, and ended with its file. */
export function offer(definition: Definition, options: OfferOptions): Definition {
  switch (definition.kind) {
    case 'tool':
      return offerTool(definition, options);
    case 'prompt':
      return offerPrompt(definition, options);
    case 'resource':
      return offerResource(definition, options);
  }
}

function offerTool(tool: ToolDefinition, options: OfferOptions): ToolDefinition {
  const { limits, isAllowed } = options;
  const { kind, name, title, description, alwaysLoad, searchHint, requiresUserInteraction } = tool;
  const { meta, maxResultChars, progressExtends } = tool;
  return {
    kind,
    name,
    title,
    description,
    annotations: isAllowed ? tool.annotations : withoutReadOnly(tool.annotations),
    alwaysLoad,
    searchHint,
    maxResultChars,
    requiresUserInteraction,
    meta,
    get timeout() {
      return tool.timeout ?? limits().timeout;
    },
    progressExtends,
    get inputSchema() {
      return tool.inputSchema;
    },
    get outputSchema() {
      return tool.outputSchema;
    },
    parseInput: (args) => {
      const parsed = tool.parseInput(args);
      if (!(parsed instanceof Promise)) return parsed;
      // A worker checks it, which must not end meanwhile.
      const running = options.began();
      return parsed.finally(() => running.dispose());
    },
    // The result is made and checked here, so that the outer one only copies it.
    run: (input, ctx) => runTool(tool, input, ctx, options),
  };
}

async function runTool(
  tool: ToolDefinition,
  input: unknown,
  ctx: ToolContext,
  options: OfferOptions,
): Promise<CallToolResult> {
  const { limits } = options;
  const life = options.life();
  const maxChars = tool.maxResultChars ?? (limits().maxResultChars || DEFAULT_CHARS);
  const done = await duringLife(ctx, life, options, (scope) => runHandler(tool, input, scope));
  if (done === undefined) return errorResult(reasonOf(life));
  return cutResult(done.value, maxChars, options.keep(ctx.conversation.id, tool.name));
}

function offerPrompt(prompt: PromptDefinition, options: OfferOptions): PromptDefinition {
  const { kind, name, title, description } = prompt;
  return {
    kind,
    name,
    title,
    description,
    get timeout() {
      return prompt.timeout ?? options.limits().timeout;
    },
    get wire() {
      return prompt.wire;
    },
    get complete() {
      return prompt.complete;
    },
    parseArguments: (args) => prompt.parseArguments(args),
    run: (args, ctx) => inLife(ctx, options, (scope) => prompt.run(args, scope)),
  };
}

function offerResource(resource: ResourceDefinition, options: OfferOptions): ResourceDefinition {
  const { kind, uri, name, list, watch, complete } = resource;
  return {
    kind,
    uri,
    name,
    get template() {
      return resource.template;
    },
    get wire() {
      return resource.wire;
    },
    get timeout() {
      return resource.timeout ?? options.limits().timeout;
    },
    complete,
    read: (variables, ctx, at) =>
      inLife(ctx, options, (scope) => resource.read(variables, scope, at)),
    ...(list === undefined ? {} : { list: (ctx) => inLife(ctx, options, (scope) => list(scope)) }),
    ...(watch === undefined ? {} : { watch }),
  };
}

/** @throws Error with the reason when the file goes */
async function inLife<T>(
  ctx: ToolContext,
  options: OfferOptions,
  work: (scope: ToolContext) => T | Promise<T>,
): Promise<T> {
  const life = options.life();
  const done = await duringLife(ctx, life, options, work);
  if (done === undefined) throw new Error(reasonOf(life));
  return done.value;
}

/**
 * Undefined when the file went, or the call was stopped, before the work had ended: whether that
 * listens to its signal or not, nothing is held for it any longer.
 */
async function duringLife<T>(
  ctx: ToolContext,
  life: AbortSignal,
  { began }: OfferOptions,
  work: (scope: ToolContext) => T | Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const running = began();
  const letGo = [ctx.signal, life].map((one) => follow(one, controller));
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const start = async (): Promise<{ readonly value: T }> => ({
    value: await work(new CallScope(ctx, signal)),
  });
  const finished = start();
  // It may fail when nobody waits for it any more.
  finished.catch(() => undefined);
  try {
    return await Promise.race([finished, stopped]);
  } finally {
    for (const one of letGo) one();
    running.dispose();
  }
}

/** @returns what ends it: a file lives longer than its calls */
function follow(signal: AbortSignal, controller: AbortController): () => void {
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

function reasonOf(life: AbortSignal): string {
  return life.reason instanceof Error ? life.reason.message : 'Cancelled';
}

function withoutReadOnly(annotations: ToolAnnotations | undefined): ToolAnnotations | undefined {
  if (annotations?.readOnlyHint === undefined) return annotations;
  return { ...annotations, readOnlyHint: undefined };
}
