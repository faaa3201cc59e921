import type { Page } from 'playwright-core';

type Role = Parameters<Page['getByRole']>[0];

/** What a keyboard, a screen reader and a test can rely on; docs/accessibility.md shows all of it. */
export interface ContractRow {
  readonly what: string;
  readonly role: Role;
  /** Exact. */
  readonly name: string;
  /** Of accessStates.ts; it is found there once, or `count` times. */
  readonly state: string;
  readonly count?: number;
  /** All buttons inside, by name, in reading order. */
  readonly buttons?: readonly string[];
  /** What else is inside: role and name. */
  readonly holds?: readonly (readonly [Role, string])[];
  /** Attributes that tell its state. */
  readonly told?: Readonly<Record<string, string>>;
}

const CODE = ['Wrap lines', 'Insert at the cursor', 'Open as a new file', 'Copy code'];
const DENY = ['Deny', 'Deny and stop'];
const CHANGE = ['Review', 'Undo', 'Keep'];
const MOVED = ['Move up', 'Move down', 'Edit', 'Send now', 'Remove'];

const frame: readonly ContractRow[] = [
  { what: 'whole panel', role: 'main', name: 'Patchbay chat', state: 'empty' },
  { what: 'transcript', role: 'log', name: 'Conversation', state: 'work' },
  { what: 'header', role: 'button', name: 'New conversation', state: 'empty' },
  { what: 'header', role: 'button', name: 'Conversations', state: 'empty' },
  { what: 'header', role: 'button', name: 'More actions', state: 'empty' },
  {
    what: 'menu of all other actions',
    role: 'menu',
    name: 'More actions',
    state: 'more-actions',
    holds: [
      ['menuitem', 'Find in conversation'],
      ['menuitem', 'Collapse all'],
      ['menuitemcheckbox', 'Focus view'],
      ['menuitem', 'Export conversation…'],
      ['menuitem', 'New conversation in an editor tab'],
      ['menuitem', 'MCP servers'],
      ['menuitem', 'Tools'],
      ['menuitem', 'What would happen?'],
      ['menuitem', 'Show wire inspector'],
      ['menuitem', 'Run doctor'],
      ['menuitem', 'Show log'],
      ['menuitem', 'Open settings'],
      ['menuitem', 'All commands…'],
    ],
  },
  { what: 'usage', role: 'button', name: 'Usage: 62k · $0.18', state: 'work' },
  { what: 'fill of the context', role: 'meter', name: 'Context used', state: 'work' },
  { what: 'scroll anchor', role: 'button', name: 'Jump to latest', state: 'scrolled-back' },
  {
    what: 'find in the conversation',
    role: 'search',
    name: 'Find in conversation',
    state: 'find',
    buttons: ['Previous match', 'Next match', 'Close find'],
    holds: [['textbox', 'Find']],
  },
  {
    what: 'past conversations',
    role: 'dialog',
    name: 'Conversations',
    state: 'conversations',
    buttons: ['Rename: Rounding of prices', 'Delete: Rounding of prices'],
    holds: [
      ['searchbox', 'Search conversations'],
      ['listbox', 'Conversations'],
    ],
  },
  { what: 'title that is changed', role: 'textbox', name: 'Title', state: 'rename' },
  {
    what: 'conversation that was deleted',
    role: 'group',
    name: 'Deleted conversation',
    state: 'deleted',
    buttons: ['Undo', 'Dismiss'],
  },
];

