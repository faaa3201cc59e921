import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred, type Deferred } from '../../../src/base/deferred';
import { UserFacingError } from '../../../src/base/errors';
import { silentLogger } from '../../../src/base/logger';
import { sideQuestionIn, type SideQuestion } from '../../../src/chat/sideProtocol';
import type { CliSession } from '../../../src/cli/cliSession';
import { ControlRequestError, type RequestOptions } from '../../../src/cli/outboundCalls';
import { SideQuestions } from '../../../src/conversation/sideQuestions';

interface Asked {
  readonly subtype: string;
  readonly body: object;
  readonly signal: AbortSignal | undefined;
  readonly answer: Deferred<Record<string, unknown>>;
}

function sideOf(agentError?: Error) {
  const asked: Asked[] = [];
  let shown: readonly SideQuestion[] | undefined;
  let ids = 0;
  const request = (subtype: string, body: object, options?: RequestOptions) => {
    const answer = createDeferred<Record<string, unknown>>();
    asked.push({ subtype, body, signal: options?.signal, answer });
    return answer.promise;
  };
  // Nothing else of a session is used.
  const session = { request } as unknown as CliSession;
  const side = new SideQuestions({
    log: silentLogger,
    apply: (event) => {
      assert.ok(event.type === 'fields');
      shown = event.fields.side;
    },
    agent: () => (agentError ? Promise.reject(agentError) : Promise.resolve(session)),
    newId: () => `q${(ids += 1)}`,
  });
  return { side, asked, shown: () => shown };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('only what begins with /btw is a side question', () => {
  assert.equal(sideQuestionIn('/btw what is this?'), 'what is this?');
  assert.equal(sideQuestionIn('  /btw\ntwo\nlines '), 'two\nlines');
  assert.equal(sideQuestionIn('/btw'), '');
  for (const text of ['/btwx', 'say /btw', '/compact', '']) {
    assert.equal(sideQuestionIn(text), undefined, text);
  }
});

test('a question is asked once, and its answer stands beside it', async () => {
  const { side, asked, shown } = sideOf();
  assert.equal(side.take('go on'), undefined);
  assert.deepEqual(side.take('/btw why?'), { accepted: true });
  assert.deepEqual(shown(), [{ id: 'q1', question: 'why?', state: 'asking' }]);
  assert.equal(side.isAsking, true);
  const second = side.take('/btw and?');
  assert.ok(second?.accepted === false && second.reason.includes('One side question'));
  await settled();
  assert.deepEqual([asked[0]?.subtype, asked[0]?.body], ['side_question', { question: 'why?' }]);
  asked[0]!.answer.resolve({ response: 'Because.', synthetic: false });
  await settled();
  assert.deepEqual(shown(), [
    { id: 'q1', question: 'why?', state: 'answered', answer: 'Because.' },
  ]);
  assert.equal(side.isAsking, false);
});

test('the next one takes along what was answered before, and nothing that failed', async () => {
  const { side, asked, shown } = sideOf();
  for (const [question, response] of [
    ['one', { response: 'first' }],
    ['two', { response: null, synthetic: false }],
    ['three', { response: 'API Error: 529', synthetic: true }],
  ] as const) {
    side.take(`/btw ${question}`);
    await settled();
    asked.at(-1)!.answer.resolve(response);
    await settled();
  }
  side.take('/btw four');
  await settled();
  assert.deepEqual(asked.at(-1)?.body, {
    question: 'four',
    history: [{ question: 'one', response: 'first' }],
  });
  assert.deepEqual(
    shown()?.map(({ state }) => state),
    ['answered', 'failed', 'failed', 'asking'],
  );
  assert.match(shown()?.[1]?.answer ?? '', /No answer came/);
  assert.equal(shown()?.[2]?.answer, 'API Error: 529');
});

test('closing takes all away and gives up what is asked; a late answer changes nothing', async () => {
  const { side, asked, shown } = sideOf();
  side.dismiss();
  side.take('/btw why?');
  await settled();
  side.dismiss();
  assert.equal(shown(), undefined);
  assert.equal(asked[0]?.signal?.aborted, true);
  asked[0].answer.resolve({ response: 'late' });
  await settled();
  assert.equal(shown(), undefined);
  assert.deepEqual(side.take('/btw again?'), { accepted: true });
});

test('why there is no answer is said in words', async () => {
  const code = 'unsupported_request';
  const cases: readonly (readonly [Error, RegExp])[] = [
    [new ControlRequestError('refused', 'Unsupported', { code }), /takes no side questions/],
    [new ControlRequestError('refused', 'Too many'), /^Too many$/],
    [new ControlRequestError('closed', 'gone'), /ended before it answered/],
    [new Error('odd'), /No answer came/],
  ];
  for (const [error, words] of cases) {
    const { side, asked, shown } = sideOf();
    side.take('/btw why?');
    await settled();
    asked[0]!.answer.reject(error);
    await settled();
    assert.match(shown()?.[0]?.answer ?? '', words);
  }
  const { side, shown } = sideOf(new UserFacingError('The claude CLI was not found.'));
  side.take('/btw why?');
  await settled();
  assert.match(shown()?.[0]?.answer ?? '', /was not found/);
});

test('pictures beside a question are not lost: it is refused, and asked without them', async () => {
  const { side, asked } = sideOf();
  const refused = side.take('/btw what is this?', 1);
  assert.ok(refused?.accepted === false && refused.reason.includes('no pictures'));
  assert.equal(side.take('what is this?', 1), undefined);
  await settled();
  assert.equal(asked.length, 0);
  assert.deepEqual(side.take('/btw what is this?', 0), { accepted: true });
});

test('an empty question is refused and stays in the box', () => {
  const outcome = sideOf().side.take('/btw  ');
  assert.ok(outcome?.accepted === false && outcome.reason.includes('behind /btw'));
});
