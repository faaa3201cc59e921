import type { Disposable } from '../base/disposable';
import type { Completer } from '../mcp/completion';
import type { PromptDefinition } from '../mcp/definePrompt';
import type { ListedResource, ResourceDefinition } from '../mcp/defineResource';
import type { ToolDefinition } from '../mcp/defineTool';
import type { Definition } from '../mcp/mcpServer';
import { copyJson } from '../mcp/results';
import type { ToolContext } from '../mcp/toolContext';
import type { ParsedInput } from '../mcp/toolInput';
import { parseUriTemplate } from '../mcp/uriTemplate';
import type {
  DefinitionData,
  PromptData,
  ResourceData,
  ToolData,
  WorkerTask,
} from './workerMessages';

/** Has a worker do something; rejects where it fails, is ended, or the call is stopped. */
export interface WorkerLink {
  call(task: WorkerTask, ctx?: ToolContext): Promise<unknown>;
  watch(index: number, uri: string, changed: () => void): Disposable;
}

/** What there is to know of a definition without its functions. @throws DefinitionError */
export function dataOf(definition: Definition): ToolData | PromptData | ResourceData {
  switch (definition.kind) {
    case 'tool':
      return plain({
        ...pick(definition, TOOL_FIELDS),
        kind: 'tool',
        inputSchema: definition.inputSchema,
        outputSchema: definition.outputSchema,
        hasEdits: definition.edits !== undefined,
      });
    case 'prompt':
      return plain({
        ...pick(definition, PROMPT_FIELDS),
        kind: 'prompt',
        wire: definition.wire,
        completes: [...definition.complete.keys()],
      });
    case 'resource':
      return plain({
        ...pick(definition, RESOURCE_FIELDS),
        kind: 'resource',
        wire: definition.wire,
        hasList: definition.list !== undefined,
        hasWatch: definition.watch !== undefined,
        completes: [...definition.complete.keys()],
      });
  }
}

const TOOL_FIELDS = [
  'name',
  'title',
  'description',
  'annotations',
  'alwaysLoad',
  'searchHint',
  'maxResultChars',
  'requiresUserInteraction',
  'meta',
  'timeout',
  'progressExtends',
] as const;
const PROMPT_FIELDS = ['name', 'title', 'description', 'timeout'] as const;
const RESOURCE_FIELDS = ['uri', 'name', 'timeout'] as const;

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  // Each key is there, or its value is undefined.
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

/** A copy that a message can hold, whatever the author put in. */
function plain<T extends object>(data: T): T {
  // JSON leaves the shape as it is: texts, numbers, truth values, lists and objects.
  return copyJson(data) as T;
}

/** Definitions whose work is done by the worker. */
export function proxyOf(index: number, data: DefinitionData, link: WorkerLink): Definition {
  switch (data.kind) {
    case 'tool':
      return toolProxy(index, data, link);
    case 'prompt':
      return promptProxy(index, data, link);
    case 'resource':
      return resourceProxy(index, data, link);
  }
}

/** The input stays as it came: the handler's own form of it may be no plain data. */
function checker(
  index: number,
  link: WorkerLink,
): (args: unknown) => Promise<ParsedInput<unknown>> {
  return async (args) => {
    // What the worker's own check answers.
    const problems = (await link.call({ op: 'check', index, args })) as readonly string[];
    return problems.length === 0 ? { ok: true, value: args } : { ok: false, problems };
  };
}

function toolProxy(index: number, data: ToolData, link: WorkerLink): ToolDefinition {
  const { hasEdits, inputSchema, outputSchema, ...rest } = data;
  return {
    ...rest,
    inputSchema,
    outputSchema,
    parseInput: checker(index, link),
    ...(hasEdits
      ? {
          edits: async (args: unknown) =>
            (await link.call({ op: 'edits', index, args })) as readonly string[],
        }
      : {}),
    // The worker has made a result of what the handler returned, and has checked it.
    run: (args, ctx) => link.call({ op: 'run', index, args }, ctx),
  };
}

function promptProxy(index: number, data: PromptData, link: WorkerLink): PromptDefinition {
  const { name, title, description, timeout, wire, completes } = data;
  return {
    kind: 'prompt',
    name,
    title,
    description,
    timeout,
    wire,
    parseArguments: checker(index, link),
    run: (args, ctx) => link.call({ op: 'run', index, args }, ctx),
    complete: completers(index, completes, link),
  };
}

function resourceProxy(index: number, data: ResourceData, link: WorkerLink): ResourceDefinition {
  const { uri, name, timeout, wire, hasList, hasWatch, completes } = data;
  return {
    kind: 'resource',
    uri,
    name,
    timeout,
    template: parseUriTemplate(uri),
    wire,
    read: (variables, ctx, at) => link.call({ op: 'read', index, variables, uri: at }, ctx),
    ...(hasList
      ? {
          list: async (ctx: ToolContext) =>
            (await link.call({ op: 'list', index }, ctx)) as readonly ListedResource[],
        }
      : {}),
    complete: completers(index, completes, link),
    ...(hasWatch
      ? { watch: (at: string, changed: () => void) => link.watch(index, at, changed) }
      : {}),
  };
}

function completers(
  index: number,
  fields: readonly string[],
  link: WorkerLink,
): ReadonlyMap<string, Completer> {
  return new Map(
    fields.map((field) => [
      field,
      async (value, others, ctx) =>
        (await link.call({ op: 'complete', index, field, value, others }, ctx)) as string[],
    ]),
  );
}
