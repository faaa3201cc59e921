import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import { createFormCard } from '../../../src/chat/formCards';
import type { RunEnd, RunToolHostMessage, RunToolMessage } from '../../../src/chat/runToolProtocol';
import { type RunningPage, RunToolPage } from '../../../src/host/runToolPage';

const schema = { properties: { name: { type: 'string' } }, required: ['name'] };
const done: RunEnd = { kind: 'done', text: 'Done' };

/** A page whose runs are held by the test. */
function pageOf() {
  const received = new Emitter<unknown>();
  const posted: RunToolHostMessage[] = [];
  const runs: { content: unknown; page: RunningPage; end: (end: RunEnd) => void }[] = [];
  const calls: string[] = [];
  const card = createFormCard({
    ...{ id: 'arguments', server: 's', title: 'T', message: '', schema, trusted: true },
  });
  const page = new RunToolPage(
    {
      onDidReceiveMessage: received.event,
      post: (message) => {
        posted.push(message);
        return Promise.resolve(true);
      },
      reveal: () => calls.push('reveal'),
      close: () => calls.push('close'),
    },
    {
      log: silentLogger,
      l10n: () => ({ a: 'b' }),
      run: (content, running) => {
        const end = createDeferred<RunEnd>();
        runs.push({ content, page: running, end: (value) => end.resolve(value) });
        return end.promise;
      },
      showResult: () => calls.push('showResult'),
    },
    { title: 'T', wireName: 'mcp__s__t', description: '', form: card },
  );
  const send = (message: RunToolMessage) => received.fire(message);
  const submit = (cardId: string, draft: Record<string, string>) =>
    send({ type: 'submit', cardId, draft });
  return { page, received, posted, runs, calls, send, submit };
}

/** The card that is asked now. */
function askId({ view }: RunToolPage): string {
  return view.ask?.id ?? 'none';
}

const question = (signal: AbortSignal) => ({
  ...{ server: 's', tool: 't', message: 'Which?', signal },
  schema: { properties: { which: { type: 'string' } }, required: ['which'] },
  conversation: { id: 'c', cwd: '' },
});

test('A form that is sent runs the tool once, and shows how far it is and how it ended', async () => {
  const { page, posted, runs, submit, send } = pageOf();
  send({ type: 'ready' });
  assert.deepEqual(posted[0]?.l10n, { a: 'b' });
  submit('arguments', { '0': '' });
  assert.equal(runs.length, 0, 'what does not fit does not run');
  submit('arguments', { '0': 'ann' });
  submit('arguments', { '0': 'twice' });
  assert.deepEqual(
    runs.map(({ content }) => content),
    [{ name: 'ann' }],
  );
  runs[0]?.page.progress('half');
  assert.equal(page.view.running, 'half');
  runs[0]?.end(done);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([page.view.running, page.view.end], [undefined, done]);
  assert.deepEqual(page.view.form.draft, { '0': 'twice' });
});

test('What was put in so far comes again with a new page', () => {
  const { page, posted, send } = pageOf();
  send({ type: 'draft', cardId: 'arguments', draft: { '0': 'an' } });
  send({ type: 'draft', cardId: 'nobody', draft: { '0': 'x' } });
  assert.equal(posted.length, 0);
  send({ type: 'ready' });
  assert.deepEqual(posted[0]?.view.form.draft, { '0': 'an' });
  assert.equal(page.view.ask, undefined);
});

test('What the tool asks is answered on the page, one question after the other', async () => {
  const { page, runs, calls, submit, send } = pageOf();
  submit('arguments', { '0': 'ann' });
  const { signal } = new AbortController();
  const running = runs[0]?.page;
  assert.ok(running);
  const first = running.ask(question(signal));
  const second = running.ask(question(signal));
  assert.deepEqual([page.view.ask?.message, calls], ['Which?', ['reveal']]);
  submit(askId(page), { '0': '' });
  assert.ok(page.view.ask, 'an answer that does not fit changes nothing');
  submit(askId(page), { '0': 'this' });
  const draft = { '0': 'this' };
  assert.deepEqual(await first, { action: 'accept', content: { which: 'this' }, draft });
  await Promise.resolve();
  send({ type: 'decline', cardId: askId(page) });
  assert.deepEqual(await second, { action: 'decline' });
  assert.equal(page.view.ask, undefined);
});

