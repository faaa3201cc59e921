import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { languages, type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from 'vscode';
import { oneLine } from '../chat/boundedText';
import { visibleText } from '../chat/visibleText';
import type { UsedSet } from '../mcp/toolSwitches';
import { absolutePath, TOOL_SETS_FILE } from '../workspaceTools/toolFilePaths';
import type { FolderSets, ToolSetFiles } from './toolSetFiles';

import { workspaceRoots } from './workingFolder';

type SetItem = QuickPickItem & { readonly run?: () => Promise<void> };

/** *Use Tool Set…*: the sets of all folders, none, and the file in which they stand. */
export async function chooseToolSet(sets: ToolSetFiles, used: UsedSet | undefined): Promise<void> {
  await sets.refresh();
  const items: SetItem[] = [
    ...sets.folders.flatMap((folder) => setItems(folder, sets, used)),
    {
      label: used === undefined ? `$(check) ${l10n.t('No tool set')}` : l10n.t('No tool set'),
      detail: l10n.t('Everything is on that you have not switched off yourself'),
      run: () => sets.use(undefined),
    },
    { label: '', kind: QuickPickItemKind.Separator },
    ...fileItems(sets.folders),
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Tool sets'),
    placeHolder: l10n.t('A set switches off what it does not name'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await chosen?.run?.();
}

function setItems(of: FolderSets, sets: ToolSetFiles, used: UsedSet | undefined): SetItem[] {
  return of.sets.map((set) => {
    const isUsed = used?.folder === of.folder && used.name === set.name;
    const name = oneLine(visibleText(set.name), 100);
    return {
      label: isUsed ? `$(check) ${name}` : name,
      description: path.basename(of.folder),
      detail: oneLine(visibleText(set.description || set.patterns.join(', ')), 200),
      run: () => sets.use({ set, folder: of.folder }),
    };
  });
}

function fileItems(known: readonly FolderSets[]): SetItem[] {
  return workspaceRoots().map((root) => {
    const file = absolutePath(root, TOOL_SETS_FILE);
    const isThere = known.some(({ folder }) => folder === root);
    const label = isThere
      ? l10n.t('Open {0}', TOOL_SETS_FILE)
      : l10n.t('Write {0} with a first set', TOOL_SETS_FILE);
    return {
      label: `$(${isThere ? 'go-to-file' : 'new-file'}) ${label}`,
      description: path.basename(root),
      run: () => (isThere ? open(file) : draft(file)),
    };
  });
}

async function open(file: string): Promise<void> {
  await window.showTextDocument(Uri.file(file));
}

/** Nothing is on the disk before the person saves it. */
async function draft(file: string): Promise<void> {
  const document = await workspace.openTextDocument(Uri.file(file).with({ scheme: 'untitled' }));
  await languages.setTextDocumentLanguage(document, 'json');
  const editor = await window.showTextDocument(document);
  if (document.getText() !== '') return;
  await editor.edit((edit) => {
    edit.insert(document.positionAt(0), FIRST_SET);
  });
}

const FIRST_SET = `{
  "sets": {
    "review": {
      "description": "Reads only",
      "tools": ["mcp__code__*", "mcp__editor__open_editors", "mcp__editor__read_buffer"]
    }
  }
}
`;
