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

/** Sending is rare by chance: most sequences begin with a turn. */
const sequence = fc
  .tuple(
    fc.constantFrom<readonly string[]>([], ['type', 'send'], ['type', 'send', 'cli go on', 'cli ask']),
    fc.array(step, { maxLength: 40, size: 'max' }),
  )
  .map(([start, rest]) => [...start, ...rest]);

const TIMES = process.env.PATCHBAY_SOAK === undefined ? 500 : 5000;
/** As a failure prints it: `seed` or `seed:path`. */
const [SEED = '', ...PATH] = (process.env.PATCHBAY_TALK ?? '').split(':');
const seed = SEED === '' ? Math.floor(Math.random() * 2 ** 31) : Number(SEED);

test(`whatever person, CLI and window do, no prompt is lost or sent twice and no question stays open (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(sequence, play),
    { numRuns: TIMES, seed, ...(PATH.length > 0 ? { path: PATH.join(':') } : {}) },
  );
});
