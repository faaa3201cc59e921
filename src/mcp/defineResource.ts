import type { Disposable } from '../base/disposable';
import type { Completer } from './completion';
import type { ToolContext } from './toolContext';
import { parseUriTemplate, type UriTemplate } from './uriTemplate';
import type { JsonObject, WireResource, WireResourceTemplate } from './wire';

type Stripped<E extends string> = E extends `${'+' | '#' | '.' | '/' | '?' | '&'}${infer Rest}`
  ? Rest
  : E;
type Unstarred<N extends string> = N extends `${infer Name}*` ? Name : N;
type Names<E extends string> = E extends `${infer First},${infer Rest}`
  ? Unstarred<First> | Names<Rest>
  : Unstarred<E>;
/** The names in a URI template, told by its type: of `todo://{owner}` it is `'owner'`. */
export type VariableOf<Uri extends string> = Uri extends `${string}{${infer E}}${infer Rest}`
  ? Names<Stripped<E>> | VariableOf<Rest>
  : never;

/** A resource that a template stands for, as its `list` names it. */
export interface ListedResource {
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

export interface ResourceOptions<Uri extends string> {
  /** Fixed, or a template with `{variables}`: see `parseUriTemplate`. */
  readonly uri: Uri;
  /** The URI by default. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly meta?: JsonObject;
  /** Milliseconds that one reading may take, 60,000 by default. */
  readonly timeout?: number;
  /**
   * A text, bytes (with `mimeType`), `{ text | data, mimeType }`, a list of contents, or an object
   * that is sent as JSON; undefined or null for a resource that is not there.
   */
  read(
    variables: Readonly<Record<VariableOf<Uri>, string>>,
    ctx: ToolContext,
    uri: string,
  ): unknown;
  /** Of a template: what there is now. Of a fixed URI it is not asked. */
  list?(ctx: ToolContext): Iterable<ListedResource> | Promise<Iterable<ListedResource>>;
  /** Values for the variables while somebody types them. */
  readonly complete?: Readonly<Partial<Record<VariableOf<Uri>, Completer>>>;
  /** Called with the first subscription to a URI of this resource; disposed of with the last. */
  watch?(uri: string, changed: () => void): Disposable;
}

/** A resource as the registry keeps it. */
export interface ResourceDefinition {
  readonly kind: 'resource';
  /** The URI or the template, by which it is found. */
  readonly uri: string;
  readonly name: string;
  /** Parsed when it is registered. @throws DefinitionError */
  readonly template: UriTemplate;
  readonly wire: WireResource | WireResourceTemplate;
  readonly timeout?: number;
  read(variables: Readonly<Record<string, string>>, ctx: ToolContext, uri: string): unknown;
  readonly list?: (
    ctx: ToolContext,
  ) => Iterable<ListedResource> | Promise<Iterable<ListedResource>>;
  readonly complete: ReadonlyMap<string, Completer>;
  readonly watch?: (uri: string, changed: () => void) => Disposable;
}

/** Describes one resource, or with a template all of one kind. */
export function defineResource<const Uri extends string>(
  options: ResourceOptions<Uri>,
): ResourceDefinition {
  const { uri, name = uri, title, description, mimeType, meta, timeout } = options;
  let template: UriTemplate | undefined;
  const common = { name, title, description, mimeType, _meta: meta };
  const list = options.list?.bind(options);
  const watch = options.watch?.bind(options);
  return {
    kind: 'resource',
    uri,
    name,
    get template() {
      return (template ??= parseUriTemplate(uri));
    },
    get wire() {
      return this.template.variables.length === 0
        ? { uri, ...common }
        : { uriTemplate: uri, ...common };
    },
    timeout,
    read: (variables, ctx, at) => options.read(variables, ctx, at),
    ...(list === undefined ? {} : { list }),
    ...(watch === undefined ? {} : { watch }),
    complete: new Map(
      Object.entries<Completer | undefined>(options.complete ?? {}).filter(isGiven),
    ),
  };
}

function isGiven(entry: [string, Completer | undefined]): entry is [string, Completer] {
  return typeof entry[1] === 'function';
}
