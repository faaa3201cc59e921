import type { FormField } from '../../../src/base/formField';
import type { AskCard, FormCard, LinkCard, QuestionCard } from '../../../src/chat/askProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { text, tool, workState } from './states';

const choice = (label: string, description?: string) => ({
  label,
  value: label.toLowerCase(),
  description,
});

const FIELDS: readonly FormField[] = [
  {
    ...{ id: '0', name: 'target', label: 'Target', required: true, kind: 'choice' },
    choices: [
      choice('Staging', 'Seen by the team only'),
      choice('Production', 'Seen by customers at once'),
    ],
  },
  {
    ...{ id: '1', name: 'version', label: 'Version', required: true, kind: 'text' },
    ...{ minLength: 3, maxLength: 20, description: 'As in the changelog' },
  },
  {
    ...{ id: '2', name: 'copies', label: 'Copies', required: false, kind: 'number', integer: true },
    ...{ minimum: 1, maximum: 9, initial: 2 },
  },
  {
    ...{ id: '3', name: 'notify', label: 'Notify', required: true, kind: 'text', format: 'email' },
  },
  { id: '4', name: 'day', label: 'Day', required: false, kind: 'text', format: 'date' },
  {
    ...{ id: '5', name: 'region', label: 'Region', required: false, kind: 'choice' },
    choices: ['Europe', 'America', 'Asia', 'Africa'].map((label) => choice(label)),
  },
  {
    ...{ id: '6', name: 'checks', label: 'Checks', required: false, kind: 'choices', minItems: 1 },
    ...{ initial: [0], choices: ['Smoke', 'Load', 'Security'].map((label) => choice(label)) },
  },
  { id: '7', name: 'why', label: 'Why', required: false, kind: 'text' },
  {
    ...{ id: '8', name: 'dry', label: 'Only try', required: false, kind: 'boolean', initial: true },
    description: 'Nothing is changed on the machines',
  },
];

/** A form with a field of each kind. */
export function bigForm(over: Partial<FormCard> = {}): FormCard {
  return {
    kind: 'form',
    id: 'f1',
    title: 'Deploy',
    server: 'ops',
    message: 'The build of feature/totals is ready. Where should it go?',
    fields: FIELDS,
    ...over,
  };
}

/** A form with one text. */
export function smallForm(): FormCard {
  return {
    kind: 'form',
    id: 'f2',
    title: 'tickets',
    server: 'tickets',
    message: 'Which ticket is this about?',
    fields: [{ id: '0', name: 'ticket', label: 'Ticket', required: true, kind: 'text' }],
  };
}

export function pageCard(over: Partial<LinkCard> = {}): LinkCard {
  return {
    kind: 'link',
    id: 'l1',
    title: 'tickets',
    server: 'tickets',
    message: 'Log in to your ticket system, so that its tools can be used.',
    url: 'https://tickets.example.com/oauth/authorize?client_id=patchbay&scope=read%20write&state=8f14e45f',
    host: 'tickets.example.com',
    ...over,
  };
}

const LIBRARY = {
  question: 'Which date library should the report use?',
  header: 'Library',
  multi: false,
  options: [
    {
      label: 'None',
      description: 'Intl and Date do all that the report needs',
      preview: "new Intl.DateTimeFormat('en', {\n  dateStyle: 'long',\n}).format(order.date);",
    },
    {
      label: 'date-fns',
      description: 'Small functions, one import each',
      preview: "import { format } from 'date-fns';\n\nformat(order.date, 'PPP');",
    },
    { label: 'Temporal', description: 'The coming standard, with a polyfill for now' },
  ],
};

export function oneQuestion(over: Partial<QuestionCard> = {}): QuestionCard {
  return {
    kind: 'questions',
    id: 'q1',
    toolUseId: 't9',
    title: 'Ask a question',
    questions: [LIBRARY],
    ...over,
  };
}

export function twoQuestions(): QuestionCard {
  return oneQuestion({
    id: 'q2',
    questions: [
      {
        ...LIBRARY,
        options: LIBRARY.options.map(({ label, description }) => ({ label, description })),
      },
      {
        question: 'Which formats should the export have?',
        header: 'Formats',
        multi: true,
        options: [
          { label: 'CSV', description: 'For spreadsheets' },
          { label: 'JSON', description: 'For other programs' },
          { label: 'PDF', description: 'For people' },
        ],
      },
    ],
  });
}

/** A conversation in which these wait. */
export function askState(...asks: readonly AskCard[]): ViewState {
  const state = workState();
  return {
    ...state,
    items: [
      ...state.items.slice(0, 1),
      {
        kind: 'assistant',
        id: 'a1',
        blocks: [
          text('x1', 'Before I go on I need to know one thing from you.'),
          tool('t9', { title: 'Deploy', name: 'mcp__ops__deploy', state: 'running' }),
        ],
      },
    ],
    status: { kind: 'waitingForAnswer' },
    permissions: [],
    queue: [],
    asks,
  };
}
