import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { pngBytes } from '../pictureBytes';
import { serverCard } from './approvalStates';
import { askState, oneQuestion } from './askStates';
import { cardState, commandCard } from './cardStates';
import { eventually } from './eventually';
import { GALLERY, type GalleryState } from './galleryStates';
import type { SandboxPanel } from './sandbox';
import { ANSWER, emptyState, permission, streamingState, text, workState } from './states';
import { sideAnswer, talkState } from './talkStates';

/** A state that is looked at for its roles, names and keys; docs/panel.md need not show it. */
export type AccessState = Pick<GalleryState, 'name' | 'about' | 'state' | 'prepare'> & {
  /** CSS pixels at most, where it must scroll. */
  readonly most?: number;
};

const MORE: readonly AccessState[] = [
  {
    name: 'talk',
    about: 'Two questions and their answers, one of them pinned.',
    state: talkState,
    prepare: (panel) => press(panel, 'Pin'),
  },
  {
    name: 'queue',
    about: 'Messages that wait: one goes before the next, two are in the queue.',
    state: () => ({
      ...streamingState(),
      queue: [
        { id: 'q1', text: 'then update the changelog' },
        { id: 'q2', text: 'and run the tests', held: true },
        { id: 'q3', text: 'do not rename that', leads: true },
      ],
    }),
    prepare: (panel) => panel.page.getByRole('textbox', { name: 'Message' }).fill('one more'),
  },
  {
    name: 'attachments',
    about: 'Pictures that go with the message, and a file that does not.',
    state: emptyState,
    prepare: attach,
  },
  {
    name: 'scrolled-back',
    about: 'Reading back in a long answer while it goes on.',
    state: () => streamingState(`${ANSWER}\n\n`.repeat(4)),
    prepare: scrollBack,
    most: 900,
  },
  {
    name: 'server-approval',
    about: 'A server that the workspace brings.',
    state: () => ({ ...workState(), permissions: [], approvals: [serverCard] }),
  },
  {
    name: 'interrupted',
    about: 'A request, and a question, whose agent has ended.',
    state: () => ({
      ...askState(oneQuestion({ interrupted: true })),
      status: { kind: 'idle' },
      permissions: [permission({ interrupted: true })],
    }),
  },
  {
    name: 'many-requests',
    about: 'More requests than are drawn at once.',
    state: () =>
      cardState(...Array.from({ length: 6 }, (_, n) => commandCard(`m${n}`, `node step${n}.mjs`))),
  },
  {
    name: 'deleted',
    about: 'A conversation was deleted; it can be brought back.',
    state: talkState,
    prepare: deleteOne,
  },
  {
    name: 'rename',
    about: 'The title of a past conversation is being changed.',
    state: emptyState,
    prepare: rename,
  },
  {
    name: 'usage',
    about: 'What the conversation has used.',
    state: workState,
    prepare: (panel) => press(panel, 'Usage: 62k · $0.18'),
  },
  {
    name: 'refused',
    about: 'A message that was not taken.',
    state: emptyState,
    prepare: refuse,
  },
  {
    name: 'retrying',
    about: 'The API is asked again after a while.',
    state: () => ({
      ...streamingState(''),
      status: {
        kind: 'retrying',
        retry: {
          at: Date.now() + 3_600_000,
          reason: 'The API is overloaded.',
          attempt: 2,
          most: 10,
        },
      },
    }),
  },
  {
    name: 'side-asked',
    about: 'Questions beside the conversation: one failed, one is being asked.',
    state: () => ({
      ...streamingState(),
      side: [
        sideAnswer,
        { id: 'q2', question: 'and now?', state: 'failed', answer: 'The agent did not answer.' },
        { id: 'q3', question: 'and then?', state: 'asking' },
      ],
    }),
  },
  {
    name: 'symbols',
    about: 'Names in an answer that lead to their definition.',
    state: () => {
      const state: ViewState = talkState();
      return {
        ...state,
        items: [
          ...state.items.slice(0, 3),
          {
            kind: 'assistant',
            id: 'a2',
            blocks: [text('x1', 'Both `orderTotal` and `cartLine` round once.')],
          },
        ],
      };
    },
    prepare: linkSymbols,
  },
  {
    name: 'notice',
    about: 'Lines that always stand, and that stand between answers.',
    state: () => ({
      ...talkState(),
      notice: 'Restricted mode: nothing of the workspace runs.',
      items: [
        ...talkState().items,
        { kind: 'notice', id: 'n1', tone: 'info', text: 'The conversation was compacted.' },
        {
          ...{ kind: 'notice', id: 'n2', tone: 'warning', text: 'You are logged in again.' },
          actions: ['retry'],
        },
      ],
    }),
  },
];

