import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { accessState } from './accessStates';
import { filesCards } from './approvalStates';
import { oneQuestion, smallForm } from './askStates';
import { commandCard } from './cardStates';
import { eventually } from './eventually';
import { changedFiles } from './galleryStates';
import { planCard } from './planStates';
import type { SandboxPanel } from './sandbox';
import { noCli } from './setUpStates';
import { emptyState, streamingState, tool } from './states';
import { sideAnswer } from './talkStates';

/** How: at the next pause, at once, or as the state in words. */
export type By = 'polite' | 'assertive' | 'status' | 'alert';

export interface Announced {
  readonly what: string;
  readonly state: () => ViewState;
  readonly act: (panel: SandboxPanel) => Promise<void>;
  /** All that is said, once and in this order; of an alert how it begins. */
  readonly said: readonly (readonly [By, string])[];
}

const set =
  (fields: Partial<ViewState>) =>
  (panel: SandboxPanel): Promise<void> =>
    panel.patch({ op: 'set', fields });

const growing = () => streamingState('');

export const ANNOUNCED: readonly Announced[] = [
  {
    what: 'words of an answer: each block when it is whole',
    state: growing,
    act: async (panel) => {
      for (const text of ['Two thi', 'ngs:\n\n', '- one\n- two\n\nDone', '.']) {
        await panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text });
      }
      await panel.patch({ op: 'finish', itemId: 'a1', blockId: 'x1' });
    },
    said: [
      ['polite', 'Two things:'],
      ['polite', 'one\ntwo'],
      ['polite', 'Done.'],
    ],
  },
  {
    what: 'calls of tools, thinking: nothing, they are rows to be read',
    state: growing,
    act: async (panel) => {
      const thinking = { kind: 'thinking', id: 'k9', text: 'Hm.', streaming: true } as const;
      await panel.patch({ op: 'block', itemId: 'a1', block: thinking });
      await panel.patch({ op: 'block', itemId: 'a1', block: tool('t9', { state: 'running' }) });
      await panel.patch({ op: 'block', itemId: 'a1', block: tool('t9', { state: 'done' }) });
    },
    said: [],
  },
  {
    what: 'the agent waits for permission: the request, at once',
    state: growing,
    act: set({ status: { kind: 'waitingForPermission' }, permissions: [commandCard()] }),
    said: [
      ['status', 'Waiting for permission'],
      [
        'assertive',
        'Permission request: Run a command. Run this command in shop npm test -- --update report',
      ],
    ],
  },
  {
    what: 'the agent asks: the question, at once',
    state: growing,
    act: set({ status: { kind: 'waitingForAnswer' }, asks: [oneQuestion()] }),
    said: [
      ['status', 'Waiting for an answer'],
      ['assertive', 'Question: Which date library should the report use?.'],
    ],
  },
  {
    what: 'a form',
    state: growing,
    act: set({ status: { kind: 'waitingForAnswer' }, asks: [smallForm()] }),
    said: [
      ['status', 'Waiting for an answer'],
      ['assertive', 'Form: tickets. Which ticket is this about?'],
    ],
  },
  {
    what: 'a plan: its first line',
    state: growing,
    act: set({ status: { kind: 'waitingForAnswer' }, asks: [planCard()] }),
    said: [
      ['status', 'Waiting for an answer'],
      ['assertive', 'Plan. Dates in the report'],
    ],
  },
  {
    what: 'something of the workspace wants consent',
    state: emptyState,
    act: set({ approvals: [filesCards.first()] }),
    said: [['polite', 'Approval: Tool files of shop. One file is new or changed.']],
  },
  {
    what: 'the turn is stopped',
    state: growing,
    act: async (panel) => {
      await set({ status: { kind: 'stopping' } })(panel);
      await panel.page.getByText('Stopping').waitFor();
      await panel.patch({ op: 'stopped', itemId: 'a1' });
      await set({ status: { kind: 'idle' } })(panel);
    },
    said: [
      ['status', 'Stopping'],
      ['status', 'Idle'],
    ],
  },
  {
    what: 'the turn has failed: what failed, what was kept, what to do',
    state: growing,
    act: async (panel) => {
      const item = accessState('error').state().items.at(-1);
      if (item) await panel.patch({ op: 'item', item });
      await set({ status: { kind: 'failed' } })(panel);
    },
    said: [
      ['alert', 'The model could not be reached: the service is overloaded.'],
      ['status', 'Failed'],
    ],
  },
  {
    what: 'the API is asked again: the reason, and no countdown',
    state: growing,
    act: set(accessStateFields('retrying', 'status')),
    said: [['polite', 'The API is overloaded. Try 2 of 10.']],
  },
  {
    what: 'the connection is lost',
    state: growing,
    act: set({ status: { kind: 'notConnected' } }),
    said: [['status', 'Not connected']],
  },
  {
    what: 'the permission mode has changed',
    state: growing,
    act: set({ mode: 'acceptEdits' }),
    said: [['polite', 'Permission mode: Edit']],
  },
  {
    what: 'an answer beside the conversation',
    state: growing,
    act: async (panel) => {
      await set({ side: [{ id: 'q1', question: 'why?', state: 'asking' }] })(panel);
      await set({ side: [{ ...sideAnswer, answer: 'Since it rounds.' }] })(panel);
    },
    said: [['polite', 'Side question answered: Since it rounds.']],
  },
  {
    what: 'something is missing before anything can be asked',
    state: emptyState,
    act: set({ setUp: noCli }),
    said: [['polite', 'The claude CLI was not found on the PATH.']],
  },
  {
    what: 'a queued message has another place',
    state: accessState('queue').state,
    act: async (panel) => {
      const [first, second, ...rest] = accessState('queue').state().queue;
      await panel.page.getByRole('button', { name: 'Move down' }).first().press('Enter');
      await eventually(() => panel.sent('queue').length === 1);
      if (first && second) await set({ queue: [second, first, ...rest] })(panel);
    },
    said: [['polite', 'Moved to place 2 of 3']],
  },
  {
    what: 'the agent changes files: once, until all are kept or undone',
    state: growing,
    act: async (panel) => {
      await set({ changes: { files: changedFiles.slice(0, 1) } })(panel);
      await set({ changes: { files: changedFiles } })(panel);
    },
    said: [['polite', '1 file changed: review them under Changes']],
  },
  {
    what: 'changes are undone, or are not: why',
    state: () => ({ ...growing(), changes: { files: changedFiles } }),
    act: async (panel) => {
      const [first, second, ...rest] = changedFiles;
      if (!first || !second) return;
      const undone = { id: 'u1', count: 1, path: first.path };
      await set({ changes: { files: [second, ...rest], undone } })(panel);
      const failed = { ...second, problem: 'Not undone: why.' };
      await set({ changes: { files: [failed, ...rest], undone } })(panel);
      await set({ changes: { files: [failed, ...rest] } })(panel);
    },
    said: [
      ['polite', 'Undone: src/report.ts'],
      ['polite', 'src/pricing/discounts/seasonalRules.ts: Not undone: why.'],
    ],
  },
  {
    what: 'a message was not taken: why',
    state: emptyState,
    act: async (panel) => accessState('refused').prepare?.(panel),
    said: [['alert', 'No folder is open.']],
  },
  {
    what: 'a file cannot be attached: why',
    state: emptyState,
    act: async (panel) => accessState('attachments').prepare?.(panel),
    said: [['alert', 'notes.txt']],
  },
  {
    what: 'a conversation was deleted: in the dialog, and not again when it is closed',
    state: emptyState,
    act: async (panel) => accessState('deleted').prepare?.(panel),
    said: [
      ['status', '2 conversations'],
      ['status', 'Deleted: Rounding of prices'],
    ],
  },
  {
    what: 'how much is found',
    state: () => streamingState('A total, and another total.'),
    act: async (panel) => accessState('find').prepare?.(panel),
    said: [['status', '4 of 4']],
  },
];

function accessStateFields<K extends keyof ViewState>(name: string, key: K): Pick<ViewState, K> {
  return { [key]: accessState(name).state()[key] } as Pick<ViewState, K>;
}
