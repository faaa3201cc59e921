import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import { definePrompt } from '../mcp/definePrompt';
import { defineResource } from '../mcp/defineResource';
import { defineTool } from '../mcp/defineTool';
import type { Definition } from '../mcp/mcpServer';
import { cleanName } from '../mcp/names';
import type { ToolContext } from '../mcp/toolContext';
import { isRecord } from '../mcp/wire';
import { misspeltFields } from './misspelt';
import { Exported } from './patchbayModule';
import type { ToolFileFault } from './toolFile';
import type { LoadedDefinition } from './toolFileHost';
import { stemOf } from './toolFilePaths';

export interface ReadExportsOptions {
  /** Below the workspace folder, with `/`. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  /** Lines of the exports. */
  readonly lines: ReadonlyMap<string, number>;
  readonly isolation: 'host' | 'worker';
  /** What a handler gets in place of the router's context. */
  readonly context: (ctx: ToolContext) => ToolContext;
}

export interface ReadExports {
  readonly definitions: readonly LoadedDefinition[];
  readonly faults: readonly ToolFileFault[];
}

/**
 * Makes of what a tool file exports what can be offered. One export that is none of ours, or whose
 * fields cannot be read, is a fault at its line and keeps no other away. Never throws.
 */
export function readExports(exports: unknown, options: ReadExportsOptions): ReadExports {
  const definitions: LoadedDefinition[] = [];
  const faults: ToolFileFault[] = [];
  const fault = (name: string, message: string): void => {
    const line = options.lines.get(name) ?? 1;
    faults.push({ kind: 'definition', path: options.path, line, message });
  };
  const entries = exportsOf(exports, options.lines);
  for (const [name, value] of entries) {
    const line = options.lines.get(name);
    try {
      if (!(value instanceof Exported)) fault(name, notOurs(name));
      else if (isMisplaced(value, options.isolation)) fault(name, misplaced());
      else {
        definitions.push({ definition: define(name, value, options), line });
        for (const text of misspeltFields(value)) fault(name, text);
      }
    } catch (error) {
      fault(name, l10n.t('This cannot be offered: {0}', errorMessage(error)));
    }
  }
  if (entries.length === 0) fault('default', nothing());
  return { definitions, faults };
}

function notOurs(name: string): string {
  return l10n.t(
    "The export '{0}' was not made by defineTool, definePrompt or defineResource. Put what only helps into a file of its own.",
    name,
  );
}
function misplaced(): string {
  return l10n.t(
    "Write isolation: 'worker' as a text where the tool is defined; it is read before the file runs.",
  );
}
function nothing(): string {
  return l10n.t('This file exports no tool: write export default defineTool({ … }).');
}

/** What a definition itself holds, which `module.exports = defineTool(…)` exports along with it. */
const OF_DEFINITION = new Set(['kind', 'options']);

/** The file's own exports, `default` first, then as they stand. Of `module.exports = …` it is that. */
function exportsOf(
  exports: unknown,
  lines: ReadonlyMap<string, number>,
): readonly (readonly [string, unknown])[] {
  if (!isRecord(exports)) return [];
  const whole = exports.default;
  const isCommon = exports.__esModule !== true;
  const isOne = isCommon && whole instanceof Exported;
  const isOwn = (name: string): boolean => {
    if (name === '__esModule' || (isOne && OF_DEFINITION.has(name))) return false;
    // `module.exports = { a, b }`: what stands in it, and not the object itself.
    return name !== 'default' || !isCommon || isOne || ownDefault(whole) !== undefined;
  };
  const valueOf = (name: string): unknown =>
    name === 'default' && isCommon && !isOne ? ownDefault(whole) : read(exports, name);
  const placeOf = (name: string): number =>
    name === 'default' ? 0 : (lines.get(name) ?? Infinity);
  return Object.keys(exports)
    .filter(isOwn)
    .map((name) => [name, valueOf(name), placeOf(name)] as const)
    .sort(([, , a], [, , b]) => (a === b ? 0 : a - b))
    .map(([name, value]) => [name, value] as const);
}

/** `exports.default = …` */
function ownDefault(whole: unknown): unknown {
  return isRecord(whole) ? read(whole, 'default') : undefined;
}

/** A getter may throw; what is exported but not yet set does so as well. */
function read(exports: object, name: string): unknown {
  try {
    const value: unknown = Reflect.get(exports, name);
    return value;
  } catch {
    return undefined;
  }
}

function isMisplaced({ options }: Exported, isolation: 'host' | 'worker'): boolean {
  return isRecord(options) && options.isolation === 'worker' && isolation === 'host';
}

function define(exportName: string, given: Exported, options: ReadExportsOptions): Definition {
  if (!isRecord(given.options)) throw new Error(l10n.t('it needs an object that describes it'));
  const named = given.options.name;
  const name = named === undefined ? nameFor(exportName, options.file) : named;
  if (typeof name !== 'string') throw new Error(l10n.t('{0} must be a text', 'name'));
  switch (given.kind) {
    case 'tool':
      return tool(given.options, name, options);
    case 'prompt':
      return prompt(given.options, name, options);
    case 'resource':
      return resource(given.options, options);
  }
}

/** A name that nobody wrote is made legal; one that was given is refused where it is not. */
function nameFor(exportName: string, file: string): string {
  return cleanName(exportName === 'default' ? stemOf(file) : exportName);
}

type Given = Record<string, unknown>;
type ToolOptionsOfAny = Parameters<typeof defineTool>[0];
type PromptOptionsOfAny = Parameters<typeof definePrompt>[0];
type ResourceOptionsOfAny = Parameters<typeof defineResource>[0];

function handler(given: Given, key: string): (...all: unknown[]) => unknown {
  const found = given[key];
  if (typeof found !== 'function') throw new Error(l10n.t('{0} must be a function', key));
  // Called as a method of what the author wrote, so that `this` is that.
  return (...all) => Reflect.apply(found, given, all) as unknown;
}

function tool(given: Given, name: string, { context }: ReadExportsOptions): Definition {
  const run = handler(given, 'run');
  // Fields of any kind: they are checked when the tool is registered.
  const fields = { input: {}, ...given, name } as unknown as ToolOptionsOfAny;
  return defineTool({ ...fields, run: (input, ctx) => run(input, context(ctx)) });
}

function prompt(given: Given, name: string, { context }: ReadExportsOptions): Definition {
  const run = handler(given, 'run');
  const fields = { ...given, name } as unknown as PromptOptionsOfAny;
  return definePrompt({
    ...fields,
    run: (args, ctx) => run(args, context(ctx)) as ReturnType<PromptOptionsOfAny['run']>,
  });
}

function resource(given: Given, { context }: ReadExportsOptions): Definition {
  if (typeof given.uri !== 'string') throw new Error(l10n.t('{0} must be a text', 'uri'));
  const readOne = handler(given, 'read');
  const list = given.list === undefined ? undefined : handler(given, 'list');
  const fields = { ...given } as unknown as ResourceOptionsOfAny;
  return defineResource({
    ...fields,
    read: (variables, ctx, uri) => readOne(variables, context(ctx), uri),
    ...(list === undefined
      ? {}
      : {
          list: (ctx) =>
            list(context(ctx)) as ReturnType<NonNullable<ResourceOptionsOfAny['list']>>,
        }),
  });
}
