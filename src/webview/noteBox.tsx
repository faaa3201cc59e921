import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FormDraft } from '../base/formField';
import type { QuestionKeys } from '../chat/questionsProtocol';
import { growBox } from './growBox';
import { Icon } from './icon';

/** A word to go along with the answer; folded until it is wanted. */
export function NoteBox(props: {
  readonly keys: QuestionKeys;
  readonly values: FormDraft;
  readonly set: (change: FormDraft) => void;
}) {
  const { keys, set } = props;
  const note = props.values[keys.notes];
  const text = typeof note === 'string' ? note : '';
  const [wanted, setWanted] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const open = wanted || text !== '';
  useLayoutEffect(() => growBox(box.current), [text]);
  // The button that was pressed is gone: the focus goes to what came in its place.
  useLayoutEffect(() => {
    if (wanted) box.current?.focus();
  }, [wanted]);
  if (!open) {
    return (
      <button type="button" class="fold note-button" onClick={() => setWanted(true)}>
        <Icon name="add" />
        <span>{l10n.t('Add a note')}</span>
      </button>
    );
  }
  return (
    <textarea
      ref={box}
      class="input field-text"
      rows={1}
      dir="auto"
      aria-label={l10n.t('Note')}
      placeholder={l10n.t('Note')}
      value={text}
      onInput={(event) => set({ [keys.notes]: event.currentTarget.value })}
    />
  );
}
