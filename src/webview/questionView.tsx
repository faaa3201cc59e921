import { useId, useState } from 'preact/hooks';
import type { FormDraft } from '../base/formField';
import type { Question } from '../chat/askProtocol';
import { questionKeys, type QuestionKeys } from '../chat/questionsProtocol';
import { ChoiceRow } from './choiceRow';
import { Icon } from './icon';
import { NoteBox } from './noteBox';
import { OwnWords } from './ownWords';
import { PreviewStack } from './previewStack';
import { QuestionTag } from './questionTag';

interface QuestionProps {
  readonly question: Question;
  readonly index: number;
  readonly isOnly: boolean;
  readonly values: FormDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly set: (change: FormDraft) => void;
  /** Enter in a text; absent where it could send what is not finished. */
  readonly onEnter: (() => void) | undefined;
}

/** One question: its options, the person's own words beside them, a preview, a note. */
export function QuestionView(props: QuestionProps) {
  const { question, index, values, problems, set, onEnter } = props;
  const id = useId();
  const keys = questionKeys(index);
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const chosen = chosenOf(values, keys);
  const problem = problems.get(keys.chosen);
  const { multi, options } = question;
  const pick = (at: string, on: boolean) => {
    if (!multi) set({ [keys.chosen]: [at], [keys.usesOwn]: false });
    else set({ [keys.chosen]: on ? [...chosen, at] : chosen.filter((one) => one !== at) });
  };
  const usesOwn = values[keys.usesOwn] === true;
  return (
    <div
      class="question"
      role={multi ? 'group' : 'radiogroup'}
      aria-labelledby={`${id}-question`}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
    >
      {!props.isOnly && <QuestionTag question={question} />}
      <p class="question-words" id={`${id}-question`} dir="auto">
        {question.question}
      </p>
      <div class="choices">
        {options.map((option, at) => (
          <ChoiceRow
            key={at}
            type={multi ? 'checkbox' : 'radio'}
            name={id}
            label={option.label}
            description={option.description}
            checked={chosen.includes(String(at)) && (multi || !usesOwn)}
            fieldKey={at === 0 ? keys.chosen : undefined}
            onPoint={() => setPointed(at)}
            onChange={(on) => pick(String(at), on)}
          />
        ))}
        <OwnWords
          {...{ keys, values, multi, set, onEnter }}
          group={id}
          isFirst={options.length === 0}
        />
      </div>
      <PreviewStack options={options} at={pointed ?? Number(chosen.at(-1) ?? NaN)} />
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          <Icon name="error" />
          <span>{problem}</span>
        </p>
      )}
      <NoteBox keys={keys} values={values} set={set} />
    </div>
  );
}

function chosenOf(values: FormDraft, keys: QuestionKeys): readonly string[] {
  const chosen = values[keys.chosen];
  return typeof chosen === 'object' ? chosen : [];
}
