import type { ErrorItem, NoticeItem, TranscriptItem } from '../../../src/chat/viewStateProtocol';
import { failedPrompt } from '../../../src/conversation/failures';
import { FRAME_MS } from '../../../src/conversation/viewPump';
import { CLI_MOVES } from './cliWords';
import { oneRound, settle } from './settle';
import type { TalkPage } from './talkPage';
import { type TalkFolder, TalkWorld } from './talkWorld';

/** Does it where it can be done; `n` picks one of several. */
type Step = (world: TalkWorld, n: number) => void | Promise<void>;

/** The person, in front of a page that is there. */
function byPerson(step: (page: TalkPage, world: TalkWorld, n: number) => void): Step {
  return (world, n) => {
    const { page } = world.window;
    if (page?.store.state) step(page, world, n);
  };
}

const post = (world: TalkWorld, message: object): void => {
  world.window.view.received.fire(structuredClone(message));
};

const pick = <T>(list: readonly T[], n: number): T | undefined =>
  list[n % Math.max(1, list.length)];

const answer = (kind: string, hasReason = false): Step =>
  byPerson((page, world, n) => {
    const card = pick(page.store.current.permissions, n);
    if (!card) return;
    // A second answer to one card, before the first is drawn, says nothing to anybody.
    const { permissions } = world.window.place.conversation.snapshot();
    const waits = permissions.some(({ id }) => id === card.id);
    const isLead = hasReason && waits;
    const reason = isLead ? { reason: `since ${world.words.next()}` } : {};
    post(world, { type: 'answerPermission', cardId: card.id, answer: kind, ...reason });
  });

const reply = (action: 'accept' | 'decline'): Step =>
  byPerson((page, world, n) => {
    const card = pick(page.store.current.asks, n);
    if (!card) return;
    const draft = { '0': card.kind === 'questions' ? ['0'] : '7' };
    const body = action === 'accept' ? { action, draft } : { action };
    post(world, { type: 'answerAsk', cardId: card.id, reply: body });
  });

const queue = (action: 'remove' | 'sendNow' | 'edit' | 'moveUp'): Step =>
  byPerson((page, world, n) => {
    const prompt = pick(page.store.current.queue, n);
    if (!prompt) return;
    // What the host does not have any more it does not take out.
    const waits = world.window.place.conversation
      .snapshot()
      .queue.some(({ id }) => id === prompt.id);
    if (action === 'remove' && waits) world.words.goes(prompt.text);
    if (action === 'sendNow') world.words.steer(prompt.text);
    if (action === 'edit') world.edited.push(prompt.text);
    post(world, { type: 'queue', promptId: prompt.id, action });
  });

/** It offers to send the prompt above it once more. */
export const hasRetry = (item: TranscriptItem): item is ErrorItem | NoticeItem =>
  (item.kind === 'error' || item.kind === 'notice') && item.actions?.includes('retry') === true;

const type = byPerson(({ composer }, { words }) => {
  composer.edit(`${composer.text.value} say ${words.next()}`.trim());
});

const wait =
  (ms: number): Step =>
  ({ window }) => {
    window.clock.advance(ms);
  };

const PERSON = {
  type,
  send: byPerson(({ composer }) => {
    composer.submit();
  }),
  'send into the turn': byPerson(({ composer }, { words }) => {
    words.steer(composer.text.value);
    composer.submit(true);
  }),
  /** The page hands it in once more, as when the answer is late. */
  'send again': byPerson(({ lastSubmit }, world) => {
    if (lastSubmit) post(world, lastSubmit);
  }),
  stop: byPerson((_page, world) => {
    post(world, { type: 'stop' });
  }),
  allow: answer('allowOnce'),
  'allow for long': answer('allowConversation'),
  deny: answer('deny'),
  'deny and stop': answer('denyAndStop', true),
  accept: reply('accept'),
  decline: reply('decline'),
  'queue remove': queue('remove'),
  'queue now': queue('sendNow'),
  'queue edit': queue('edit'),
  'queue up': queue('moveUp'),
  retry: byPerson((page, world, n) => {
    const alert = pick(page.store.current.items.filter(hasRetry), n);
    if (!alert) return;
    const now = world.window.place.conversation.snapshot();
    const failed = failedPrompt(now, alert.id);
    if (failed) world.words.allowAgain(failed.prompt.text);
    post(world, { type: 'retry', itemId: alert.id });
  }),
  'new conversation': (world) => world.turn(undefined),
  'another conversation': (world, n) => {
    const others = world.sessions.filter((id) => id !== world.window.place.sessionId);
    const next = pick(others, n);
    return next === undefined ? undefined : world.turn(next);
  },
  mode: byPerson((_page, world, n) => {
    post(world, { type: 'setMode', mode: n % 2 === 0 ? 'acceptEdits' : 'default' });
  }),
} satisfies Record<string, Step>;

const WINDOW = {
  hide: ({ window }) => {
    window.view.hide(true);
  },
  'hide without its page': ({ window }) => {
    window.view.hide(false);
  },
  show: ({ window }) => {
    window.view.show();
  },
  'another view': ({ window }) => {
    window.openAnother();
  },
  reload: (world) => world.reload(false),
  'kill the window': (world) => world.reload(true),
  'wait a second': wait(1000),
  'wait 11 seconds': wait(11_000),
  'wait 11 minutes': wait(660_000),
} satisfies Record<string, Step>;

const CLI = {
  crash: ({ cli }) => {
    cli?.end({ kind: 'crashed', code: 139, stderrTail: 'crash' });
  },
  'crash unheard': ({ cli }) => {
    cli?.end({ kind: 'crashed', code: 139, stderrTail: 'crash' }, true);
  },
  'end by itself': ({ cli }) => {
    cli?.end({ kind: 'ended', code: 0, stderrTail: '' });
  },
  'next cli stillborn': (world) => {
    world.temper = 'stillborn';
  },
  'next cli late': (world) => {
    world.temper = 'late';
  },
  'next cli deaf': (world) => {
    world.temper = 'deaf';
  },
} satisfies Record<string, Step>;

const MOVES = Object.fromEntries(
  CLI_MOVES.map((move) => [`cli ${move}`, ({ cli }: TalkWorld) => void cli?.move(move)]),
);

export const STEPS: Readonly<Record<string, Step>> = { ...PERSON, ...WINDOW, ...CLI, ...MOVES };

/** A window with a page that is there. */
export async function openTalk(folder: TalkFolder): Promise<TalkWorld> {
  const world = new TalkWorld(folder);
  await rest(world);
  return world;
}

/**
 * Plays one step: `allow`, `queue now 2` (the third of them), and with `!` at its end without waiting
 * for what comes of it.
 */
export async function playStep(world: TalkWorld, text: string): Promise<void> {
  const isHasty = text.endsWith('!');
  const [, name = '', n = '0'] = /^(.*?)(?: (\d+))?!?$/.exec(text) ?? [];
  const step = STEPS[name];
  if (!step) throw new Error(`no such step: ${text}`);
  await step(world, Number(n));
  if (isHasty) await oneRound();
  else await rest(world);
}

/** Until nothing more comes, frames included. */
export async function rest({ window }: TalkWorld): Promise<void> {
  for (let frames = 0; frames < 3; frames += 1) {
    await settle();
    window.clock.advance(FRAME_MS);
  }
  await settle();
}
