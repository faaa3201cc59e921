import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { AskCard as AnyCard, PlanCard, QuestionCard } from '../chat/askProtocol';
import { isImeKey } from './composerKeys';
import { FormBody } from './formBody';
import { Icon } from './icon';
import { LinkBody } from './linkBody';
import { usePanel } from './panelContext';
import { QuestionTag } from './questionTag';
import { QuestionsBody } from './questionsBody';
import { useEscapeLeaves } from './useEscapeLeaves';
import { useFocusReturn } from './useFocusReturn';

/** A plan has a card of its own. */
type AskCard = Exclude<AnyCard, PlanCard>;

const ICONS: Readonly<Record<AskCard['kind'], string>> = {
  form: 'list-unordered',
  link: 'globe',
  questions: 'question',
};

/**
 * Something that is asked. Like a permission card it never takes the focus and never moves, and is
 * announced at once. What is typed into it is kept by the panel and by the host.
 */
export function AskCardView({ card }: { readonly card: AskCard }) {
  const { announcer, asks } = usePanel();
  const root = useFocusReturn(card.id);
  const leave = useEscapeLeaves();
  const name = nameOf(card);
  const said = `${name}. ${saidOf(card)}`.trim();
  useEffect(() => announcer.interrupt(said), [announcer, said]);
  const draft = asks.of(card);
  const submit = () => {
    const wrong = draft.submit();
    if (wrong === undefined) return;
    announcer.interrupt(draft.problems.value.get(wrong) ?? '');
    focusKey(root.current, wrong);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isImeKey(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (card.kind !== 'link') submit();
    } else leave(event);
  };
  return (
    <div ref={root} role="group" class="card ask" aria-label={name} onKeyDown={onKeyDown}>
      <AskHead card={card} />
      {card.kind === 'form' && <FormBody card={card} draft={draft} submit={submit} />}
      {card.kind === 'link' && <LinkBody card={card} />}
      {card.kind === 'questions' && <QuestionsBody card={card} draft={draft} submit={submit} />}
      {card.interrupted === true && (
        <p class="card-why">
          {l10n.t('The agent ended before you answered. Your answer goes as the next message.')}
        </p>
      )}
      <AskButtons card={card} submit={submit} decline={() => draft.decline()} />
    </div>
  );
}

function AskHead({ card }: { readonly card: AskCard }) {
  return (
    <h3 class="card-title" dir="auto">
      <Icon name={ICONS[card.kind]} />
      <span>{card.kind === 'questions' ? l10n.t('Claude asks') : card.title}</span>
      {card.kind === 'questions' ? (
        <QuestionTags questions={card.questions} />
      ) : (
        card.server !== card.title && <span class="card-from">{card.server}</span>
      )}
    </h3>
  );
}

/** Of one question they stand in the head, of several over each. */
function QuestionTags({ questions: [first, ...others] }: Pick<QuestionCard, 'questions'>) {
  return first && others.length === 0 ? <QuestionTag question={first} /> : null;
}

function AskButtons(props: {
  readonly card: AskCard;
  readonly submit: () => void;
  readonly decline: () => void;
}) {
  const { card } = props;
  const putsAway = card.kind === 'questions' || card.interrupted === true;
  return (
    <div class="card-buttons">
      {!(card.kind === 'link' && card.host === undefined) && (
        <button type="button" class="button primary" onClick={props.submit}>
          {acceptWords(card)}
        </button>
      )}
      <button type="button" class="button secondary" onClick={props.decline}>
        {putsAway ? l10n.t('Dismiss') : l10n.t('Decline')}
      </button>
    </div>
  );
}

function nameOf(card: AskCard): string {
  if (card.kind !== 'questions') return l10n.t('Form: {0}', card.title);
  const [first] = card.questions;
  return card.questions.length === 1
    ? l10n.t('Question: {0}', first?.question ?? '')
    : l10n.t('Question: {0}', card.questions.map(({ header }) => header).join(', '));
}

/** What is heard after the name. */
function saidOf(card: AskCard): string {
  switch (card.kind) {
    case 'form':
      return card.message;
    case 'link':
      return card.host === undefined
        ? card.message
        : `${card.message} ${l10n.t('Opens {0}', card.host)}`;
    case 'questions':
      return card.questions.length === 1
        ? ''
        : card.questions.map(({ question }) => question).join(' ');
  }
}

function acceptWords(card: AskCard): string {
  switch (card.kind) {
    case 'form':
      return l10n.t('Submit');
    case 'questions':
      return l10n.t('Answer');
    case 'link':
      return card.interrupted === true ? l10n.t('Continue') : l10n.t('Open in browser');
  }
}

function focusKey(root: HTMLElement | null, key: string): void {
  const found = [...(root?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
    (element) => element.dataset.key === key,
  );
  found?.focus();
}
