import assert from 'node:assert/strict';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { failedPrompt } from '../../../src/conversation/failures';
import { hasRetry, playStep, rest } from './talkSteps';
import type { TalkWorld } from './talkWorld';

/** At rest: nothing that the person could wait for. */
const RESTING = new Set(['idle', 'failed', 'notConnected']);

/** What must never happen, whatever comes next. */
export function checkAlways({ words, errors, clis }: TalkWorld): void {
  assert.deepEqual(words.faults, []);
  assert.deepEqual(errors.map(String), [], 'nothing is reported to the person');
  assert.ok(clis.filter(({ isOver }) => !isOver).length <= 1, 'one process at a time');
}

/** What holds once everything that was under way has come. */
export function checkAtRest(world: TalkWorld): void {
  checkAlways(world);
  const { place, page, view } = world.window;
  const state = place.conversation.snapshot();
  if (page?.store.state) {
    assert.deepEqual(plain(page.store.state), plain(state), 'the view shows what the host has');
  }
  checkQuestions(world, state);
  const typed = view.page?.store.state ? view.page.composer.text.value : place.draft;
  // What was taken out of the queue waits for an input that is there.
  const onItsWay = page?.store.state ? [] : world.edited;
  const homes = [
    typed,
    ...world.putAway,
    ...onItsWay,
    ...state.queue.map(({ text }) => text),
    ...open(state),
  ];
  assert.deepEqual(world.words.lost(homes), [], 'no word is lost');
  checkStatus(world, state);
}

/** Texts of prompts that are on their way, or can be sent once more. */
function open(state: ViewState): readonly string[] {
  const isRunning = !RESTING.has(state.status.kind);
  const prompts = state.items.filter((item) => item.kind === 'user');
  const failed = state.items.flatMap(({ id }) => failedPrompt(state, id)?.prompt.id ?? []);
  return prompts.flatMap(({ id, text, waits }) =>
    isRunning || waits === true || failed.includes(id) ? [text] : [],
  );
}

/** Each question of the process has its card, and each card has somebody who hears the answer. */
function checkQuestions({ cli }: TalkWorld, state: ViewState): void {
  const cards = [...state.permissions, ...state.asks];
  const waiting = cards.filter(({ interrupted }) => interrupted !== true).map(({ id }) => id);
  const asked = [...(cli?.asks.values() ?? [])].filter(({ isLost }) => !isLost);
  assert.deepEqual(
    waiting.sort(),
    asked.map(({ id }) => id).sort(),
    'the cards are the questions of the process',
  );
}

function checkStatus({ cli }: TalkWorld, state: ViewState): void {
  const { kind } = state.status;
  if (!cli || (cli.isIdle && !cli.isLate)) {
    const isAsking = state.permissions.length > 0 || state.asks.length > 0;
    if (!isAsking) assert.ok(RESTING.has(kind), `nothing runs, and the status is ${kind}`);
  } else if (cli.isRunning && !cli.isLate) {
    assert.ok(!RESTING.has(kind), `a turn runs, and the status is ${kind}`);
  }
}

/** Far more than it takes. */
const MAX_ROUNDS = 200;

/** The person answers and sends all that is left; then nothing may be left. */
export async function finish(world: TalkWorld, seen?: (step: string) => void): Promise<void> {
  await playStep(world, 'show');
  await rest(world);
  for (let round = 0; ; round += 1) {
    assert.ok(round < MAX_ROUNDS, 'it comes to an end');
    const next = nextOf(world);
    if (next === undefined) break;
    await playStep(world, next);
    seen?.(next);
    checkAtRest(world);
  }
  const state = world.window.place.conversation.snapshot();
  const { page } = world.window;
  assert.ok(page?.store.state, 'the page is there');
  const texts = [page.composer.text.value, ...world.putAway];
  assert.deepEqual(world.words.lost(texts), [], 'all that was sent was read');
  assert.deepEqual([...state.permissions, ...state.asks], [], 'nothing is asked');
}

function nextOf({ window, cli, words }: TalkWorld): string | undefined {
  const state = window.place.conversation.snapshot();
  if (state.permissions.length > 0) return 'allow';
  if (state.asks.length > 0) return 'decline';
  if (cli && (!cli.isIdle || cli.isLate)) {
    // One that does not answer is ended after a while; a question that was not heard is asked again.
    if ([...cli.asks.values()].some(({ isLost }) => isLost)) return 'another view';
    return 'cli go on';
  }
  const alerts = state.items.filter(hasRetry);
  const unread = alerts.findIndex(({ id }) => {
    const failed = failedPrompt(state, id);
    return failed && !words.isTaken(failed.prompt.text);
  });
  if (unread !== -1) return `retry ${unread}`;
  return state.queue.length > 0 ? 'queue now' : undefined;
}

function plain(state: ViewState): unknown {
  return JSON.parse(JSON.stringify(state));
}
