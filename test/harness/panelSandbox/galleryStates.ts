import type { ChangedFile, Changes } from '../../../src/chat/changesProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { pngBytes } from '../pictureBytes';
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
import { foldersState, noCli, noLogin, offlineState, setUpState } from './setUpStates';
import { agentState, emptyState, errorState, longState, streamingState, workState } from './states';
import { sideState, talkState } from './talkStates';
import { toolsState } from './toolStates';
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
const BLUE = pngBytes(160, 90, [40, 90, 200]);

const tasks = [
  { id: 'b1', kind: 'command' as const, title: 'Serve the docs' },
  { id: 'a1', kind: 'agent' as const, title: 'Find callers', progress: 'Reading src/cart.ts' },
];

function queueState(): ViewState {
  const state = workState();
  const steered = {
    kind: 'user',
    id: 'steered',
    text: 'leave the tests out',
    waits: true,
  } as const;
  return {
    ...{ ...state, permissions: [], status: { kind: 'working' } },
    items: [...state.items, steered],
    queue: [
      { id: 'q1', text: 'then update the changelog' },
      { id: 'q2', text: 'and tell me what is left' },
    ],
  };
}

const selection = {
  ...{ id: 's1', label: 'cart.ts:3-9', place: 'src/cart.ts:3-9' },
  ...{ isOn: true, isLong: false },
};

const changed = (id: string, path: string, added: number, removed: number) => ({
  ...{ id, path, kind: 'edited' as const, added, removed },
});

export const changedFiles: readonly ChangedFile[] = [
  changed('c1', 'src/report.ts', 2, 2),
  changed('c2', 'src/pricing/discounts/seasonalRules.ts', 9, 7),
  { ...changed('c3', 'src/orderTotal.ts', 2, 0), kind: 'moved', from: 'src/calcTotal.ts' },
  { ...changed('c4', 'test/orderTotal.test.ts', 14, 0), kind: 'created' },
  { ...changed('c5', 'docs/old.md', 0, 3), kind: 'deleted' },
  { ...changed('c6', 'media/logo.png', 0, 0), note: 'not text' },
];

const OVERLAP =
  'Not undone: you have changed the same lines since. Take what you want back under Review.';

const afterTurn = (changes: Changes): ViewState => ({
  ...{ ...workState(), permissions: [], queue: [], status: { kind: 'idle' }, changes },
});

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
    name: 'cards',
    about: 'What an open row shows: a command with the end of its output, a file, a search.',
    state: toolsState,
    height: 1300,
    prepare: async (panel) => {
      for (const name of ['Run a command, failed', 'Read a file, done', 'Search in files, done'])
        await press(panel, name);
    },
  },
  {
    name: 'focus-view',
    about: 'The focus view: the work of each turn in one line.',
    state: () => ({ ...workState(), permissions: [], focusView: true }),
    height: 560,
  },
  {
    name: 'steered',
    about:
      'While a turn runs: a message sent into it, which the agent has not read yet, and two behind it.',
    state: queueState,
    height: 760,
  },
  {
    name: 'tasks',
    about: 'What runs in the background, over the message box.',
    state: () => ({ ...agentState(), permissions: [], tasks }),
    height: 620,
  },
  {
    name: 'changes',
    about: 'After a turn: the files that it changed, over the message box, in one line.',
    state: () => afterTurn({ files: changedFiles }),
    height: 620,
  },
  {
    name: 'changes-open',
    about:
      'The same unfolded, after an Undo: one file is gone from the list, another could not be undone.',
    state: () =>
      afterTurn({
        files: changedFiles.map((file) =>
          file.id === 'c2' ? { ...file, problem: OVERLAP } : file,
        ),
        undone: { id: 'u1', count: 1, path: 'src/cart.ts' },
      }),
    height: 760,
  },
  {
    name: 'pictures',
    about: 'Pictures in a message, and in one that waits.',
    state: () => picturesState(),
    height: 760,
    prepare: showPictures,
  },
  {
    name: 'selection',
    about: 'The selection of the editor, which goes with the message.',
    state: () => ({ ...emptyState(), selection }),
    height: 620,
  },
  {
    name: 'edit',
    about: 'An earlier message that is said in other words.',
    state: talkState,
    height: 700,
    prepare: (panel) => press(panel, 'Edit'),
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
    name: 'set-up',
    about: 'First use: the program of the agent was not found.',
    state: () => setUpState(noCli),
    height: 620,
  },
  {
    name: 'log-in',
    about: 'First use: nobody is logged in, and the login runs in a terminal.',
    state: () => setUpState({ ...noLogin, busy: 'loggingIn' }),
    height: 620,
  },
  {
    name: 'offline',
    about: 'The API cannot be reached.',
    state: offlineState,
    height: 520,
  },
  {
    name: 'folder-picker',
    about: 'In a window with several folders: where a new conversation works.',
    state: foldersState,
    height: 620,
    prepare: (panel) => press(panel, 'Folder: shop'),
  },
  {
    name: 'side-question',
    about: 'A question beside the conversation, asked by /btw while a turn runs.',
    state: sideState,
    height: 900,
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
    name: 'more-actions',
    about: 'The menu of all that has no button of its own.',
    state: streamingState,
    height: 760,
    prepare: (panel) => press(panel, 'More actions'),
  },
  {
    name: 'find',
    about: 'Find in the conversation.',
    state: streamingState,
    height: 760,
    prepare: find,
  },
];

function picturesState(): ViewState {
  const state = workState();
  const images = ['chart.png', 'Picture 2'].map((name, n) => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${n}`, name, mediaType: 'image/png' as const },
    ...{ bytes: BLUE.length, width: 160, height: 90 },
  }));
  return {
    ...state,
    items: [
      { kind: 'user', id: 'u1', text: 'What is wrong here?', images },
      ...state.items.slice(1),
    ],
    permissions: [],
    queue: [{ id: 'q1', text: 'and here?', images: images.slice(1) }],
  };
}

async function showPictures(panel: SandboxPanel): Promise<void> {
  await eventually(() => panel.sent('loadPicture').length >= 2);
  for (const { id } of panel.sent('loadPicture')) {
    const picture = { mediaType: 'image/png', data: BLUE.toString('base64') } as const;
    await panel.send({ type: 'picture', id, picture });
  }
  await panel.page.locator('.picture-image').nth(1).waitFor();
  await panel.page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
}

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
