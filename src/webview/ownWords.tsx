import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FormDraft } from '../base/formField';
import type { QuestionKeys } from '../chat/questionsProtocol';
import { growBox } from './growBox';
import { onPlainEnter } from './onPlainEnter';

/** The answer that no option is: its mark follows the words, and words stay when it is taken off. */
export function OwnWords(props: {
  readonly keys: QuestionKeys;
  readonly values: FormDraft;
  readonly multi: boolean;
  readonly set: (change: FormDraft) => void;
  readonly onEnter: (() => void) | undefined;
  readonly group: string;
  readonly isFirst: boolean;
}) {
  const { keys, values, multi, set } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const words = values[keys.own];
  const text = typeof words === 'string' ? words : '';
  useLayoutEffect(() => growBox(box.current), [text]);
  return (
    <div class="choice choice-own">
      <input
        class="choice-mark"
        type={multi ? 'checkbox' : 'radio'}
        name={props.group}
        aria-label={l10n.t('Other')}
        checked={values[keys.usesOwn] === true}
        data-key={props.isFirst ? keys.chosen : undefined}
        onChange={(event) => set({ [keys.usesOwn]: event.currentTarget.checked })}
      />
      <textarea
        ref={box}
        class="input field-text"
        rows={1}
        dir="auto"
        aria-label={l10n.t('Other')}
        placeholder={l10n.t('Other, in your own words')}
        value={text}
        onKeyDown={onPlainEnter(props.onEnter)}
        onInput={(event) => {
          const { value } = event.currentTarget;
          set({ [keys.own]: value, [keys.usesOwn]: value.trim() !== '' });
        }}
      />
    </div>
  );
}
