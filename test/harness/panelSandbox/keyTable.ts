type KeyTable = Readonly<Record<string, readonly [string, string]>>;

/** By function: what it is, and its keys. Each is done by keys alone in panelKeyboard.e2e.ts. */
export const MESSAGE_KEYS = {
  send: ['Send a message', 'Enter (or Ctrl+Enter, by the setting)'],
  breakLine: ['Break the line', 'Shift+Enter (or Enter, by the setting)'],
  queue: ['Queue a message while a turn runs', 'Enter'],
  steer: ['Send into the running turn', 'Ctrl+Enter'],
  recall: ['Go back through what was said, and forth', 'Up in the empty box, then Up and Down'],
  stop: ['Stop the turn', 'Escape, or Stop'],
  order: ['Put queued messages in another order', 'Alt+Up and Alt+Down, or Move up and Move down'],
  queued: ['Edit, send now or remove a queued message', 'its buttons'],
  mention: ['Mention a file, a symbol, problems …', '@, the arrows, Enter or Tab'],
  command: ['Run a command', '/, the arrows, Enter or Tab'],
  attach: ['Attach files', 'Attach files…, or paste'],
  detach: ['Take a file away again', 'its Remove …'],
  selection: ['Send the selection, or not', 'Space on Selection: …'],
  allow: ['Allow what is asked', 'Enter on Allow once, half a second after the focus came to it'],
  deny: ['Deny it, with a reason', 'type into Reason (optional), Enter'],
  always: ['Allow it for good', 'Always allow…, the arrows, Enter'],
  question: ['Answer a question', 'the arrows among its options, Ctrl+Enter or Answer'],
  form: ['Fill in a form', 'Tab from field to field, Ctrl+Enter or Submit'],
  plan: ['Approve a plan, or have it changed', 'Approve; or type what to change, Enter'],
  approval: [
    'Approve what the workspace brings',
    'Approve, half a second after the focus came to it',
  ],
  leaveCard: ['Leave a card without an answer', 'Escape'],
} as const satisfies KeyTable;

/** The same, done in panelKeyboardTalk.e2e.ts. */
export const TALK_KEYS = {
  find: ['Find in the conversation', 'Ctrl+F, Enter and Shift+Enter, Escape'],
  resume: ['Go on with a past conversation', 'Conversations, type, the arrows, Enter'],
  rename: ['Give it another title', 'Tab to Rename: …, type, Enter'],
  remove: ['Delete it, and bring it back', 'Tab to Delete: …; Tab to Undo'],
  edit: ['Say a message in other words', 'Edit, type, Enter; Escape leaves it as it was'],
  retry: ['Have the last answer anew', 'Retry'],
  fork: ['Go on from there in another conversation', 'Fork from here'],
  copy: ['Copy or quote a message', 'Copy, Quote'],
  pin: ['Keep an answer in sight, and go back to it', 'Pin; its line; Unpin'],
  prompts: ['Go through the own messages', 'Alt+Up and Alt+Down'],
  unfold: ['See what a call did', 'Enter on its row'],
  code: ['Copy, insert, open or wrap code', 'its buttons'],
  symbol: ['Go to the definition of a name', 'Enter on it'],
  latest: ['Go to the end', 'Jump to latest'],
  menu: [
    'Everything else, such as Export conversation…',
    'More actions, the arrows or letters, Enter',
  ],
  pickers: ['Choose model, mode and folder', 'Enter on its button, the arrows, Enter'],
  usage: ['See what was used', 'Enter on Usage: …, Escape'],
  side: ['Ask beside the conversation', '/btw; Escape in the answer closes it'],
  task: ['Stop work in the background', 'Stop …'],
  changes: [
    'Review, undo or keep what the agent changed',
    'Enter on … files changed, then its buttons; Redo',
  ],
  again: ['Try again after an error', 'Retry'],
  setUp: ['Set up at first use', 'Check again, Log in'],
} as const satisfies KeyTable;
