import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { Uri, window, workspace } from 'vscode';
import { errorMessage, UserFacingError } from '../base/errors';
import { planFileName } from '../chat/planName';

/** How many names are tried before the first is offered, whose file the dialog asks about. */
const MOST_NAMES = 50;

/**
 * Saves a plan where the person says; the dialog asks before it takes the place of a file.
 * @param folder where the agent works; absolute
 */
export async function savePlan(text: string, folder: string | undefined): Promise<void> {
  const start = folder === undefined ? undefined : await freeName(folder, planFileName(text));
  const target = await window.showSaveDialog({
    title: l10n.t('Save the plan'),
    saveLabel: l10n.t('Save'),
    filters: { Markdown: ['md'] },
    ...(start ? { defaultUri: start } : {}),
  });
  if (target) await writePlan(target, text);
}

/** @throws UserFacingError where it cannot be written */
export async function writePlan(target: Uri, text: string): Promise<void> {
  try {
    await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const message = l10n.t(
      'The plan could not be saved as {0}: {1} It stays in the conversation.',
      target.fsPath,
      errorMessage(error),
    );
    throw new UserFacingError(message, { cause: error });
  }
  await window.showTextDocument(target, { preview: true });
}

/** A name that is not taken yet, so that nothing has to be asked. */
export async function freeName(folder: string, name: string): Promise<Uri> {
  const { name: stem, ext } = path.parse(name);
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const uri = Uri.file(path.join(folder, number === 1 ? name : `${stem}-${number}${ext}`));
    try {
      await workspace.fs.stat(uri);
    } catch {
      return uri;
    }
  }
  return Uri.file(path.join(folder, name));
}
