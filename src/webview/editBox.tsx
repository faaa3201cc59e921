import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { UserItem } from '../chat/viewStateProtocol';
import { composerAction, isImeKey } from './composerKeys';
import { growBox } from './growBox';
import { usePanel } from './panelContext';
import { Refused } from './refused';

/** In the place of what the person said: the same words, to be said in another way. */
export function EditBox({ item }: { readonly item: UserItem }) {
  const { edits, store } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const editing = edits.editing.value;
  const text = editing?.text ?? '';
  useLayoutEffect(() => growBox(box.current), [text]);
  useLayoutEffect(() => {
    if (!edits.takeFocus()) return;
    box.current?.focus();
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
  }, [edits]);
  const onKeyDown = (event: KeyboardEvent) => {
    const action = composerAction(event, { text, sendKey: store.current.sendKey });
    if (event.key === 'Escape' && !isImeKey(event)) edits.cancel();
    else if (action === 'send' || action === 'steer') edits.send(item);
    else if (action !== 'nothing') return;
    event.preventDefault();
    // Escape stops no turn here.
    event.stopPropagation();
  };
  return (
    <div class="edit">
      <textarea
        ref={box}
        class="input edit-text"
        rows={1}
        dir="auto"
        aria-label={l10n.t('Edit message')}
        value={text}
        onInput={(event) => edits.type(event.currentTarget.value)}
        onBlur={() => edits.flush()}
        onKeyDown={onKeyDown}
      />
      {editing?.refused !== undefined && <Refused reason={editing.refused} />}
      <div class="edit-bar">
        <span class="quiet-line">
          {l10n.t('Goes on in a fork; this conversation and all files stay.')}
        </span>
        <span class="edit-buttons">
          <button type="button" class="button secondary" onClick={() => edits.cancel()}>
            {l10n.t('Cancel')}
          </button>
          <button
            type="button"
            class="button primary"
            // Not disabled while it is on its way: that would take the focus from it.
            disabled={text.trim() === ''}
            aria-disabled={editing?.sentAs !== undefined}
            onClick={() => edits.send(item)}
          >
            {l10n.t('Resend')}
          </button>
        </span>
      </div>
    </div>
  );
}
