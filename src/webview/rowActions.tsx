import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ConversationRow, MAX_TITLE } from '../chat/conversationsProtocol';
import { isImeKey } from './composerKeys';
import { IconButton } from './icon';
import { usePanel } from './panelContext';

interface RowProps {
  readonly row: ConversationRow;
  readonly isRenamed: boolean;
  readonly setRenamed: (isRenamed: boolean) => void;
  readonly close: (refocus: boolean) => void;
  readonly toSearch: () => void;
}

/** What can be done with the active row of the dialog, beside opening it here. */
export function RowActions(props: RowProps) {
  const { row, setRenamed, close } = props;
  const { post } = usePanel();
  const { sessionId, title } = row;
  if (props.isRenamed) return <RenameBox {...props} />;
  return (
    <div class="conversations-actions">
      {row.open === undefined && (
        <IconButton
          icon="link-external"
          name={l10n.t('Open in a tab: {0}', title)}
          onClick={() => {
            close(false);
            post({ type: 'openConversation', sessionId, inTab: true });
          }}
        />
      )}
      <IconButton
        icon="edit"
        name={l10n.t('Rename: {0}', title)}
        onClick={() => setRenamed(true)}
      />
      <IconButton
        icon="trash"
        name={l10n.t('Delete: {0}', title)}
        onClick={() => {
          // The button goes with its row.
          props.toSearch();
          post({ type: 'deleteConversation', sessionId, title });
        }}
      />
    </div>
  );
}

function RenameBox({ row, setRenamed }: RowProps) {
  const { post } = usePanel();
  const [text, setText] = useState(row.title.slice(0, MAX_TITLE));
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.select(), []);
  const save = () => {
    const { sessionId } = row;
    if (text.trim() !== '' && text.trim() !== row.title) {
      post({ type: 'renameConversation', sessionId, title: text.trim() });
    }
    setRenamed(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of the search do not mean this box.
    event.stopPropagation();
    if (isImeKey(event)) return;
    if (event.key === 'Enter') save();
    else if (event.key === 'Escape') setRenamed(false);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={box}
      class="input conversations-rename"
      dir="auto"
      maxLength={MAX_TITLE}
      aria-label={l10n.t('Title')}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
