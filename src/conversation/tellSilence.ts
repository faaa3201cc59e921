import * as l10n from '@vscode/l10n';
import type { ChatEvent } from '../chat/chatEvent';
import type { ConversationPorts } from './conversationPorts';
import { isProjectTrusted } from './settingsFiles';

/** After how long a start that is waited for is explained, in milliseconds. */
export const SILENT_AFTER_MS = 15_000;

export interface SilenceOptions {
  readonly ports: Pick<ConversationPorts, 'clock' | 'folder' | 'hostEnvironment' | 'settings'>;
  readonly apply: (event: ChatEvent) => void;
}

/**
 * Says in one line why a start may take long. A CLI that has a question for a terminal, such as
 * whether it may trust the folder, is silent over pipes (anthropics/claude-code#84076).
 * @param isWaitedFor whether the person waits; a start ahead of a prompt is nobody's business
 * @returns what the start comes to
 */
export async function tellSilence<T>(
  { ports, apply }: SilenceOptions,
  isWaitedFor: () => boolean,
  start: Promise<T>,
): Promise<T> {
  let isOver = false;
  const timer = ports.clock.after(SILENT_AFTER_MS, () => {
    if (!isWaitedFor()) return;
    void isProjectTrusted(ports).then((isTrusted) => {
      if (!isOver) apply({ type: 'notice', text: words(isTrusted), tone: 'warning' });
    });
  });
  try {
    return await start;
  } finally {
    isOver = true;
    timer.dispose();
  }
}

function words(isTrusted: boolean): string {
  return isTrusted
    ? l10n.t(
        'The agent has not answered yet. It may be loading plug-ins or waiting for the network; Stop keeps your message.',
      )
    : l10n.t(
        'The agent has not answered yet. It has not been told that it may trust this folder, which can be why: run claude in a terminal here once and answer its question. Stop keeps your message.',
      );
}
