import * as l10n from '@vscode/l10n';
import type { PanelCommand, PanelCommandCall } from '../chat/panelCommands';
import type { DirectMessage } from '../conversation/viewPump';
import type { SubmitOutcome } from '../conversation/conversationPorts';
import type { ConversationPlace } from './conversationPlace';
import type { HostPorts } from './hostMessages';

/** What the panel's own commands need that the view cannot do itself. */
export interface PanelCommandPorts extends Pick<
  HostPorts,
  'runCommand' | 'openSettings' | 'setUp' | 'doctor' | 'showLog'
> {
  newConversation(place: ConversationPlace, text?: string): Promise<void>;
}

/** None of them takes anything: a message that goes on behind it was meant otherwise, and is kept. */
export function panelCommandOutcome(call: PanelCommandCall, pictures: number): SubmitOutcome {
  if (call.rest === '' && pictures === 0) return { accepted: true };
  return {
    accepted: false,
    reason: l10n.t(
      '{0} is a command of the panel and takes nothing with it. Begin the message otherwise to send it to the agent.',
      call.typed,
    ),
  };
}

export async function runPanelCommand(
  command: PanelCommand,
  place: ConversationPlace,
  ports: PanelCommandPorts,
  send: (message: DirectMessage) => void,
): Promise<void> {
  const run: Readonly<Record<PanelCommand, () => Promise<void> | void>> = {
    new: () => ports.newConversation(place),
    history: () => send({ type: 'openConversations' }),
    find: () => send({ type: 'openFind' }),
    collapse: () => send({ type: 'read', action: 'collapseAll' }),
    focus: () => ports.runCommand('toggleFocusView', place),
    export: () => ports.runCommand('exportConversation', place),
    tools: () => ports.runCommand('showTools', place),
    servers: () => ports.runCommand('mcpServers', place),
    rules: () => ports.runCommand('whatWouldHappen', place),
    login: () => ports.setUp.login(),
    doctor: () => ports.doctor(),
    log: () => {
      ports.showLog();
    },
    settings: () => ports.openSettings(),
  };
  await run[command]();
}
