import * as l10n from '@vscode/l10n';
import { checkForm } from '../base/checkForm';
import type { AskCard, AskReply, FormCard, PlanCard, QuestionCard } from '../chat/askProtocol';
import { editedPart, feedbackParts } from '../chat/planFeedback';
import { checkQuestions } from '../chat/questionsProtocol';
import { aboutOf } from '../chat/reduceAsks';
import type { FormDraft } from '../base/formField';

/**
 * The message that says the answer to an agent which has ended meanwhile: empty where the card was
 * only put away, undefined where the reply does not fit the card.
 */
export function interruptedAnswer(card: AskCard, reply: AskReply): string | undefined {
  if (reply.action === 'decline') return '';
  if (card.kind === 'plan') return planSaid(card, reply);
  if (reply.action !== 'accept') return undefined;
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

/**
 * The mode in which the answer is said, where it must be another one. The CLI would have left plan
 * mode with the approval that it did not live to hear.
 */
export function modeAfter(card: AskCard, reply: AskReply): 'default' | 'acceptEdits' | undefined {
  if (card.kind !== 'plan' || reply.action !== 'approve') return undefined;
  return reply.acceptEdits ? 'acceptEdits' : 'default';
}

function planSaid(card: PlanCard, reply: AskReply): string | undefined {
  const about = `"${aboutOf(card)}"`;
  if (reply.action === 'approve') {
    const approved = l10n.t(
      'You were interrupted before I could answer your plan {0}. I approve it. Please carry it out.',
      about,
    );
    return card.edited === undefined ? approved : `${approved}\n\n${editedPart(card.edited)}`;
  }
  if (reply.action !== 'keepPlanning') return undefined;
  const head = l10n.t(
    'You were interrupted before I could answer your plan {0}. I have not approved it. Please change it and ask me again.',
    about,
  );
  return [head, ...feedbackParts(card, reply.words)].join('\n\n');
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
