import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import {
  tryParseViewMessage,
  type ViewMessage,
  viewMessageSchema,
} from '../../src/chat/viewProtocol';
import { inRoot } from '../harness/paths';
import { openTalk, playStep, rest } from '../harness/randomTalk/talkSteps';
import { createTalkFolder, type TalkWorld } from '../harness/randomTalk/talkWorld';

/**
 * What a message of the page is bound to: a page that was taken over can say all of this, whatever
 * it has shown. One that names nothing can only do what its button does.
 */
type Bound =
  /** Names nothing; `why` where it hands something over all the same. */
  | { readonly to: 'nothing'; readonly why?: string }
  /** Names something of the conversation: these name what was not shown, and do nothing. */
  | { readonly to: 'the conversation'; readonly tries: readonly object[] }
  /** Names something of the window, which is looked up there: held by a test of its own. */
  | { readonly to: 'the window'; readonly file: string; readonly title: string };

const nothing: Bound = { to: 'nothing' };
const given = (why: string): Bound => ({ to: 'nothing', why });
const shown = (...tries: object[]): Bound => ({ to: 'the conversation', tries });
const held = (file: string, title: string): Bound => ({ to: 'the window', file, title });

const HISTORY = 'test/unit/host/conversationHistory.test.ts';
const PANEL = 'test/host/panel.test.ts';
const OTHERS = 'an id that names no conversation of the folder changes nothing';
/** Keys that every object has, and ids of nobody. */
const STRANGE = ['nobody', '__proto__', 'constructor', 'toString', ''];

const BOUNDS: Record<ViewMessage['type'], Bound> = {
  ready: nothing,
  submit: given('the words of the person; a picture or a selection that is not known is not sent'),
  attachSelection: nothing,
  stop: nothing,
  dismissSide: nothing,
  pins: given('names for the page alone, a bounded number'),
  cancelSubmit: nothing,
  draft: given('the words of the person'),
  attach: held('test/unit/host/viewAttachments.test.ts', 'one that cannot be sent is refused'),
  detach: held('test/unit/host/viewAttachments.test.ts', 'an id that is none, or too many of them'),
  loadPicture: held('test/unit/host/viewAttachments.test.ts', 'one that is gone is told'),
  openPicture: held('test/unit/host/viewAttachments.test.ts', 'an id of nobody opens nothing'),
  chooseFiles: nothing,
  dropFiles: given('what the person has dropped; what is no picture is only mentioned'),
  pastedText: held('test/unit/host/viewAttachments.test.ts', 'other text with nothing'),
  inputFocused: nothing,
  suggest: given('a word at the caret, bounded; what is kept back is not suggested'),
  answerPermission: shown(
    ...STRANGE.map((cardId) => ({ cardId, answer: 'allowOnce' })),
    ...STRANGE.map((cardId) => ({ cardId, answer: 'denyAndStop', reason: 'for nobody' })),
    // The card offers no rule.
    ...['allowConversation', 'alwaysLocal', 'alwaysProject', 'alwaysUser'].map((answer) => ({
      cardId: '$CARD',
      answer,
    })),
    { cardId: '$ASK', answer: 'allowOnce' },
  ),
  permissionDraft: shown(...STRANGE.map((cardId) => ({ cardId, reason: 'x' })), {
    cardId: '$ASK',
    reason: 'x',
  }),
  answerApproval: held('test/unit/host/approvalCards.test.ts', 'An answer to no card of ours'),
  showApproval: held('test/unit/host/approvalCards.test.ts', 'An answer to no card of ours'),
  answerAsk: shown(
    ...STRANGE.map((cardId) => ({ cardId, reply: { action: 'accept', draft: {} } })),
    { cardId: '$CARD', reply: { action: 'accept', draft: {} } },
    { cardId: '$CARD', reply: { action: 'decline' } },
    // Of another kind of card, an option that was not offered, and none at all.
    { cardId: '$ASK', reply: { action: 'approve', acceptEdits: true } },
    { cardId: '$ASK', reply: { action: 'keepPlanning', words: 'x' } },
    { cardId: '$ASK', reply: { action: 'accept', draft: { '0': ['9'] } } },
    { cardId: '$ASK', reply: { action: 'accept', draft: { '0': ['-1', 'One', '0.5'] } } },
    { cardId: '$ASK', reply: { action: 'accept', draft: {} } },
  ),
  askDraft: shown(...STRANGE.map((cardId) => ({ cardId, draft: { '0': ['0'] } })), {
    cardId: '$CARD',
    draft: { '0': ['0'] },
  }),
  planCard: held('test/host/plan.test.ts', 'a card that does not wait, or is none of a plan'),
  removePlanComment: held(
    'test/host/plan.test.ts',
    'a card that does not wait, or is none of a plan',
  ),
  savePlan: held('test/host/plan.test.ts', 'a card that does not wait, or is none of a plan'),
  setModel: shown(...STRANGE.map((model) => ({ model }))),
  setMode: shown(...[...STRANGE, 'bypassPermissions', 'dontAsk'].map((mode) => ({ mode }))),
  chooseFolder: held('test/unit/host/folderChoices.test.ts', 'what is not open is not chosen'),
  newConversation: given('the words of the person'),
  listConversations: nothing,
  openConversation: held(
    'test/unit/sessions/conversationFile.test.ts',
    'what is no session id, no file or not there gives nothing',
  ),
  renameConversation: held(HISTORY, OTHERS),
  deleteConversation: held(HISTORY, OTHERS),
  undeleteConversation: held(HISTORY, OTHERS),
  retry: shown(...[...STRANGE, '$PROMPT'].map((itemId) => ({ itemId }))),
  forkHere: held(
    'test/unit/host/conversationForks.test.ts',
    'an item that is not there forks nothing',
  ),
  editPrompt: held(
    'test/unit/host/conversationForks.test.ts',
    'an item that is not there forks nothing',
  ),
  editDraft: given('the words of the person; shown only at a prompt that is there'),
  retryAnswer: given('asks for the last answer, whatever it names'),
  showLog: nothing,
  openSettings: nothing,
  login: nothing,
  checkSetUp: nothing,
  chooseCli: nothing,
  openFolder: nothing,
  doctor: nothing,
  toolAction: shown(
    ...[...STRANGE, '$CALL'].map((toolUseId) => ({ toolUseId, action: 'discardAndRetry' })),
  ),
  loadImage: held('test/unit/host/viewResults.test.ts', 'so does that there is none'),
  showResult: held('test/unit/host/conversationHistory.test.ts', OTHERS),
  task: shown(
    ...STRANGE.flatMap((taskId) => [
      { taskId, action: 'stop' },
      { taskId, action: 'show' },
    ]),
  ),
  changes: shown(
    ...STRANGE.flatMap((id) =>
      ['keep', 'undo', 'review', 'redo', 'forget'].map((action) => ({ action, ids: [id] })),
    ),
  ),
  openLink: held(PANEL, 'what could run something is refused with a message'),
  findSymbols: held('test/host/symbolLinks.test.ts', 'are no links into a file that is kept back'),
  openSymbol: held('test/host/symbolLinks.test.ts', 'are no links into a file that is kept back'),
  copy: given('text for the clipboard, which the person pastes'),
  insertCode: given('text for the editor, which the person sees and can undo'),
  openCode: given('text for a new, unsaved document'),
  showDiff: held('test/host/proposedDiff.test.ts', 'a card that does not wait shows nothing'),
  showRequest: held('test/host/proposedDiff.test.ts', 'a card that does not wait shows nothing'),
  queue: shown(
    ...[...STRANGE, '$PROMPT'].flatMap((promptId) =>
      ['remove', 'sendNow', 'edit', 'moveUp', 'moveDown'].map((action) => ({ promptId, action })),
    ),
  ),
  moreActions: nothing,
  menu: given('one of a fixed list of commands of ours'),
  viewError: given('text for the log'),
};

