import type { QuestionCard } from '../chat/askProtocol';
import type { AskDraft } from './askDrafts';
import { QuestionView } from './questionView';

/** The model's questions, one below the other: all of them are seen before the first is answered. */
export function QuestionsBody(props: {
  readonly card: QuestionCard;
  readonly draft: AskDraft;
  readonly submit: () => void;
}) {
  const { card, draft } = props;
  return (
    <div class="questions">
      {card.questions.map((question, index) => (
        <QuestionView
          key={index}
          question={question}
          index={index}
          isOnly={card.questions.length === 1}
          values={draft.values.value}
          problems={draft.problems.value}
          set={(change) => draft.set(change)}
          onEnter={card.questions.length === 1 ? props.submit : undefined}
        />
      ))}
    </div>
  );
}
