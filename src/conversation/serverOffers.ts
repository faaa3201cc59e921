import type { ArgumentInfo } from '../chat/commandLine';
import type { OfferedServers } from '../mcp/switchedServers';
import type { OfferedServer } from '../mcp/registry';
import type { Router } from '../mcp/router';
import { isRecord, ownField } from '../mcp/wire';
import type { Disposable } from '../base/disposable';
import { untilAborted } from '../base/untilAborted';

/** A prompt as its server lists it. */
export interface OfferedPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentInfo[];
}

/** A resource, or with `isTemplate` a template of URIs, as its server lists it. */
export interface OfferedResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly isTemplate: boolean;
}

/** The thing that a value is completed for. */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

export interface ServerOffersOptions {
  readonly router: Pick<Router, 'route'>;
  readonly registry: Pick<OfferedServers, 'all' | 'find' | 'onDidChange'>;
  readonly now: () => number;
}

/** A person types faster than a list changes that tells of no change. */
const KEPT_MS = 5_000;
/** A server that names pages without end must not hold the list. */
const MAX_PAGES = 20;

const LISTS = ['prompts/list', 'resources/list', 'resources/templates/list'] as const;
type ListMethod = (typeof LISTS)[number];

interface KeptList {
  readonly at: number;
  readonly server: OfferedServer;
  readonly list: Promise<readonly unknown[]>;
}

/** What the servers of one conversation offer to the person: prompts and resources, asked by us. */
export class ServerOffers implements Disposable {
  readonly #options: ServerOffersOptions;
  readonly #kept = new Map<string, KeptList>();
  readonly #listener: Disposable;
  #count = 0;

  constructor(options: ServerOffersOptions) {
    this.#options = options;
    // What is typed is read by these lists: by those of before it would be read wrongly.
    this.#listener = options.registry.onDidChange(({ kind, server }) => {
      if (kind === 'promptsChanged' || kind === 'resourcesChanged') {
        for (const method of LISTS) this.#kept.delete(keptId(method, server));
      }
    });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** Names of the servers that may offer something of the kind. */
  servers(kind: 'prompts' | 'resources'): readonly string[] {
    return this.#options.registry
      .all()
      .filter((server) => mayOffer(server, kind))
      .map(({ name }) => name);
  }

  has(server: string): boolean {
    return this.#options.registry.find(server) !== undefined;
  }

  /** @throws Error with the server's own words */
  async prompts(server: string, signal: AbortSignal): Promise<readonly OfferedPrompt[]> {
    const listed = await this.#list(server, 'prompts/list', 'prompts', signal);
    return listed.flatMap((one) => {
      const name = ownField(one, 'name');
      if (typeof name !== 'string') return [];
      const description = firstText(one, ['description', 'title']);
      return [{ server, name, description, arguments: argumentsOf(one) }];
    });
  }

  /** Fixed ones, those that templates list, and the templates. */
  async resources(server: string, signal: AbortSignal): Promise<readonly OfferedResource[]> {
    const [fixed, templates] = await Promise.all([
      this.#list(server, 'resources/list', 'resources', signal),
      // A server may have resources and know nothing of templates.
      this.#list(server, 'resources/templates/list', 'resourceTemplates', signal).catch(() => []),
    ]);
    const read = (one: unknown, key: string, isTemplate: boolean): readonly OfferedResource[] => {
      const uri = ownField(one, key);
      if (typeof uri !== 'string') return [];
      const name = firstText(one, ['title', 'name']) || uri;
      return [{ server, uri, name, description: firstText(one, ['description']), isTemplate }];
    };
    return [
      ...fixed.flatMap((one) => read(one, 'uri', false)),
      ...templates.flatMap((one) => read(one, 'uriTemplate', true)),
    ];
  }

  /** Values that fit what is typed so far; none where the server completes nothing. */
  async complete(
    server: string,
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    others: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const params = { ref, argument, context: { arguments: others } };
    const result = await this.#request(server, 'completion/complete', params, signal);
    const values = ownField(ownField(result, 'completion'), 'values');
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  }

  /** The messages of a prompt, not yet looked at. @throws Error with the server's own words */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const result = await this.#request(server, 'prompts/get', { name, arguments: args }, signal);
    const messages = ownField(result, 'messages');
    return Array.isArray(messages) ? (messages as unknown[]) : [];
  }

  /** The contents of a resource, not yet looked at. @throws Error with the server's own words */
  async readResource(
    server: string,
    uri: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const result = await this.#request(server, 'resources/read', { uri }, signal);
    const contents = ownField(result, 'contents');
    return Array.isArray(contents) ? (contents as unknown[]) : [];
  }

  #list(
    server: string,
    method: ListMethod,
    key: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const { registry, now } = this.#options;
    const found = registry.find(server);
    const id = keptId(method, server);
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.server === found && now() - kept.at < KEPT_MS) {
      return untilAborted(kept.list, signal);
    }
    // Not ended with whoever asks first: the next one wants the same.
    const list = this.#pages(server, method, key);
    if (found !== undefined) this.#kept.set(id, { at: now(), server: found, list });
    list.catch(() => {
      if (this.#kept.get(id)?.list === list) this.#kept.delete(id);
    });
    return untilAborted(list, signal);
  }

  async #pages(server: string, method: string, key: string): Promise<readonly unknown[]> {
    let all: readonly unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = typeof cursor === 'string' ? { cursor } : {};
      const result = await this.#request(server, method, params);
      const items = ownField(result, key);
      if (Array.isArray(items)) all = all.concat(items);
      cursor = ownField(result, 'nextCursor');
      if (typeof cursor !== 'string') break;
    }
    return all;
  }

  async #request(
    server: string,
    method: string,
    params: object,
    signal?: AbortSignal,
  ): Promise<object> {
    signal?.throwIfAborted();
    const { router } = this.#options;
    const id = `host-${(this.#count += 1)}`;
    const route = (message: object, requestId: string): ReturnType<Router['route']> =>
      router.route(server, { jsonrpc: '2.0', ...message }, { requestId });
    const cancel = (): void => {
      void route({ method: 'notifications/cancelled', params: { requestId: id } }, `${id}-cancel`);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await route({ id, method, params }, id);
      signal?.throwIfAborted();
      if ('error' in answer) throw new Error(answer.error.message);
      return answer.result;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }
}

function keptId(method: ListMethod, server: string): string {
  return `${method} ${server}`;
}

/** What one of ours has is known; one of others is asked where it said that it has some. */
function mayOffer(server: OfferedServer, kind: 'prompts' | 'resources'): boolean {
  if (server.kind === 'own') return server[kind]().length > 0;
  return server.manifest?.()?.initializeResult.capabilities[kind] !== undefined;
}

function argumentsOf(prompt: unknown): readonly ArgumentInfo[] {
  const listed = ownField(prompt, 'arguments');
  return (Array.isArray(listed) ? listed : []).flatMap((one: unknown) => {
    const name = ownField(one, 'name');
    if (!isRecord(one) || typeof name !== 'string') return [];
    const description = firstText(one, ['description']);
    return [
      {
        name,
        required: one.required === true,
        ...(description === '' ? {} : { description }),
      },
    ];
  });
}

function firstText(value: unknown, keys: readonly string[]): string {
  for (const key of keys) {
    const text = ownField(value, key);
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return '';
}