const transcript: readonly ContractRow[] = [
  {
    what: 'what the user said',
    role: 'article',
    name: 'You',
    state: 'talk',
    count: 2,
    buttons: ['Copy', 'Quote', 'Edit', 'Fork from here'],
  },
  {
    what: 'what the model said',
    role: 'article',
    name: 'Claude',
    state: 'talk',
    count: 2,
    buttons: ['Copy', 'Quote', 'Retry', 'Fork from here', 'Pin'],
  },
  {
    what: 'message that is said in other words',
    role: 'textbox',
    name: 'Edit message',
    state: 'edit',
  },
  { what: 'its buttons', role: 'button', name: 'Resend', state: 'edit' },
  { what: 'its buttons', role: 'button', name: 'Cancel', state: 'edit' },
  {
    what: 'pinned answers',
    role: 'list',
    name: 'Pinned answers',
    state: 'talk',
    buttons: ['Each price is rounded before they are added. Round the sum instead.', 'Unpin'],
  },
  {
    what: 'thinking, folded by default',
    role: 'button',
    name: 'Thinking',
    state: 'streaming',
    told: { 'aria-expanded': 'false' },
  },
  {
    what: 'tool call, done',
    role: 'group',
    name: 'Find references, done',
    state: 'work',
    buttons: ['Find references, done'],
  },
  {
    what: 'its button, folded by default',
    role: 'button',
    name: 'Find references, done',
    state: 'work',
    told: { 'aria-expanded': 'false' },
  },
  { what: 'tool call, running', role: 'group', name: 'Symbols, running', state: 'work' },
  { what: 'tool call, failed', role: 'group', name: 'Run a command, failed', state: 'work' },
  {
    what: 'tool call, denied',
    role: 'group',
    name: 'Propose a plan, denied',
    state: 'plan-decided',
  },
  { what: 'tool call, cancelled', role: 'group', name: 'Symbols, cancelled', state: 'agent' },
  {
    what: 'sub-agent, its own calls inside',
    role: 'group',
    name: 'Agent: Find all callers',
    state: 'agent',
    holds: [['group', 'Find references, done']],
  },
  { what: 'to-dos of the agent', role: 'list', name: 'To-dos', state: 'cards' },
  { what: 'pictures of a message', role: 'list', name: 'Pictures', state: 'pictures' },
  {
    what: 'code in an answer',
    role: 'group',
    name: 'Code',
    state: 'streaming',
  },
  ...CODE.map(
    (name) => ({ what: 'its buttons', role: 'button', name, state: 'streaming' }) as const,
  ),
  { what: 'table in an answer', role: 'group', name: 'Table', state: 'streaming' },
  { what: 'name that the workspace knows', role: 'link', name: 'orderTotal', state: 'symbols' },
  {
    what: 'what went with a message, folded',
    role: 'button',
    name: 'Sent: Prompt plan of notes',
    state: 'mentions',
    told: { 'aria-expanded': 'false' },
  },
];

const message: readonly ContractRow[] = [
  { what: 'input', role: 'textbox', name: 'Message', state: 'empty' },
  { what: 'send', role: 'button', name: 'Send', state: 'queue' },
  { what: 'steer', role: 'button', name: 'Send into the running turn', state: 'queue' },
  { what: 'stop', role: 'button', name: 'Stop', state: 'queue' },
  { what: 'attach', role: 'button', name: 'Attach files…', state: 'empty' },
  {
    what: 'queued prompts',
    role: 'list',
    name: 'Queued messages',
    state: 'queue',
    buttons: [...MOVED, ...MOVED, ...MOVED],
  },
  {
    what: 'changed files',
    role: 'region',
    name: 'Changes',
    state: 'changes',
    buttons: ['6 files changed +27 −12', 'Review all', 'Undo all', 'Keep all'],
  },
  {
    what: 'its button, folded by default',
    role: 'button',
    name: '6 files changed +27 −12',
    state: 'changes',
    told: { 'aria-expanded': 'false' },
  },
  {
    what: 'each of them',
    role: 'list',
    name: 'Changed files',
    state: 'changes-open',
    buttons: [...CHANGE, ...CHANGE, ...CHANGE, ...CHANGE, ...CHANGE, ...CHANGE],
  },
  { what: 'what was undone', role: 'button', name: 'Redo', state: 'changes-open' },
  {
    what: 'attachments',
    role: 'list',
    name: 'Attachments',
    state: 'attachments',
    buttons: ['Remove chart.png'],
  },
  { what: 'mention picker', role: 'listbox', name: 'Mentions', state: 'mentions' },
  { what: 'slash commands', role: 'listbox', name: 'Commands', state: 'commands' },
  {
    what: 'model',
    role: 'button',
    name: 'Model: Opus',
    state: 'work',
    told: { 'aria-haspopup': 'listbox', 'aria-expanded': 'false' },
  },
  {
    what: 'mode',
    role: 'button',
    name: 'Permission mode: Ask',
    state: 'mode-picker',
    told: { 'aria-haspopup': 'listbox', 'aria-expanded': 'true' },
  },
  { what: 'modes', role: 'listbox', name: 'Permission mode', state: 'mode-picker' },
  { what: 'folder of a new conversation', role: 'listbox', name: 'Folder', state: 'folder-picker' },
  {
    what: 'what is attached from the editor',
    role: 'button',
    name: 'Selection: cart.ts:3-9',
    state: 'selection',
    told: { 'aria-pressed': 'true' },
  },
  {
    what: 'background work',
    role: 'list',
    name: 'Background tasks',
    state: 'tasks',
    buttons: ['Output of Serve the docs', 'Stop Serve the docs', 'Stop Find callers'],
  },
  {
    what: 'question beside the conversation',
    role: 'region',
    name: 'Side question',
    state: 'side-question',
    buttons: ['Copy answer', 'Close side question'],
  },
  {
    what: 'first run, no program',
    role: 'region',
    name: 'Set up',
    state: 'set-up',
    buttons: ['Details', 'Check again', 'Choose the program…', 'Run doctor'],
  },
  {
    what: 'first run, no login',
    role: 'region',
    name: 'Set up',
    state: 'log-in',
    buttons: ['Log in', 'Check again'],
  },
];

