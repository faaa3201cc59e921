import { errorMessage } from '../base/errors';
import { toContents } from './resourceContents';
import type { ListedResource, ResourceDefinition } from './defineResource';
import { inTime } from './inTime';
import { invalidParams, RPC_RESOURCE_NOT_FOUND, RpcError } from './jsonRpc';
import { pageOf } from './page';
import { isThenable } from './thenable';
import type { ToolContext } from './toolContext';
import {
  isRecord,
  ownField,
  type ReadResourceResult,
  type WireResource,
  type WireResourceTemplate,
} from './wire';

/** Milliseconds that one `list` may take: whoever asks for all of them waits for each. */
const LIST_WITHIN_MS = 10_000;

/** The part of a server that is looked at here. */
interface ResourceServer {
  readonly name: string;
  readonly pageSize: number;
  resources(): readonly ResourceDefinition[];
}

export interface FoundResource {
  readonly definition: ResourceDefinition;
  readonly variables: Readonly<Record<string, string>>;
}

/** Fixed URIs first, then the templates in the order of their registration. */
export function findResource(server: ResourceServer, uri: string): FoundResource | undefined {
  let found: FoundResource | undefined;
  for (const definition of server.resources()) {
    if (definition.uri === uri && definition.template.variables.length === 0) {
      return { definition, variables: {} };
    }
    if (found !== undefined || definition.template.variables.length === 0) continue;
    const variables = definition.template.match(uri);
    if (variables !== undefined) found = { definition, variables };
  }
  return found;
}

/** @throws RpcError −32602 where `uri` is no text, −32002 where there is no such resource */
export function resourceAt(
  server: ResourceServer,
  params: unknown,
  method: string,
): FoundResource & { readonly uri: string } {
  const uri = ownField(params, 'uri');
  if (typeof uri !== 'string') throw invalidParams(method, ['uri'], 'string', uri);
  const found = findResource(server, uri);
  if (found === undefined) throw resourceNotFound(uri);
  return { ...found, uri };
}

/** @throws RpcError −32002 where there is no such resource */
export function readResource(
  server: ResourceServer,
  uri: string,
  ctx: ToolContext,
): ReadResourceResult | Promise<ReadResourceResult> {
  return readFound(resourceAt(server, { uri }, 'resources/read'), uri, ctx);
}

/** A promise only where the resource has to be waited for. */
export function readFound(
  { definition, variables }: FoundResource,
  uri: string,
  ctx: ToolContext,
): ReadResourceResult | Promise<ReadResourceResult> {
  const contents = (value: unknown): ReadResourceResult => {
    if (value === undefined || value === null) throw resourceNotFound(uri);
    return toContents(value, uri, definition.wire.mimeType);
  };
  const value = definition.read(variables, ctx, uri);
  return isThenable(value) ? Promise.resolve(value).then(contents) : contents(value);
}

/** All that there is now: the fixed ones, and what the templates' `list` functions name. */
export async function listResources(
  server: ResourceServer,
  params: unknown,
  ctx: ToolContext,
): Promise<{ readonly resources: readonly WireResource[]; readonly nextCursor?: string }> {
  const all = new Map<string, WireResource>();
  const lists = await Promise.all(server.resources().map((one) => listed(one, ctx)));
  // One that is fixed wins over one that a template names as well.
  for (const wire of lists.flat()) if (!all.has(wire.uri)) all.set(wire.uri, wire);
  for (const { wire } of server.resources()) if ('uri' in wire) all.set(wire.uri, wire);
  const page = pageOf(
    [...all.values()],
    ({ uri }) => uri,
    server.pageSize,
    params,
    'resources/list',
  );
  const { items: resources, ...rest } = page;
  return { resources, ...rest };
}

/** One that fails, or never comes, must not hide the others. */
async function listed(
  definition: ResourceDefinition,
  ctx: ToolContext,
): Promise<readonly WireResource[]> {
  const { wire } = definition;
  if ('uri' in wire) return [wire];
  if (definition.list === undefined) return [];
  const found: WireResource[] = [];
  try {
    const list: unknown = await inTime(
      Promise.resolve(definition.list(ctx)),
      'name its resources',
      LIST_WITHIN_MS,
    );
    if (!isIterable(list)) throw new Error('its list is no list');
    for (const one of list) {
      const resource = wireListed(one, definition);
      if (resource !== undefined) found.push(resource);
    }
  } catch (error) {
    ctx.log('error', `Resources of ${definition.uri} could not be listed: ${errorMessage(error)}`);
  }
  return found;
}

function wireListed(one: unknown, definition: ResourceDefinition): WireResource | undefined {
  const uri = ownField(one, 'uri');
  if (!isRecord(one) || typeof uri !== 'string') return undefined;
  const text = (key: keyof ListedResource): string | undefined => {
    const value = one[key];
    return typeof value === 'string' ? value : undefined;
  };
  const { size } = one;
  return {
    uri,
    name: text('name') ?? uri,
    title: text('title'),
    description: text('description') ?? definition.wire.description,
    mimeType: text('mimeType') ?? definition.wire.mimeType,
    size: typeof size === 'number' && size >= 0 ? size : undefined,
  };
}

export function listResourceTemplates(
  server: ResourceServer,
  params: unknown,
): { readonly resourceTemplates: readonly WireResourceTemplate[]; readonly nextCursor?: string } {
  const all = server.resources().flatMap(({ wire }) => ('uriTemplate' in wire ? [wire] : []));
  const page = pageOf(
    all,
    ({ uriTemplate }) => uriTemplate,
    server.pageSize,
    params,
    'resources/templates/list',
  );
  const { items: resourceTemplates, ...rest } = page;
  return { resourceTemplates, ...rest };
}

function resourceNotFound(uri: string): RpcError {
  return new RpcError(RPC_RESOURCE_NOT_FOUND, `Resource '${uri}' not found`);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