const folder = createTalkFolder();
after(() => {
  folder.dispose();
});

/** A turn that asks: leave for a call, or the model's own question. */
async function asking(kind: 'ask' | 'ask questions') {
  const world = await openTalk(folder);
  for (const step of ['type', 'send', 'cli go on', `cli ${kind}`]) await playStep(world, step);
  return world;
}

/** All that anybody could notice. */
function look({ window, clis }: TalkWorld): unknown {
  const { place, done } = window;
  const written = clis.map(({ heard }) => heard.length);
  const isTold = (line: string): boolean => !line.startsWith('warn ');
  const state = JSON.parse(JSON.stringify(place.conversation.snapshot())) as unknown;
  return { state, draft: place.draft, written, done: done.filter(isTold) };
}

test('every kind of message of the page is in the table', () => {
  const kinds = viewMessageSchema.def.options.map(({ def }) => def.shape.type.def.values[0]);
  assert.deepEqual(kinds.sort(), Object.keys(BOUNDS).sort());
});

for (const kind of ['ask', 'ask questions'] as const) {
  test(`what the page did not show it cannot name: while the CLI has a question (${kind})`, async () => {
    const world = await asking(kind);
    try {
      const { conversation } = world.window.place;
      const state = conversation.snapshot();
      const [card] = state.permissions;
      const [ask] = state.asks;
      assert.ok(kind === 'ask' ? card : ask, 'a card waits');
      const names: Readonly<Record<string, string>> = {
        $CARD: card?.id ?? 'none',
        $ASK: ask?.id ?? 'none',
        $CALL: card?.toolUseId ?? 'none',
        $PROMPT: state.items[0]?.id ?? 'none',
      };
      const before = look(world);
      for (const [type, bound] of Object.entries(BOUNDS)) {
        if (bound.to !== 'the conversation') continue;
        for (const one of bound.tries) {
          const text = JSON.stringify({ type, ...one });
          const message: unknown = JSON.parse(
            text.replace(/\$[A-Z]+/g, (name) => names[name] ?? name),
          );
          assert.ok(tryParseViewMessage(message), `it is a message: ${text}`);
          world.window.view.received.fire(message);
          await rest(world);
          assert.deepEqual(look(world), before, text);
        }
      }
    } finally {
      await world.dispose();
    }
  });
}

test('what is looked up in the window is held by a test that is there', () => {
  for (const [type, bound] of Object.entries(BOUNDS)) {
    if (bound.to !== 'the window') continue;
    assert.ok(
      readFileSync(inRoot(bound.file), 'utf8').includes(bound.title),
      `${type}: ${bound.title}`,
    );
  }
});