/** All states: those of docs/panel.md, and what stands there at times only. */
export const ACCESS_STATES: readonly AccessState[] = [...GALLERY, ...MORE];

export function accessState(name: string): AccessState {
  const found = ACCESS_STATES.find((state) => state.name === name);
  if (!found) throw new Error(`There is no state ${name}`);
  return found;
}

/** Opens every row and fold of the conversation, so that what is inside is looked at too. */
export async function unfoldAll({ page }: SandboxPanel): Promise<void> {
  const folded = page.locator(
    '.column [aria-expanded="false"]:not([aria-haspopup]), .set-up [aria-expanded="false"]',
  );
  // By their own click: with the pointer one row would lie over the actions of another.
  while ((await folded.count()) > 0)
    await folded.first().evaluate((one: HTMLElement) => one.click());
}

async function press(panel: SandboxPanel, name: string): Promise<void> {
  // By its key: a pointer would have to come over the article before.
  await panel.page.getByRole('button', { name, exact: true }).first().press('Enter');
}

async function attach(panel: SandboxPanel): Promise<void> {
  const data = pngBytes(160, 90, [40, 90, 200]).toString('base64');
  const bad = Buffer.from('no picture').toString('base64');
  await panel.page.getByRole('main').waitFor();
  await panel.send({
    type: 'attachFiles',
    files: [
      { name: 'chart.png', data },
      { name: 'notes.txt', data: bad },
    ],
  });
  await panel.page.getByRole('alert').waitFor();
  await panel.page.locator('.attachments img').waitFor();
}

async function scrollBack({ page }: SandboxPanel): Promise<void> {
  const log = page.getByRole('log');
  await log.waitFor();
  await eventually(async () => {
    await log.evaluate((e) => e.scrollBy(0, -400));
    return (await page.getByRole('button', { name: 'Jump to latest' }).count()) === 1;
  });
}

/** The dialog with two conversations in it. */
async function openDialog(panel: SandboxPanel): Promise<void> {
  await press(panel, 'Conversations');
  await eventually(() => panel.sent('listConversations').length > 0);
  await panel.send({ type: 'conversations', answer: { kind: 'list', rows: ROWS } });
  await panel.page.getByRole('option').first().waitFor();
}

const ROWS = ['Rounding of prices', 'Add a test for the total'].map((title, n) => ({
  ...{ sessionId: `s${n}`, title, changedAt: Date.now() - (n + 1) * 3_600_000 },
}));

async function deleteOne(panel: SandboxPanel): Promise<void> {
  await openDialog(panel);
  const [first, ...rest] = ROWS;
  if (!first) throw new Error('no rows');
  await press(panel, `Delete: ${first.title}`);
  await panel.send({ type: 'conversations', answer: { kind: 'list', rows: rest, deleted: first } });
  await panel.page.getByRole('button', { name: 'Undo' }).waitFor();
  await panel.page.keyboard.press('Escape');
  await panel.page.getByRole('group', { name: 'Deleted conversation' }).waitFor();
}

async function rename(panel: SandboxPanel): Promise<void> {
  await openDialog(panel);
  await press(panel, 'Rename: Rounding of prices');
  await panel.page.getByRole('textbox', { name: 'Title' }).waitFor();
}

async function refuse(panel: SandboxPanel): Promise<void> {
  await panel.page.getByRole('textbox', { name: 'Message' }).fill('fix it');
  await press(panel, 'Send');
  await eventually(() => panel.sent('submit').length === 1);
  const promptId = panel.sent('submit')[0]?.promptId ?? '';
  await panel.send({ type: 'submitted', promptId, refused: 'No folder is open.' });
  await panel.page.getByRole('alert').waitFor();
}

async function linkSymbols(panel: SandboxPanel): Promise<void> {
  await panel.page.getByRole('log').focus();
  await eventually(() => panel.sent('findSymbols').length > 0);
  const found = ['orderTotal', 'cartLine'].map((name) => ({ name, count: 1 }));
  await panel.send({ type: 'symbols', found });
  await panel.page.getByRole('link', { name: 'orderTotal' }).waitFor();
}
