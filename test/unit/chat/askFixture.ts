import type { FormCard, LinkCard, PlanCard, QuestionCard } from '../../../src/chat/askProtocol';
import type { PermissionCard } from '../../../src/chat/viewStateProtocol';

/** A form with one required text. */
export function formCard(): FormCard {
  return {
    kind: 'form',
    id: 'f1',
    title: 'Deploy',
    server: 'ops',
    message: 'Deploy where?',
    fields: [{ id: '0', name: 'to', label: 'To', required: true, kind: 'text' }],
  };
}

export function linkCard(): LinkCard {
  return {
    kind: 'link',
    id: 'l1',
    title: 'ext',
    server: 'ext',
    message: 'Log in',
    url: 'https://example.com/login',
    host: 'example.com',
  };
}

export function questionCard(): QuestionCard {
  return {
    kind: 'questions',
    id: 'q1',
    toolUseId: 't1',
    title: 'Ask a question',
    questions: [
      {
        question: 'Which color?',
        header: 'Color',
        multi: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ],
  };
}

export function permissionCard(): PermissionCard {
  return { id: 'p1', toolName: 'Bash', title: 'Run a command', body: 'ls', bodyKind: 'command' };
}

export function planCard(over: Partial<PlanCard> = {}): PlanCard {
  return {
    kind: 'plan',
    id: 'pl1',
    toolUseId: 't1',
    title: 'Propose a plan',
    plan: '# Greet\n\n1. Say hello\n2. Say goodbye\n',
    comments: [],
    ...over,
  };
}
