import type * as vscode from 'vscode';
import type { AskAnswer } from '../mcp/askPort';
import type { PromptOptions } from '../mcp/definePrompt';
import type { ResourceOptions } from '../mcp/defineResource';
import type { ToolOptions } from '../mcp/defineTool';
import type { InputOf, ToolInput } from '../mcp/inputTypes';
import type { LogLevel, ToolContext } from '../mcp/toolContext';

// What `import … from 'patchbay'` gives to a tool file. The types that authors see are made from
// this file: what stands here is public.

export { z } from 'zod';
export type { AskAnswer, InputOf, LogLevel, ToolInput };

/**
 * Where the code of a tool file runs: in the editor's extension host, with the editor's own state
 * at hand, or in a worker of its own, which can be ended when it runs for ever. One for a whole file;
 * it must be written as a text where the tool is defined, since it is read before the file runs.
 */
export type Isolation = 'host' | 'worker';

/** What a handler in a worker knows of the call it serves. All functions can be taken out of it. */
export interface WorkerToolContext extends ToolContext {
  /** The workspace folder that the tool file belongs to. */
  readonly workspaceFolder: {
    readonly name: string;
    /** Absolute. */
    readonly path: string;
  };
}

/** What a handler in the extension host knows of the call it serves. */
export interface HostToolContext extends ToolContext {
  /** The editor's own API. */
  readonly vscode: typeof vscode;
  /** The workspace folder that the tool file belongs to. */
  readonly workspaceFolder: vscode.WorkspaceFolder;
}

export type ContextOf<Where extends Isolation> = Where extends 'worker'
  ? WorkerToolContext
  : HostToolContext;

/** The input of a tool that takes none. */
type NoInput = Record<string, never>;

export interface ToolFileToolOptions<
  I extends ToolInput,
  Where extends Isolation = 'host',
> extends Omit<ToolOptions<I>, 'name' | 'input' | 'run' | 'edits'> {
  /**
   * `[A-Za-z0-9_-]`. Without it the export's name is taken, of a default export the file's:
   * `todo.tool.ts` is `todo`.
   */
  readonly name?: string | undefined;
  /** A zod shape, a zod object, or a plain JSON Schema of an object. The handler's first argument is typed from it. */
  readonly input?: I | undefined;
  readonly isolation?: Where | undefined;
  /**
   * Does the work. What it returns becomes the result: texts, numbers, dates, objects, images,
   * `{ content: […] }`; an Error, returned or thrown, is told to the model as one. Of an async
   * generator each yielded value is progress, the returned one is the result.
   */
  run(input: InputOf<I>, ctx: ContextOf<Where>): unknown;
}

export interface ToolFilePromptOptions<
  I extends ToolInput,
  Where extends Isolation = 'host',
> extends Omit<PromptOptions<I>, 'name' | 'run'> {
  /** `[A-Za-z0-9_-]`; what the person types behind the slash. Without it the export's or the file's name. */
  readonly name?: string;
  readonly isolation?: Where | undefined;
  /** A text, one message, or a list of them. */
  run(args: InputOf<I>, ctx: ContextOf<Where>): ReturnType<PromptOptions<I>['run']>;
}

export interface ToolFileResourceOptions<
  Uri extends string,
  Where extends Isolation = 'host',
> extends Omit<ResourceOptions<Uri>, 'read' | 'list'> {
  readonly isolation?: Where | undefined;
  /**
   * A text, bytes (with `mimeType`), `{ text | data, mimeType }`, a list of contents, or an object
   * that is sent as JSON; undefined or null for a resource that is not there.
   */
  read(
    variables: Parameters<ResourceOptions<Uri>['read']>[0],
    ctx: ContextOf<Where>,
    uri: string,
  ): unknown;
  /** Of a template: what there is now. */
  list?(ctx: ContextOf<Where>): ReturnType<NonNullable<ResourceOptions<Uri>['list']>>;
}

/** What a tool file exports; its name may still be missing. */
export class Exported {
  /** @param options as the author gave them, of any kind: they may come from plain JavaScript */
  constructor(
    readonly kind: 'tool' | 'prompt' | 'resource',
    readonly options: object,
  ) {}
}

/** Describes one tool. Export what it returns. */
export function defineTool<
  const I extends ToolInput = NoInput,
  const Where extends Isolation = 'host',
>(options: ToolFileToolOptions<I, Where>): Exported {
  return new Exported('tool', options);
}

/** Describes one prompt, which the person calls with a slash. Export what it returns. */
export function definePrompt<
  const I extends ToolInput = NoInput,
  const Where extends Isolation = 'host',
>(options: ToolFilePromptOptions<I, Where>): Exported {
  return new Exported('prompt', options);
}

/** Describes one resource, or with a template all of one kind. Export what it returns. */
export function defineResource<const Uri extends string, const Where extends Isolation = 'host'>(
  options: ToolFileResourceOptions<Uri, Where>,
): Exported {
  return new Exported('resource', options);
}
