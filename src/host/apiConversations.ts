import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { window } from 'vscode';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { collectServers, type ExternalServer } from '../cli/collectServers';
import type { ServersFor } from '../cli/serverBook';
import type { ConversationPorts } from '../conversation/conversationPorts';
import { externalServers } from '../conversation/externalServers';
import { startHeadless } from '../conversation/headlessConversation';
import { ForeignBridge } from '../mcp/foreignBridge';
import { createPeerServer, type PeerServer } from '../mcp/peerServer';
import { ServerRegistry } from '../mcp/registry';
import type { ApiConversation, ConversationOptions, ConversationServer } from './patchbayApi';

type BasePorts = Omit<ConversationPorts, 'folder'>;
type Options = ConversationOptions & { readonly prompt: string };

/**
 * Starts a conversation for another extension: with the servers of the window and those it names,
 * the same guard, and a question to the person for all that no rule allows.
 * @throws Error that says which option is wrong
 */
export async function startForExtension(
  base: BasePorts,
  source: string,
  options: Options,
): Promise<ApiConversation> {
  checkOptions(options);
  const folder = folderOf(base, options.cwd);
  const given = Object.entries(options.mcpServers ?? {});
  const registry = new ServerRegistry();
  const peers: PeerServer[] = [];
  try {
    for (const server of base.registry.all()) registry.add(server);
    for (const [name, server] of given) {
      if (!('server' in server)) continue;
      const bridge = await ForeignBridge.connect(server.server);
      const peer = await createPeerServer(bridge, { name, source, log: base.log });
      peers.push(peer);
      registry.add(peer);
    }
  } catch (error) {
    for (const peer of peers) peer.dispose();
    throw error;
  }
  const external = await ownServers(base, registry, given, folder.path);
  const ports: ConversationPorts = {
    ...base,
    folder,
    registry,
    externalServers: {
      collect: async (wanted) => [...(await externalServers(base, wanted)), ...external],
      onDidChange: base.externalServers?.onDidChange ?? (() => ({ dispose: () => undefined })),
    },
    settings: () => {
      const own = base.settings();
      return {
        ...own,
        allowedTools: [...(own.allowedTools ?? []), ...(options.allowedTools ?? [])],
      };
    },
  };
  const { prompt, maxTurns, model, systemPrompt, signal, onAsk } = options;
  const conversation = startHeadless(ports, {
    ...{ prompt, maxTurns, model, systemPrompt, signal },
    permit: (card) => askForExtension(source, card),
    ask: onAsk,
    onEnded: () => {
      for (const peer of peers) peer.dispose();
      registry.dispose();
    },
  });
  return {
    send: (text) => {
      conversation.send(text);
    },
    dispose: () => {
      conversation.dispose();
    },
    [Symbol.asyncIterator]: () => conversation[Symbol.asyncIterator](),
  };
}

/** Those to connect to. @throws Error that names the first that cannot be used */
async function ownServers(
  base: BasePorts,
  registry: ServerRegistry,
  given: readonly (readonly [string, ConversationServer])[],
  cwd: string,
): Promise<ExternalServer[]> {
  const written = given.flatMap(([name, value]) =>
    'server' in value ? [] : [{ name, source: 'user' as const, value }],
  );
  if (written.length === 0) return [];
  const wanted: ServersFor = { env: base.hostEnvironment, cwd };
  const known = await externalServers(base, wanted);
  const servers = await collectServers({
    written,
    reserved: [
      ...registry.all().map(({ name }) => name),
      ...known.flatMap(({ name, state }) => (state === 'on' ? [name] : [])),
    ],
    isOff: () => false,
    isApproved: () => false,
    env: wanted.env,
    secret: () => Promise.resolve(undefined),
    log: base.log,
  });
  const bad = servers.find(({ state }) => state !== 'on');
  if (bad) throw new Error(`mcpServers.${bad.name}: ${bad.reason ?? bad.state}`);
  return servers;
}

function checkOptions({ prompt, maxTurns, allowedTools = [], onAsk }: Options): void {
  // Other extensions may be plain JavaScript.
  const given: Readonly<Record<string, unknown>> = { prompt, maxTurns, onAsk };
  if (typeof given.prompt !== 'string' || prompt.trim() === '') {
    throw new Error('prompt must be a text, and not empty');
  }
  if (given.onAsk !== undefined && typeof given.onAsk !== 'function') {
    throw new Error('onAsk must be a function');
  }
  if (maxTurns !== undefined && !(Number.isInteger(maxTurns) && maxTurns > 0)) {
    throw new Error('maxTurns must be a whole number above 0');
  }
  if (!Array.isArray(allowedTools) || allowedTools.some((rule) => typeof rule !== 'string')) {
    throw new Error('allowedTools must be a list of texts');
  }
}

/** The agent's rights end at the workspace, which the person has trusted. */
function folderOf({ workspaceRoots }: BasePorts, cwd: string | undefined) {
  const roots = workspaceRoots();
  const folder = cwd ?? roots[0];
  if (folder === undefined) throw new Error('No folder is open');
  const isInside = roots.some((root) => {
    const relative = path.relative(root, folder);
    return path.isAbsolute(folder) && !relative.startsWith('..') && !path.isAbsolute(relative);
  });
  if (!isInside) throw new Error('cwd must be the whole path of a folder in the workspace');
  return { name: path.basename(folder), path: folder };
}

/** Modal, since all of what is asked must be seen, and no panel shows this conversation. */
async function askForExtension(source: string, card: PermissionCard): Promise<boolean> {
  const allow = l10n.t('Allow');
  const answer = await window.showWarningMessage(
    l10n.t('A conversation of the extension {0} asks: {1}', source, card.what ?? card.title),
    { modal: true, detail: [card.body, ...(card.facts ?? []), ...changedLines(card)].join('\n') },
    allow,
    l10n.t('Deny'),
  );
  return answer === allow;
}

function changedLines({ diff }: PermissionCard): readonly string[] {
  return diff?.hunks.flatMap(({ lines }) => ['', ...lines]) ?? [];
}
