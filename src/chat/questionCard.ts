import type { FormDraft } from '../base/formField';
import { isJsonObject } from '../protocol/lazySchema';
import type { PermissionResult } from '../protocol/permissions';
import type { Question, QuestionCard, QuestionOption } from './askProtocol';
import { checkQuestions } from './questionsProtocol';
import { boundBody } from './permissionBody';
import type { PermissionRequest } from './permissionRequest';
import { toolTitle } from './toolPresentation';
import { visibleText } from './visibleText';

const TOOL = 'AskUserQuestion';
/** The CLI allows four of each. */
const MAX_QUESTIONS = 20;
const MAX_OPTIONS = 50;

/** What the model reads when the person put the questions away. */
export const DISMISSED =
  'The user dismissed the questions without answering them. Do not ask them again in another way; go on with your best judgement, or say what you need and stop.';

/** The card for the CLI's questions to the person; undefined where the request is none. */
export function tryCreateQuestionCard(
  requestId: string,
  { tool_name: name, input, tool_use_id: toolUseId }: PermissionRequest,
): QuestionCard | undefined {
  if (name !== TOOL || !Array.isArray(input.questions)) return undefined;
  const given: readonly unknown[] = input.questions;
  const questions = given.flatMap((one) => questionOf(one) ?? []);
  // One that cannot be drawn could not be answered: the ordinary card shows all as it came.
  if (questions.length !== given.length || questions.length === 0) return undefined;
  if (questions.length > MAX_QUESTIONS) return undefined;
  return {
    kind: 'questions',
    id: requestId,
    title: toolTitle(name, new Map()),
    questions,
    toolUseId,
  };
}

function questionOf(value: unknown): Question | undefined {
  if (!isJsonObject(value) || typeof value.question !== 'string') return undefined;
  const given: readonly unknown[] = Array.isArray(value.options) ? value.options : [];
  const options = given.flatMap((one) => optionOf(one) ?? []);
  if (options.length !== given.length || options.length > MAX_OPTIONS) return undefined;
  return {
    question: shown(value.question),
    header: shown(value.header),
    multi: value.multiSelect === true,
    options,
  };
}

function optionOf(value: unknown): QuestionOption | undefined {
  if (!isJsonObject(value) || typeof value.label !== 'string') return undefined;
  const preview = shown(value.preview);
  return {
    label: shown(value.label),
    description: shown(value.description),
    ...(preview === '' ? {} : { preview }),
  };
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? boundBody(visibleText(value)) : '';

/**
 * The answer that goes to the CLI: its questions as they came, and the answers by the text of each.
 * Undefined where a question has none. Facts, section 4: several are one text with commas.
 */
export function questionsAnswer(
  request: PermissionRequest,
  card: QuestionCard,
  draft: FormDraft,
): PermissionResult | undefined {
  const checked = checkQuestions(card.questions, draft);
  if (!checked.ok) return undefined;
  // As they came: the shown text has hidden characters written out.
  const asked = Array.isArray(request.input.questions)
    ? (request.input.questions as unknown[])
    : [];
  const answers: [string, string][] = [];
  const annotations: [string, { notes: string }][] = [];
  checked.answers.forEach((answer, index) => {
    const question = asked[index];
    if (!isJsonObject(question) || typeof question.question !== 'string') return;
    const options: readonly unknown[] = Array.isArray(question.options) ? question.options : [];
    const labels = answer.chosen.map((at) => labelOf(options[at]));
    const all = answer.own === '' ? labels : [...labels, answer.own];
    answers.push([question.question, all.join(', ')]);
    if (answer.notes !== '') annotations.push([question.question, { notes: answer.notes }]);
  });
  return {
    behavior: 'allow',
    updatedInput: {
      ...request.input,
      answers: Object.fromEntries(answers),
      ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
    },
  };
}

function labelOf(option: unknown): string {
  return isJsonObject(option) && typeof option.label === 'string' ? option.label : '';
}
