import fc from 'fast-check';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkAlways, checkAtRest, finish } from '../harness/randomTalk/talkRules';
import { openTalk, playStep, STEPS } from '../harness/randomTalk/talkSteps';
import { createTalkFolder } from '../harness/randomTalk/talkWorld';

const folder = createTalkFolder();
after(() => {
  folder.dispose();
});

/** Far above what a sequence takes: it hangs. */
const HANGS_AFTER_MS = 30_000;

/** Plays the steps, and what it takes until nothing is left. */
async function play(steps: readonly string[]): Promise<void> {
  const world = await openTalk(folder);
  const over = new AbortController();
  const hangs = delay(HANGS_AFTER_MS, undefined, { signal: over.signal, ref: false }).then(
    () => Promise.reject(new Error('it hangs')),
    () => undefined,
  );
  const whole = async (): Promise<void> => {
    for (const step of steps) {
      await playStep(world, step);
      if (step.endsWith('!')) checkAlways(world);
      else checkAtRest(world);
    }
    await finish(world);
  };
  try {
    await Promise.race([whole(), hangs]);
  } finally {
    over.abort();
    await world.dispose();
  }
  checkAlways(world);
}

/** How often a step is taken, where it is more often than the others. */
const WEIGHTS: Readonly<Record<string, number>> = {
  type: 8,
  send: 12,
  'send into the turn': 4,
  stop: 4,
  allow: 5,
  'cli go on': 14,
  'cli ask': 8,
  'queue now': 4,
  'new conversation': 3,
  'another conversation': 4,
  show: 6,
};

const step = fc
  .tuple(
    fc.oneof(
      ...Object.keys(STEPS).map((name) => ({
        arbitrary: fc.constant(name),
        weight: WEIGHTS[name] ?? 2,
      })),
    ),
    fc.constantFrom('', '', '', ' 1', ' 2'),
    fc.constantFrom('', '', '!'),
  )
  .map((parts) => parts.join(''));

/** Two conversations, each with a draft. */
const TWO_TALKS = [
  ...['type', 'send', ...Array<string>(6).fill('cli go on'), 'type', 'new conversation'],
  ...['type', 'send', ...Array<string>(6).fill('cli go on'), 'type', 'another conversation'],
];

/** Sending is rare by chance: most sequences begin with a turn. */
const sequence = fc
  .tuple(
    fc.constantFrom<readonly string[]>(
      [],
      ['type', 'send'],
      ['type', 'send', 'cli go on', 'cli ask'],
      TWO_TALKS,
    ),
    fc.array(step, { maxLength: 40, size: 'max' }),
  )
  .map(([start, rest]) => [...start, ...rest]);

/** What was found, and mended: each was a fault once. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  'who types on behind Send and sends again, before the first is answered, sends the rest': [
    ...['type', 'send!', 'type!', 'send!', 'send into the turn'],
  ],
  'a page that goes before it hears that its message was taken leaves the rest as the draft': [
    ...['type', 'send!', 'type!', 'reload', 'send into the turn'],
  ],
  'a message whose process never began comes back with the next window, though others followed it':
    [...['next cli stillborn', 'type', 'send', 'type', 'send', 'reload']],
  'a message that failed and was sent again behind others comes back once at most': [
    ...['next cli stillborn', 'type', 'send', 'type', 'send', 'retry', 'reload', 'queue now'],
  ],
  'a message that a silent process had not begun with waits again once Stop has ended that': [
    ...['next cli deaf', 'type', 'send', 'stop', 'wait 11 seconds'],
  ],
  'the end of a turn that nobody asked for offers no Retry of what was answered before': [
    ...['type', 'send', 'cli go on', 'cli end the turn', 'cli begin unasked', 'crash', 'retry'],
  ],
  'words that were taken out of the queue come to the next view': [
    ...['type', 'send', 'cli go on', 'type', 'send', 'queue edit!', 'another view'],
  ],
  'words that were taken out of the queue stand in the input after a reload': [
    ...['type', 'send', 'cli go on', 'type', 'send', 'queue edit!', 'reload'],
  ],
  'a question that is taken back while the CLI lists it as open has no card': [
    ...['type', 'send', 'cli ask unheard', 'cli ask unheard', 'hide without its page', 'show!'],
    'cli take back a question',
  ],
  'why the person stopped leads the next message, also where the process had just ended': [
    ...['type', 'send', 'cli go on', 'cli ask', 'crash!', 'deny and stop'],
  ],
};

for (const [title, steps] of Object.entries(FOUND)) test(title, () => play(steps));

const TIMES = process.env.PATCHBAY_SOAK === undefined ? 500 : 5000;
/** To play a failure again: its `seed`, or `seed:path` for the shrunk one alone, as it is printed. */
const [SEED = '', ...PATH] = (process.env.PATCHBAY_TALK ?? '').split(':');
const seed = SEED === '' ? Math.floor(Math.random() * 2 ** 31) : Number(SEED);

test(`whatever person, CLI and window do, no prompt is lost or sent twice and no question stays open (seed ${seed})`, async () => {
  await fc.assert(fc.asyncProperty(sequence, play), {
    numRuns: TIMES,
    seed,
    ...(PATH.length > 0 ? { path: PATH.join(':') } : {}),
  });
});
