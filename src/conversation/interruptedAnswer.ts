import * as l10n from '@vscode/l10n';
import { checkForm } from '../base/checkForm';
import type { AskCard, AskReply, FormCard, QuestionCard } from '../chat/askProtocol';
import { checkQuestions } from '../chat/questionsProtocol';
import { aboutOf } from '../chat/reduceAsks';
import type { FormDraft } from '../base/formField';

/**
 * The message that says the answer to an agent which has ended meanwhile: empty where the card was
 * only put away, undefined where the reply does not fit the card.
 */
export function interruptedAnswer(card: AskCard, reply: AskReply): string | undefined {
  if (reply.action === 'decline') return '';
  switch (card.kind) {
    case 'form':
      return said(card, formLines(card, reply.draft));
    case 'questions':
      return said(card, questionLines(card, reply.draft));
    case 'link':
      return l10n.t(
        'You were interrupted when {0} wanted me to open a page. Please try again.',
        card.title,
      );
  }
}

function said(card: AskCard, lines: readonly string[] | undefined): string | undefined {
  if (lines === undefined) return undefined;
  const about = `"${aboutOf(card)}"`;
  if (lines.length === 0) {
    return l10n.t('You were interrupted before I could answer {0}. My answer is yes.', about);
  }
  return l10n.t(
    'You were interrupted before I could answer {0}. My answer:\n{1}\nPlease continue.',
    about,
    lines.join('\n'),
  );
}

function formLines({ fields }: FormCard, draft: FormDraft): readonly string[] | undefined {
  const checked = checkForm(fields, draft);
  if (!checked.ok) return undefined;
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return Object.entries(checked.content).map(
    ([name, value]) => `- ${labels.get(name) ?? name}: ${valueText(value)}`,
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function questionLines(
  { questions }: QuestionCard,
  draft: FormDraft,
): readonly string[] | undefined {
  const checked = checkQuestions(questions, draft);
  if (!checked.ok) return undefined;
  return checked.answers.map(({ chosen, own, notes }, index) => {
    const { question = '', options = [] } = questions[index] ?? {};
    const labels = chosen.flatMap((at) => options[at]?.label ?? []);
    const answer = [...labels, ...(own === '' ? [] : [own])].join(', ');
    return `- ${question} ${answer}${notes === '' ? '' : ` (${notes})`}`;
  });
}
