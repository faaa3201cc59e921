import type { SuggestRow } from '../../../src/chat/suggestProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { emptyState, text } from './states';

const command = (
  name: string,
  description: string,
  more: Partial<SuggestRow> = {},
): SuggestRow => ({
  id: `cli ${name}`,
  icon: 'terminal',
  label: `/${name}`,
  description,
  insert: `/${name} `,
  ...more,
});

/** Commands as a conversation has them: of the CLI, of the project, of a server, of the panel. */
export const COMMANDS: readonly SuggestRow[] = [
  command('compact', 'Clear the conversation but keep a summary of it', {
    detail: '<what to keep>',
  }),
  command('context', 'Show what fills the context now'),
  command('code-review', 'Review the current changes for faults and for what could be simpler', {
    detail: '[low|medium|high] [--fix]',
  }),
  command('release', 'Write the notes of a release (project)', { detail: '<version>' }),
  command('usage', 'Show cost and tokens'),
  {
    id: 'prompt notes plan',
    icon: 'comment-discussion',
    label: '/notes:plan',
    detail: 'id, hours (optional)',
    origin: 'notes',
    description: 'Plans a day around one note.',
    insert: '/notes:plan id=',
  },
  {
    id: 'panel new',
    icon: 'layout-panel',
    label: '/new',
    origin: 'Patchbay',
    description: 'Begin a new conversation',
    insert: '/new',
    runs: true,
  },
];

const file = (name: string, folder: string): SuggestRow => ({
  id: `file ${folder}/${name}`,
  icon: 'file',
  label: name,
  detail: folder,
  insert: `@${folder}/${name} `,
});

/** Mentions of every kind. */
export const MENTIONS: readonly SuggestRow[] = [
  {
    id: 'selection',
    icon: 'list-selection',
    label: 'Selection',
    detail: 'src/cart.ts:12-18',
    insert: '@src/cart.ts:12-18 ',
  },
  {
    id: 'problems',
    icon: 'warning',
    label: 'Problems',
    detail: '3 errors, 2 warnings',
    insert: '@problems ',
  },
  {
    id: 'changes',
    icon: 'source-control',
    label: 'Git changes',
    detail: '4 files',
    insert: '@git:changes ',
  },
  {
    id: 'terminal',
    icon: 'terminal',
    label: 'Terminal selection',
    detail: 'bash',
    insert: '@terminal:selection ',
  },
  file('cart.ts', 'src'),
  {
    id: 'folder cart',
    icon: 'folder',
    label: 'cart/',
    detail: 'src/features',
    origin: 'Folder',
    insert: '@src/features/cart/ ',
  },
  {
    id: 'symbol Cart',
    icon: 'symbol-class',
    label: 'Cart',
    detail: 'src/cart.ts:3-40',
    origin: 'Symbol',
    insert: '@src/cart.ts:3-40 ',
  },
  {
    id: 'conversation c1',
    icon: 'comment-discussion',
    label: 'Why the cart is slow',
    origin: 'Conversation',
    insert: '@"conversation:Why the cart is slow 1a2b3c4d" ',
  },
  file('catalog.ts', 'src'),
  file('aVeryLongNameOfAComponentThatNobodyWouldEverWrite.test.tsx', 'src/features/checkout/parts'),
  {
    id: 'resource notes note://milk',
    icon: 'database',
    label: 'milk',
    detail: 'note://milk',
    origin: 'notes',
    description: 'Buy milk',
    insert: '@notes:note://milk ',
  },
];

/** A message that was a prompt of a server, and one that mentions a resource and lines. */
export function saidState(): ViewState {
  return {
    ...emptyState(),
    title: 'Plan my day',
    items: [
      {
        kind: 'user',
        id: 'u1',
        text: '/notes:plan id=milk hours=8',
        expansion: [{ title: 'Prompt plan of notes', text: 'Plan 8 hours around: Buy milk' }],
      },
      { kind: 'assistant', id: 'a1', blocks: [text('x1', 'First the shop, then the rest.')] },
      {
        kind: 'user',
        id: 'u2',
        text: 'Does @notes:note://milk fit @src/cart.ts:12-18 ?',
        expansion: [
          { title: 'note://milk of notes', text: 'Buy milk' },
          { title: 'src/cart.ts:12-18', text: 'export function total(): number {\n  return 0;\n}' },
        ],
      },
    ],
  };
}
