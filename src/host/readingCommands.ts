import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { Uri, window, workspace } from 'vscode';
import { errorMessage, UserFacingError } from '../base/errors';
import { assertNever } from '../base/assertNever';
import { exportJsonLines, exportMarkdown } from '../chat/conversationExport';
import { exportHtml } from '../chat/exportHtml';
import type { ReadingCommand } from './commands';
import type { ConversationPlace } from './conversationPlace';
import { settings } from './settings';

export interface ReadingPorts {
  readonly place: ConversationPlace;
  /** Brings the conversation on the screen. */
  show(place: ConversationPlace): Promise<void>;
}

/** What a reader does with the conversation that was used last. */
export async function runReading(name: ReadingCommand, ports: ReadingPorts): Promise<void> {
  const { place } = ports;
  switch (name) {
    case 'previousPrompt':
    case 'nextPrompt':
    case 'collapseAll':
      await ports.show(place);
      place.send({ type: 'read', action: name });
      return;
    case 'toggleFocusView':
      return toggleFocusView();
    case 'exportConversation':
      return exportConversation(place);
    default:
      assertNever(name, 'reading command');
  }
}

async function toggleFocusView(): Promise<void> {
  const { key } = settings.focusView;
  const configuration = workspace.getConfiguration();
  const isOn = configuration.get(key) === true;
  // Where a workspace says something, its own value is changed: else nothing would happen.
  const isOfWorkspace = configuration.inspect(key)?.workspaceValue !== undefined;
  await configuration.update(key, !isOn, !isOfWorkspace);
}

const FORMATS = [
  { extension: 'md', label: 'Markdown', make: exportMarkdown },
  { extension: 'html', label: 'HTML', make: exportHtml },
  { extension: 'jsonl', label: 'JSON Lines', make: exportJsonLines },
] as const;

async function exportConversation(place: ConversationPlace): Promise<void> {
  const { items, title } = place.conversation.snapshot();
  if (items.length === 0) {
    throw new UserFacingError(l10n.t('Nothing has been said in this conversation yet.'));
  }
  const format = await window.showQuickPick(FORMATS, {
    title: l10n.t('Export conversation'),
    placeHolder: l10n.t('Which format?'),
  });
  if (!format) return;
  const name = `${fileName(title)}.${format.extension}`;
  const target = await window.showSaveDialog({
    title: l10n.t('Export conversation'),
    saveLabel: l10n.t('Export'),
    filters: { [format.label]: [format.extension] },
    ...(place.folder ? { defaultUri: Uri.file(path.join(place.folder.path, name)) } : {}),
  });
  if (target) await write(target, format.make(items, title));
}

async function write(target: Uri, text: string): Promise<void> {
  try {
    await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const reason = errorMessage(error);
    throw new UserFacingError(
      l10n.t('The conversation could not be written to {0}: {1}', target.fsPath, reason),
      { cause: error },
    );
  }
}

/** Letters and digits of the title. */
function fileName(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return words === '' ? 'conversation' : words;
}
