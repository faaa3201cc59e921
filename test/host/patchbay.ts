import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../src/host/app';
import type { AppAccess } from '../../src/host/appAccess';
import type { ConversationPlace } from '../../src/host/conversationPlace';
import { WINDOW_PLACE } from '../../src/host/placeIds';

/** The extension under test, as `activate` hands it out in test mode. */
export async function patchbay(): Promise<App> {
  const extension = vscode.extensions.getExtension<{ test?: AppAccess }>('patchbay.patchbay');
  assert.ok(extension, 'the extension is installed');
  const { test: access } = await extension.activate();
  assert.ok(access, 'activate returns its parts in test mode');
  return access.load();
}

/** Waits until `check` gives something, and returns it. */
export async function until<T>(
  what: string,
  check: () => T | undefined | false | PromiseLike<T | undefined | false>,
): Promise<T> {
  // An upper bound for a busy machine.
  const end = Date.now() + 90_000;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function closePanel(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // VS Code's explorer fails where the file that it is to show went in the same moment.
  await until('the explorer is shown', () =>
    vscode.commands.executeCommand('workbench.view.explorer').then(
      () => true as const,
      () => false as const,
    ),
  );
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
}

/** Opens the side bar's chat and waits until its page answers. */
export async function openPanel(app: App): Promise<ConversationPlace> {
  await vscode.commands.executeCommand('patchbay.focusInput');
  const place = app.hub.place(WINDOW_PLACE);
  await until('the chat is visible', () => place.isVisible);
  return place;
}

export async function openSample(name: string): Promise<vscode.TextEditor> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'a folder is open');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, name));
  return vscode.window.showTextDocument(document);
}

/** What the person said in the conversation, in order. */
export function said(place: ConversationPlace): readonly string[] {
  return place.conversation
    .snapshot()
    .items.flatMap((item) => (item.kind === 'user' ? [item.text] : []));
}
