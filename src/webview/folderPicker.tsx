import * as l10n from '@vscode/l10n';
import { folderLabel, isUnsaid } from '../chat/foldersProtocol';
import type { ViewState } from '../chat/viewStateProtocol';
import { usePanel } from './panelContext';
import { Picker } from './picker';

/** Whether the person can still say where the conversation works. */
export function isFolderOpen({ folders, items }: ViewState): boolean {
  return folders !== undefined && isUnsaid(items);
}

/** In a window with several folders: where the new conversation works. */
export function FolderPicker() {
  const { store, post } = usePanel();
  store.watch('fields');
  store.watch('items');
  const { folder, folders } = store.current;
  if (!folders || !isFolderOpen(store.current)) return null;
  const name = folder === undefined ? l10n.t('none') : folderLabel(folder, folders.folders);
  return (
    <Picker
      label={l10n.t('Folder')}
      name={l10n.t('Folder: {0}', name)}
      icon="folder"
      value={folders.chosen ?? ''}
      shown={name}
      options={[
        {
          id: '',
          label: l10n.t('As in the editor'),
          description: l10n.t('The folder of the file that you look at'),
        },
        ...folders.folders.map((one) => ({
          id: one.path,
          label: folderLabel(one, folders.folders),
          description: one.path,
        })),
      ]}
      onChoose={(path) => post({ type: 'chooseFolder', ...(path === '' ? {} : { path }) })}
    />
  );
}
