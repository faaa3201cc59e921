import type { FormCard } from '../chat/askProtocol';
import type { AskDraft } from './askDrafts';
import { FormFieldView } from './formFieldView';

/** The fields of a form, a labelled control each. */
export function FormBody(props: {
  readonly card: FormCard;
  readonly draft: AskDraft;
  readonly submit: () => void;
}) {
  const { card, draft } = props;
  const values = draft.values.value;
  const problems = draft.problems.value;
  // In a form of one text Enter says that it is done; in others it could send half of it.
  const onEnter = card.fields.length === 1 ? props.submit : undefined;
  return (
    <>
      {card.message !== '' && (
        <p class="ask-message" dir="auto">
          {card.message}
        </p>
      )}
      {card.fields.length > 0 && (
        <div class="fields">
          {card.fields.map((field) => (
            <FormFieldView
              key={field.id}
              field={field}
              value={values[field.id]}
              problem={problems.get(field.id)}
              onChange={(value) => draft.set({ [field.id]: value })}
              onEnter={onEnter}
            />
          ))}
        </div>
      )}
    </>
  );
}
