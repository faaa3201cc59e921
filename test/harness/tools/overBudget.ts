import type { WireTool } from '../../../src/mcp/wire';
import {
  isAlwaysLoaded,
  type ListedServer,
  searchHint,
  TOOL_BUDGETS,
  toolCharacters,
  toolCosts,
} from './toolCosts';

/** Of few tools, of which the always loaded ones are the longest, the mean says nothing. */
const MEAN_FROM = 24;

/** One sentence for each budget that the servers break; empty where all hold. */
export function overBudget(servers: readonly ListedServer[]): readonly string[] {
  const costs = toolCosts(servers);
  const over = (what: string, is: number, allowed: number): readonly string[] =>
    is > allowed ? [`${what}: ${is} characters, allowed ${allowed}`] : [];
  return [
    ...over('all tools', costs.total, TOOL_BUDGETS.total),
    ...(costs.tools < MEAN_FROM ? [] : over('a tool on average', costs.mean, TOOL_BUDGETS.mean)),
    ...over('the always loaded tools', costs.alwaysLoaded, TOOL_BUDGETS.alwaysLoaded),
    ...over('all instructions', costs.instructions, TOOL_BUDGETS.instructions),
    ...servers.flatMap(({ name, tools }) =>
      tools.flatMap((tool) => toolFaults(tool).map((fault) => `${name}/${tool.name}: ${fault}`)),
    ),
  ];
}

function toolFaults(tool: WireTool): readonly string[] {
  const hint = searchHint(tool);
  const { length } = tool.description;
  return [
    ...(toolCharacters(tool) > TOOL_BUDGETS.one ? [`${toolCharacters(tool)} characters`] : []),
    ...(length > TOOL_BUDGETS.description ? [`a description of ${length} characters`] : []),
    ...(tool.title === undefined ? ['no title'] : []),
    ...(isAlwaysLoaded(tool) === (hint === undefined) ? [] : ['a search hint or always loaded']),
    ...(hint !== undefined && hint.length > TOOL_BUDGETS.searchHint
      ? [`a search hint of ${hint.length} characters`]
      : []),
    ...(tool.annotations?.readOnlyHint === true && tool.annotations.destructiveHint === true
      ? ['only reads and destroys']
      : []),
    ...schemaFaults(tool.inputSchema),
  ];
}

const CHOICES = ['oneOf', 'anyOf', 'allOf', '$ref', '$defs', 'definitions'];

/** Models fill in flat objects without mistakes; choices between shapes and nested places they do not. */
function schemaFaults(schema: WireTool['inputSchema']): readonly string[] {
  const faults = CHOICES.filter((key) => key in schema).map((key) => `${key} at the top`);
  if (schema.type !== 'object') faults.push('an input that is not an object');
  for (const [path, part] of parts(schema, '')) {
    const { description, properties } = part;
    if (typeof description === 'string' && description.length > TOOL_BUDGETS.parameter) {
      faults.push(`${path}: a text of ${description.length} characters`);
    }
    if (path !== '' && isObject(properties) && 'line' in properties) {
      faults.push(`${path}: a nested position`);
    }
    if ('$ref' in part) faults.push(`${path}: a reference`);
  }
  return faults;
}

type Part = Readonly<Record<string, unknown>>;

/** All schemas within a schema, itself first, with their paths. */
function* parts(part: Part, path: string): Generator<readonly [string, Part]> {
  yield [path, part];
  if (isObject(part.properties)) {
    for (const [name, inner] of Object.entries(part.properties)) {
      if (isObject(inner)) yield* parts(inner, `${path}/${name}`);
    }
  }
  for (const key of ['items', 'additionalProperties']) {
    const inner = part[key];
    if (isObject(inner)) yield* parts(inner, `${path}/${key}`);
  }
  for (const key of ['oneOf', 'anyOf', 'allOf']) {
    const all = part[key];
    if (!Array.isArray(all)) continue;
    for (const [at, inner] of all.entries()) {
      if (isObject(inner)) yield* parts(inner, `${path}/${key}/${at}`);
    }
  }
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
