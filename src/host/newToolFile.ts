import * as l10n from '@vscode/l10n';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { type ExtensionContext, Uri, window, workspace, type WorkspaceFolder } from 'vscode';
import { UserFacingError } from '../base/errors';
import {
  scaffoldTool,
  toolFilePath,
  type ToolLanguage,
  toolNameFault,
} from '../workspaceTools/scaffold';
import type { WrittenFile } from '../workspaceTools/workspaceToolsPorts';
import type { ToolFiles } from './toolFiles';

export interface NewToolChoice {
  readonly folder: WorkspaceFolder;
  readonly name: string;
  readonly language: ToolLanguage;
}

/** Asks for a name, writes a tool file that works, and opens it. Nothing that is there is changed. */
export async function newToolFile(
  context: ExtensionContext,
  tools: ToolFiles | undefined,
  choose: () => Promise<NewToolChoice | undefined> = chooseNewTool,
): Promise<void> {
  const choice = await choose();
  if (choice === undefined) return;
  // Just these texts, which the person has asked for; whatever else is there waits for its approval.
  const approve = async (files: readonly WrittenFile[]): Promise<void> => {
    if (workspace.isTrusted) await (await tools?.load())?.wrote(files);
  };
  const options = {
    folder: choice.folder.uri.fsPath,
    name: choice.name,
    language: choice.language,
    libFolder: path.join(context.extensionPath, 'dist', 'lib'),
  };
  // Before they are there, too: whoever watches the folder would ask about them.
  const { toolFile, written } = await scaffoldTool(options, approve);
  await approve(written);
  await window.showTextDocument(Uri.file(toolFile), { preview: false });
}

async function chooseNewTool(): Promise<NewToolChoice | undefined> {
  const folder = await chooseFolder();
  if (folder === undefined) return undefined;
  const language = await chooseLanguage();
  if (language === undefined) return undefined;
  const name = await window.showInputBox({
    title: l10n.t('New Tool File'),
    prompt: l10n.t('The name by which the agent calls the tool, such as count_text'),
    value: 'my_tool',
    ignoreFocusOut: true,
    validateInput: (value) => nameProblem(folder, value, language),
  });
  return name === undefined ? undefined : { folder, name, language };
}

async function chooseFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length > 1) {
    const placeHolder = l10n.t('The folder that the tool belongs to');
    return window.showWorkspaceFolderPick({ placeHolder });
  }
  const [folder] = folders;
  if (folder !== undefined) return folder;
  throw new UserFacingError(l10n.t('A tool file belongs to a folder on this machine.'), {
    next: l10n.t('Open a folder, and run the command again.'),
    remedies: ['openFolder'],
  });
}

async function chooseLanguage(): Promise<ToolLanguage | undefined> {
  const items = [
    { label: 'TypeScript', language: 'typescript' },
    { label: 'JavaScript', language: 'javascript' },
  ] as const;
  const picked = await window.showQuickPick(items, {
    title: l10n.t('New Tool File'),
    placeHolder: l10n.t('Both run as they are, and complete in the editor'),
  });
  return picked?.language;
}

/** What the input box says of a name; undefined when it is right. */
async function nameProblem(
  folder: WorkspaceFolder,
  name: string,
  language: ToolLanguage,
): Promise<string | undefined> {
  switch (toolNameFault(name)) {
    case 'empty':
      return l10n.t('Type a name.');
    case 'illegal':
      return l10n.t('Only the letters A to Z, digits, _ and - may stand in a name.');
    case 'long':
      return l10n.t('At most 40 characters.');
    case undefined: {
      const file = toolFilePath(name, language);
      const isTaken = await isThere(path.join(folder.uri.fsPath, file));
      return isTaken ? l10n.t('{0} is there already.', file) : undefined;
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
