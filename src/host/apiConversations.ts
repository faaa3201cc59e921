import * as l10n from '@vscode/l10n';
import { window } from 'vscode';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { checkPrompt } from '../conversation/checkPrompt';
import type { ConversationPorts } from '../conversation/conversationPorts';
import { externalServers } from '../conversation/externalServers';
import { startHeadless } from '../conversation/headlessConversation';
import { conversationFolder } from './conversationFolder';
import { openServers } from './conversationServers';
import type { ApiConversation, ConversationOptions } from './patchbayApi';

type BasePorts = Omit<ConversationPorts, 'folder'>;
type Options = ConversationOptions & { readonly prompt: string };

/**
 * Starts a conversation for another extension: with the servers of the window and those it names,
 * the same guard, and a question to the person for all that no rule allows.
 * @throws Error that says which option is wrong, the reason of the signal as soon as that fires
 */
export async function startForExtension(
  base: BasePorts,
  source: string,
  options: Options,
): Promise<ApiConversation> {
  checkOptions(options);
  const folder = await conversationFolder(base.workspaceRoots(), options.cwd);
  const { prompt, maxTurns, model, systemPrompt, signal, onAsk, mcpServers } = options;
  const servers = await openServers(base, { source, cwd: folder.path, mcpServers, signal });
  const ports: ConversationPorts = {
    ...base,
    folder,
    registry: servers.registry,
    externalServers: {
      collect: async (wanted) => [...(await externalServers(base, wanted)), ...servers.external],
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
  try {
    const conversation = startHeadless(ports, {
      ...{ prompt, maxTurns, model, systemPrompt, signal },
      permit: (card, asking) => askForExtension(source, card, asking),
      ask: onAsk,
      onEnded: () => servers.dispose(),
    });
    return {
      send: (text) => conversation.send(text),
      dispose: () => conversation.dispose(),
      [Symbol.asyncIterator]: () => conversation[Symbol.asyncIterator](),
    };
  } catch (error) {
    servers.dispose();
    throw error;
  }
}

function checkOptions({ prompt, maxTurns, allowedTools = [], onAsk }: Options): void {
  // Other extensions may be plain JavaScript.
  const asker: unknown = onAsk;
  checkPrompt(prompt);
  if (asker !== undefined && typeof asker !== 'function') {
    throw new Error('onAsk must be a function');
  }
  if (maxTurns !== undefined && !(Number.isInteger(maxTurns) && maxTurns > 0)) {
    throw new Error('maxTurns must be a whole number above 0');
  }
  if (!Array.isArray(allowedTools) || allowedTools.some((rule) => typeof rule !== 'string')) {
    throw new Error('allowedTools must be a list of texts');
  }
}

/**
 * Modal, since all of what is asked must be seen, and no panel shows this conversation. VS Code has no
 * way to close it again: when the conversation ends while it stands, its answer counts for nothing.
 */
async function askForExtension(
  source: string,
  card: PermissionCard,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return false;
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
