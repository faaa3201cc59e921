import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { AttachmentList, AttachmentProblems } from './attachmentList';
import { ChangesRegion } from './changesRegion';
import { IconButton } from './icon';
import { DeletedNote } from './deletedNote';
import { FolderPicker } from './folderPicker';
import { MessageBox } from './messageBox';
import { usePanel } from './panelContext';
import { Picker } from './picker';
import { QueueList } from './queueList';
import { Refused } from './refused';
import { SendButtons, SendKeys } from './sendButtons';
import { SelectionChip } from './selectionChip';
import { SetUpRegion } from './setUpRegion';
import { SideRegion } from './sideRegion';
import { SuggestHint, SuggestList } from './suggestList';
import { TaskList } from './taskList';

/** The cockpit: what waits, the message, model and mode, Send or Stop. */
export function Composer() {
  const { composer } = usePanel();
  const refused = composer.refused.value;
  return (
    <div class="composer">
      <div class="composer-over">
        <DeletedNote />
        <SetUpRegion />
        <SideRegion />
        <TaskList />
        <ChangesRegion />
        <QueueList />
        {refused !== undefined && <Refused reason={refused} />}
        <AttachmentProblems />
        {composer.preparing.value && (
          <p class="preparing">
            <span>{l10n.t('Preparing the message…')}</span>
            <button type="button" class="button secondary" onClick={() => composer.cancel()}>
              {l10n.t('Cancel')}
            </button>
          </p>
        )}
      </div>
      <div class="composer-box">
        <SuggestList />
        <SelectionChip />
        <AttachmentList />
        <MessageBox />
        <SuggestHint />
        <SendKeys />
        <div class="composer-bar">
          <AttachButton />
          <Pickers />
          <SendButtons />
        </div>
      </div>
    </div>
  );
}

function AttachButton() {
  const { post } = usePanel();
  return (
    <IconButton
      icon="add"
      name={l10n.t('Attach files…')}
      hint={l10n.t('Attach files… Or paste pictures, and drop files with Shift held.')}
      once
      onClick={() => post({ type: 'chooseFiles' })}
    />
  );
}

function Pickers() {
  const { store, post, announcer, modelPickerRequests } = usePanel();
  store.watch('fields');
  const { model, models, mode, modes } = store.current;
  const label = (list: readonly { id: string; label: string }[], id: string) =>
    list.find((option) => option.id === id)?.label ?? id;
  const modeName = l10n.t('Permission mode: {0}', label(modes, mode));
  // The key, the agent and the CLI change it too, while the focus is elsewhere.
  const told = useRef(mode);
  useEffect(() => {
    if (told.current !== mode) announcer.say(modeName);
    told.current = mode;
  }, [announcer, mode, modeName]);
  return (
    <div class="pickers">
      <FolderPicker />
      {models.length > 0 && (
        <Picker
          label={l10n.t('Model')}
          name={l10n.t('Model: {0}', label(models, model))}
          icon="sparkle"
          value={model}
          options={models}
          onChoose={(id) => post({ type: 'setModel', model: id })}
          openRequests={modelPickerRequests.value}
        />
      )}
      {modes.length > 0 && (
        <Picker
          label={l10n.t('Permission mode')}
          name={modeName}
          icon="shield"
          value={mode}
          options={modes}
          onChoose={(id) => post({ type: 'setMode', mode: id })}
        />
      )}
    </div>
  );
}
