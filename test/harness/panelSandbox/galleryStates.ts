import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { approvalState, filesCards } from './approvalStates';
import { askState, bigForm, oneQuestion, pageCard, twoQuestions } from './askStates';
import {
  cardState,
  commandCard,
  editCard,
  fetchCard,
  longCommandCard,
  outsideCard,
  ownToolCard,
} from './cardStates';
import { eventually } from './eventually';
import { decidedPlans, fullPlan, planState } from './planStates';
import type { SandboxPanel } from './sandbox';
import { agentState, emptyState, errorState, longState, streamingState, workState } from './states';
import { COMMANDS, MENTIONS, saidState } from './suggestRows';

/** A state of the panel as docs/panel.md shows it. */
export interface GalleryState {
  /** Of the file, too. */
  readonly name: string;
  /** What is to be seen, in one sentence. */
  readonly about: string;
  readonly state: () => ViewState;
  /** CSS pixels of the narrow picture; the wide one has 700 at most. */
  readonly height: number;
  /** What the person does before the picture is taken. */
  readonly prepare?: (panel: SandboxPanel) => Promise<void>;
}

const HOUR = 3_600_000;

export const GALLERY: readonly GalleryState[] = [
  {
    name: 'empty',
    about: 'A new conversation, with suggestions from the state of the workspace.',
    state: emptyState,
    height: 620,
  },
  {
    name: 'work',
    about: 'In the middle of work: calls of tools, one of them unfolded, a request, a queue.',
    state: workState,
    height: 1080,
    prepare: (panel) => unfold(panel, 'Problems, done'),
  },
  {
    name: 'streaming',
    about: 'An answer that is being written: headings, lists, code, a table, text from the right.',
    state: streamingState,
    height: 980,
  },
  {
    name: 'agent',
    about: 'A sub-agent with its own calls inside.',
    state: agentState,
    height: 760,
    prepare: (panel) => unfold(panel, 'Agent, running'),
  },
  {
    name: 'long',
    about: 'Very long words everywhere: nothing scrolls sideways.',
    state: longState,
    height: 1500,
  },
  {
    name: 'error',
    about: 'What failed, what was kept, what to do.',
    state: errorState,
    height: 620,
  },
  {
    name: 'permission-edit',
    about: 'Requests: a command, and a change with its difference.',
    state: () => cardState(commandCard(), editCard()),
    height: 980,
  },
  {
    name: 'permission-outside',
    about: 'Requests: a file outside the workspace, and a page of the web.',
    state: () => cardState(outsideCard(), fetchCard()),
    height: 860,
  },
  {
    name: 'permission-tools',
    about: "Requests: a tool of the workspace's own, and a very long command.",
    state: () => cardState(ownToolCard(), longCommandCard()),
    height: 980,
  },
  {
    name: 'permission-always',
    about: 'The rules that Always allow… offers.',
    state: () => cardState(commandCard()),
    height: 900,
    prepare: (panel) => press(panel, 'Always allow…'),
  },
  {
    name: 'plan',
    about: 'A plan with comments, and its ways on.',
    state: () => planState(fullPlan()),
    height: 1000,
  },
  {
    name: 'plan-decided',
    about: 'Plans that were decided, in the transcript.',
    state: decidedPlans,
    height: 700,
  },
  {
    name: 'question',
    about: 'A question of the model.',
    state: () => askState(oneQuestion()),
    height: 820,
  },
  {
    name: 'questions',
    about: 'Several questions at once.',
    state: () => askState(twoQuestions()),
    height: 980,
  },
  {
    name: 'form',
    about: 'A form that a tool or a server asks for, and a page that a server wants to open.',
    state: () => askState(bigForm(), pageCard()),
    height: 1250,
  },
  {
    name: 'approval',
    about: 'Tool files of the workspace that have changed, before they may run.',
    state: () => approvalState(filesCards.changed()),
    height: 1000,
  },
  {
    name: 'mentions',
    about: 'What can be mentioned behind an @.',
    state: saidState,
    height: 640,
    prepare: (panel) => suggest(panel, 'Look at @'),
  },
  {
    name: 'commands',
    about: 'Commands behind a slash.',
    state: saidState,
    height: 640,
    prepare: (panel) => suggest(panel, '/'),
  },
  {
    name: 'mode-picker',
    about: 'The permission modes.',
    state: workState,
    height: 700,
    prepare: (panel) => press(panel, 'Permission mode: Ask'),
  },
  {
    name: 'conversations',
    about: 'Past conversations of this folder.',
    state: emptyState,
    height: 620,
    prepare: conversations,
  },
  {
    name: 'find',
    about: 'Find in the conversation.',
    state: streamingState,
    height: 760,
    prepare: find,
  },
];

async function press(panel: SandboxPanel, name: string): Promise<void> {
  await panel.page.getByRole('button', { name, exact: true }).first().click();
}

async function unfold(panel: SandboxPanel, name: string): Promise<void> {
  await press(panel, name);
}

async function suggest(panel: SandboxPanel, typed: string): Promise<void> {
  const { page } = panel;
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.type(typed);
  await eventually(() => panel.sent('suggest').length > 0);
  await panel.send({
    type: 'suggestions',
    queryId: panel.sent('suggest').at(-1)?.queryId ?? 0,
    answer: { rows: typed.endsWith('@') ? MENTIONS : COMMANDS, notes: [], isPending: false },
  });
  await page.getByRole('listbox').waitFor();
  await page.keyboard.press('ArrowDown');
}

async function conversations(panel: SandboxPanel): Promise<void> {
  await press(panel, 'Conversations');
  await eventually(() => panel.sent('listConversations').length > 0);
  const titles = [
    'Rounding of prices',
    'حوار عن الأسعار',
    'Add a test for the total',
    'x'.repeat(90),
  ];
  const rows = titles.map((title, n) => ({
    ...{ sessionId: `s${n}`, title, changedAt: Date.now() - (n + 1) * 30 * HOUR },
    ...(n === 0 ? { about: 'why is the total off by a cent?', open: 'here' as const } : {}),
  }));
  await panel.send({ type: 'conversations', answer: { kind: 'list', rows } });
  await panel.page.getByRole('option').first().waitFor();
}

async function find(panel: SandboxPanel): Promise<void> {
  await panel.send({ type: 'openFind' });
  await panel.page.getByRole('textbox', { name: 'Find', exact: true }).fill('total');
}
