import { createDeferred } from '../../../src/base/deferred';
import { LONG_ANSWER } from '../model/demoAnswers';
import { demoScript } from '../model/demoScript';
import { startModel, type ModelServer } from '../model/modelServer';
import { message, pause, text, type Message, type Turn } from '../model/script';

/** The part of the long answer that comes before it is held. */
const HELD_PART = LONG_ANSWER.slice(0, LONG_ANSWER.indexOf('## The heart of it'));

/** The last words of that part: once they stand in the panel, nothing more will come. */
export const LAST_HELD_WORDS = 'can be checked by hand';

/** The first words after it, which must never be seen in a stopped answer. */
export const WORDS_NEVER_SENT = 'The heart of it';

/**
 * The demo's model, but its long answer stops half way and waits for ever: what the tour does in
 * mid-stream then does not depend on how fast the machine is.
 */
export function startTourModel(): Promise<ModelServer> {
  return startModel({ script: holdLongAnswer, chunkSize: 24, chunkDelayMs: 8 });
}

function holdLongAnswer(turn: Turn): Message {
  const whole = demoScript(turn);
  const isLong = whole.steps.some((step) => step.kind === 'text' && step.text === LONG_ANSWER);
  if (!isLong) return whole;
  const never = createDeferred<undefined>().promise;
  return message(
    whole.steps.flatMap((step) =>
      step.kind === 'text' ? [text(HELD_PART), pause(never)] : [step],
    ),
  );
}