const cards: readonly ContractRow[] = [
  {
    what: 'permission request',
    role: 'group',
    name: 'Permission request: Run a command',
    state: 'permission-always',
    buttons: ['Allow once', 'Allow for this conversation', 'Always allow…', ...DENY],
    holds: [
      ['textbox', 'Reason (optional)'],
      ['listbox', 'Always allow'],
    ],
  },
  {
    what: 'permission request with a difference',
    role: 'group',
    name: 'Permission request: Edit',
    state: 'permission-edit',
    buttons: ['Show diff', 'Allow once', 'Allow for this conversation', ...DENY],
  },
  {
    what: 'permission request of an agent that has ended',
    role: 'group',
    name: 'Permission request: Run a command',
    state: 'interrupted',
    buttons: ['Continue', 'Deny', 'Dismiss'],
  },
  {
    what: 'tool files of the workspace want consent',
    role: 'group',
    name: 'Approval: Tool files of shop',
    state: 'approval',
    buttons: [
      'Show what is new in .patchbay/tools/todo.tool.ts',
      'Show what is new in .patchbay/tools/lib/anOlderHelperWithAQuiteLongName.ts',
      'Show what is new in .patchbay/data/owners.json',
      ...['Approve', 'Not now', "Don't run", 'Show what is new'],
    ],
  },
  {
    what: 'a server of the workspace wants consent',
    role: 'group',
    name: 'Approval: database',
    state: 'server-approval',
    buttons: ['Approve', 'Not now', 'Never', 'Show what is new'],
  },
  {
    what: 'form asked by a tool or a server',
    role: 'group',
    name: 'Form: Deploy',
    state: 'form',
    buttons: ['Submit', 'Decline'],
    holds: [
      ['radiogroup', 'Target'],
      ['textbox', 'Version'],
      ['checkbox', 'Only try'],
    ],
  },
  {
    what: 'page that a server wants to open',
    role: 'group',
    name: 'Form: tickets',
    state: 'form',
    buttons: ['Open in browser', 'Decline'],
  },
  {
    what: 'question from the model',
    role: 'group',
    name: 'Question: Which date library should the report use?',
    state: 'question',
    buttons: ['Add a note', 'Answer', 'Dismiss'],
    holds: [
      ['radio', 'date-fns'],
      ['radio', 'Other'],
      ['textbox', 'Other'],
    ],
  },
  {
    what: 'questions, one of them of several answers',
    role: 'group',
    name: 'Question: Library, Formats',
    state: 'questions',
    buttons: ['Add a note', 'Add a note', 'Answer', 'Dismiss'],
    holds: [['checkbox', 'CSV']],
  },
  {
    what: 'plan',
    role: 'group',
    name: 'Plan',
    state: 'plan',
    buttons: [
      ...CODE,
      ...['Show the whole plan', 'Remove the comment on deleted text near line 5'],
      'Remove the comment on line 15',
      ...['Approve', 'Approve and auto-accept edits', 'Keep planning'],
      ...['Open as document', 'Save in workspace…', 'Discard my edits'],
    ],
    holds: [
      ['textbox', 'What to change (optional)'],
      ['list', 'Comments'],
    ],
  },
  {
    what: 'error: what failed, what was kept, what to do',
    role: 'alert',
    name: '',
    state: 'error',
    buttons: ['Details', 'Retry', 'Show log'],
  },
  { what: 'message that was not taken', role: 'alert', name: '', state: 'refused' },
];

export const CONTRACT: readonly ContractRow[] = [...frame, ...transcript, ...message, ...cards];

/** The state of the turn in words, by its kind. */
export const STATUS_WORDS = [
  ['idle', 'Idle'],
  ['starting', 'Starting'],
  ['waitingForModel', 'Waiting for the model'],
  ['working', 'Working'],
  ['retrying', 'Retrying in … s'],
  ['waitingForPermission', 'Waiting for permission'],
  ['waitingForAnswer', 'Waiting for an answer'],
  ['stopping', 'Stopping'],
  ['failed', 'Failed'],
  ['notConnected', 'Not connected'],
] as const;