test('A question whose answer the tool does not take comes again with what was put in, and why', async () => {
  const { page, runs, submit } = pageOf();
  submit('arguments', { '0': 'ann' });
  const running = runs[0]?.page;
  assert.ok(running);
  const { signal } = new AbortController();
  const first = running.ask(question(signal));
  const draft = { '0': 'left' };
  submit(askId(page), draft);
  assert.deepEqual(await first, { action: 'accept', content: { which: 'left' }, draft });
  void running.ask({ ...question(signal), again: { draft, problems: ['which: expected right'] } });
  assert.deepEqual(page.view.ask?.draft, draft);
  assert.equal(
    page.view.ask.message,
    'Which?\n\nYour answer was not taken:\nwhich: expected right',
  );
});

test('A question goes with the call that asked it, and with the page', async () => {
  const { page, runs, submit } = pageOf();
  submit('arguments', { '0': 'ann' });
  const call = new AbortController();
  const running = runs[0]?.page;
  assert.ok(running);
  const asked = running.ask(question(call.signal));
  call.abort();
  assert.deepEqual([await asked, page.view.ask], [{ action: 'cancel' }, undefined]);
  const again = running.ask(question(new AbortController().signal));
  page.dispose();
  assert.deepEqual([await again, running.signal.aborted], [{ action: 'cancel' }, true]);
});

const ends: Readonly<Record<string, (world: ReturnType<typeof pageOf>) => void>> = {
  'its page is closed': ({ page }) => page.dispose(),
  'the run ends': ({ runs }) => runs[0]?.end(done),
  'the run is stopped': ({ send, runs }) => {
    send({ type: 'cancel' });
    runs[0]?.end(done);
  },
};
for (const [what, end] of Object.entries(ends)) {
  test(`All that a tool has asked, and asks later, is answered with a cancel when ${what}`, async () => {
    const world = pageOf();
    const { page, runs, submit } = world;
    submit('arguments', { '0': 'ann' });
    const running = runs[0]?.page;
    assert.ok(running);
    // Of a call that nobody stops.
    const { signal } = new AbortController();
    const asked = [1, 2, 3].map(() => running.ask(question(signal)));
    end(world);
    const cancelled = { action: 'cancel' };
    assert.deepEqual(await Promise.all(asked), [cancelled, cancelled, cancelled]);
    assert.deepEqual([await running.ask(question(signal)), page.view.ask], [cancelled, undefined]);
  });
}

test('What a run that has ended still asks is not put to the person in the next run', async () => {
  const { page, runs, submit } = pageOf();
  submit('arguments', { '0': 'ann' });
  runs[0]?.end(done);
  await new Promise(setImmediate);
  submit('arguments', { '0': 'eve' });
  const { signal } = new AbortController();
  assert.deepEqual(await runs[0]?.page.ask(question(signal)), { action: 'cancel' });
  void runs[1]?.page.ask(question(signal));
  assert.ok(page.view.ask);
});

test('Cancel stops what runs, and closes the form where nothing does', () => {
  const { runs, calls, submit, send, received } = pageOf();
  send({ type: 'cancel' });
  assert.deepEqual(calls, ['close']);
  submit('arguments', { '0': 'ann' });
  send({ type: 'cancel' });
  assert.deepEqual([runs[0]?.page.signal.aborted, calls], [true, ['close']]);
  send({ type: 'showResult' });
  received.fire({ type: 'nonsense' });
  received.fire(undefined);
  assert.deepEqual(calls, ['close', 'showResult']);
});
