import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pinKey, pinnedAnswers } from '../../src/chat/pinProtocol';
import type { TranscriptItem, ViewState } from '../../src/chat/viewStateProtocol';
import { launchArguments } from '../../src/cli/launchArguments';
import { runCli } from '../harness/fakeCli/cliHarness';
import { cliPidIn } from '../harness/model/cliPidIn';
import { eventually } from '../harness/panelSandbox/eventually';
import { message, pause, say, text, thinking, toolUse, type Script } from '../harness/model/script';
import {
  createBench,
  isIdle,
  saidIn,
  toolsOf,
  type BenchOptions,
  type ConversationBench,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: Script, options: BenchOptions = {}): Promise<ConversationBench> {
  const made = await createBench({ model: { script }, mode: 'acceptEdits', ...options });
  benches.push(made);
  return made;
}

/** What a person sees: without ids, which are new in each view, and without measured times. */
function seen(view: ViewState): unknown {
  return view.items.map((item) =>
    item.kind === 'assistant'
      ? { ...item, id: '', blocks: item.blocks.map(timeless) }
      : timeless(item),
  );
}

function timeless(thing: object): object {
  return { ...thing, id: '', durationMs: undefined };
}

function modelRequests(made: ConversationBench): number {
  return made.model.requests.filter((request) => !request.isSide).length;
}

async function sessionFile(made: ConversationBench): Promise<string> {
  const projects = path.join(made.sandbox.home, '.claude', 'projects');
  const names = await readdir(projects, { recursive: true });
  const name = names.find((one) => one.endsWith('.jsonl') && !one.includes('subagents'));
  assert.ok(name !== undefined, 'a session file');
  return path.join(projects, name);
}

const restored = (view: ViewState): boolean => view.items.length > 0;
const isNotice = (item: TranscriptItem): boolean => item.kind === 'notice';

test('a conversation with tools comes back from the disk as it was seen, and the next prompt goes on in it', async () => {
  const made = await bench([
    message([
      thinking('Let me think.'),
      text('I look.'),
      toolUse('Bash', { command: 'echo hi' }),
      toolUse('Read', { file_path: 'src/a.ts' }),
      toolUse('mcp__probe__fail', { value: 'x' }),
    ]),
    message([toolUse('Write', { file_path: 'src/b.ts', content: 'export const b = 1;\n' })]),
    message([toolUse('mcp__probe__store', { value: '1' })]),
    say('First done.'),
    message([
      toolUse('Agent', {
        description: 'a look',
        prompt: 'Do it',
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
    ]),
    message([toolUse('Bash', { command: 'echo sub' })]),
    say('The helper is done.'),
    say('After the helper.'),
    say('Going on.'),
  ]);
  await made.prompt('First prompt');
  await made.until('the card', (view) => view.permissions.length === 1);
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'deny', 'not today');
  await made.until('the first answer', isIdle);
  await made.prompt('Use a helper');
  await made.until('the second answer', (view) => saidIn(view).includes('After') && isIdle(view));
  await made.conversation.dispose();
  const asked = modelRequests(made);

  const next = made.again(made.kept());
  await next.until('the transcript', restored);
  assert.deepEqual(seen(next.view), seen(made.view));
  assert.equal(next.view.title, made.view.title);
  assert.equal(next.view.status.kind, 'idle');
  assert.equal(modelRequests(made), asked, 'nothing ran again');
  assert.throws(() => cliPidIn(made.sandbox.workspace), 'no process for a look');

  await next.prompt('Go on');
  await next.until('the next answer', (view) => saidIn(view).includes('Going on.') && isIdle(view));
  assert.deepEqual(next.view.items.filter(isNotice), []);
  const last = made.model.requests.filter((request) => !request.isSide).at(-1);
  assert.ok(JSON.stringify(last?.body).includes('First done.'), 'the model knows what was said');
  assert.equal(next.kept()?.sessionId, made.kept()?.sessionId);
});

for (const [what, cliEnvironment] of [
  ['in another home folder', { HOME: '{home}' }],
  ['in a folder without a name', { CLAUDE_CONFIG_DIR: '' }],
] as const) {
  test(`a conversation that the settings have the CLI keep ${what} comes back`, async (t) => {
    const home = await mkdtemp(path.join(tmpdir(), 'another home '));
    t.after(() => rm(home, { recursive: true, force: true }));
    const own = Object.entries(cliEnvironment).map(([name, value]) => [
      name,
      value.replace('{home}', home),
    ]);
    const made = await bench([say('Noted.')], {
      settings: { cliEnvironment: Object.fromEntries(own) as Record<string, string> },
    });
    Reflect.deleteProperty(made.sandbox.env, 'CLAUDE_CONFIG_DIR');
    await made.prompt('remember this');
    await made.until('the answer', (view) => saidIn(view).includes('Noted') && isIdle(view));
    const before = await readdir(made.sandbox.workspace);
    assert.deepEqual(before, ['src'], 'nothing is kept among the files of the person');
    await made.conversation.dispose();
    const next = made.again(made.kept());
    await next.until('the transcript', restored);
    assert.match(saidIn(next.view), /Noted/);
  });
}

test('a turn that was cut in mid-stream by a kill is marked, and its prompt runs once', async () => {
  const never = new Promise<void>(() => undefined);
  const made = await bench([
    say('One.'),
    message([text('half of an ans'), pause(never), text('wer')]),
    say('Three.'),
  ]);
  await made.prompt('first');
  await made.until('the first answer', isIdle);
  await made.prompt('second');
  await made.until('the stream', (view) => saidIn(view).includes('half'));
  made.conversation.submit('waiting', 'third');
  await made.until('the queue', (view) => view.queue.length === 1);
  await waitForDisk(made, '"role":"user","content":"second"');
  const kept = made.kept();
  process.kill(cliPidIn(made.sandbox.workspace), 'SIGKILL');
  await made.until('the end', (view) => view.status.kind === 'notConnected');
  assert.deepEqual(made.kept(), kept, 'a killed host leaves the same behind');

  const next = made.again(kept);
  await next.until('the queue', (view) => view.queue.length === 1);
  assert.deepEqual(
    next.view.items.map((item) => (item.kind === 'user' ? item.text : item.kind)),
    ['first', 'assistant', 'second', 'notice'],
  );
  assert.deepEqual(
    next.view.queue.map((prompt) => prompt.text),
    ['third'],
  );
  assert.equal(modelRequests(made), 2, 'what waits does not start by itself');
  next.conversation.queueAction('waiting', 'sendNow');
  await next.until('the answer', (view) => saidIn(view).includes('Three.') && isIdle(view));
  assert.ok(!JSON.stringify(next.view.items).includes('No response requested'));
  await next.conversation.dispose();

  const third = made.again(next.kept());
  await third.until('the transcript', restored);
  assert.deepEqual(seen(third.view), seen(next.view), 'the mark stays, the filler is hidden');
});

test('a tool that a kill cut short is cancelled, also after the session went on', async () => {
  const made = await bench([
    message([text('I wait.'), toolUse('mcp__probe__meet', { value: 'x' })]),
    say('Back again.'),
  ]);
  await made.prompt('wait');
  await made.until('the call', (view) => toolsOf(view)[0]?.state === 'running');
  await waitForDisk(made, '"type":"tool_use"');
  process.kill(cliPidIn(made.sandbox.workspace), 'SIGKILL');
  await made.until('the end', (view) => view.status.kind === 'notConnected');
  const next = made.again(made.kept());
  await next.until('the transcript', restored);
  assert.equal(toolsOf(next.view)[0]?.state, 'cancelled');
  assert.equal(next.view.items.filter(isNotice).length, 1);
  assert.deepEqual(next.view.queue, [], 'the prompt was taken up: it does not wait again');
  await next.prompt('and now?');
  await next.until('the answer', (view) => saidIn(view).includes('Back again.') && isIdle(view));
  await next.conversation.dispose();
  const third = made.again(next.kept());
  await third.until('the transcript', restored);
  assert.equal(toolsOf(third.view)[0]?.state, 'cancelled');
  assert.equal(third.view.items.filter(isNotice).length, 1);
});

const cardIn = ({ permissions: [card] }: ViewState): string => card?.id ?? 'none';

test('a question that waited when all was killed is drawn as interrupted, and its answer is the next prompt', async () => {
  const made = await bench((turn) =>
    turn.prompt === 'store it'
      ? message([toolUse('mcp__probe__store', { value: '1' })])
      : say(`I heard: ${turn.prompt}`),
  );
  await made.prompt('store it');
  await made.until('the card', (view) => view.permissions.length === 1);
  made.conversation.draftReason(cardIn(made.view), 'not on');
  await made.until('its draft', (view) => view.permissions[0]?.draft === 'not on');
  await waitForDisk(made, '"type":"tool_use"');
  process.kill(cliPidIn(made.sandbox.workspace), 'SIGKILL');
  await made.until('the end', (view) => view.status.kind === 'notConnected');
  assert.equal(made.view.permissions[0]?.interrupted, true, 'also where only the CLI was killed');
  made.conversation.draftReason(cardIn(made.view), 'not on a Fri');
  const next = made.again(made.kept());
  await next.until('the question', (view) => view.permissions.length === 1);
  assert.equal(next.view.status.kind, 'idle', 'nobody waits for it');
  assert.equal(next.view.permissions[0]?.title, 'Store a value');
  assert.equal(next.view.permissions[0].draft, 'not on a Fri', 'what was typed is kept');
  assert.equal(toolsOf(next.view)[0]?.state, 'cancelled');
  assert.equal(next.view.items.filter(isNotice).length, 1);
  const third = made.again(next.kept());
  await third.until('the question once more', (view) => view.permissions.length === 1);

  next.conversation.answerPermission(next.view.permissions[0].id, 'deny', 'not on a Friday');
  assert.equal(next.kept()?.questions, undefined, 'answered once');
  await next.until('the answer', (view) => saidIn(view).includes('I heard:') && isIdle(view));
  const said = saidIn(next.view);
  assert.match(said, /Store a value.*My answer is no\. not on a Friday/);
  assert.deepEqual(next.view.permissions, []);

  third.conversation.answerPermission(third.view.permissions[0]?.id ?? '', 'denyAndStop');
  await third.until('it is put away', (view) => view.permissions.length === 0);
  assert.equal(third.view.items.at(-1)?.kind, 'notice', 'nothing was sent');
});

test('a prompt that never reached the CLI waits in the queue of the next process', async () => {
  const made = await bench([say('Hello.')], { cliPath: '/nonexistent/cli' });
  await made.prompt('lost?');
  await made.until('the failure', (view) => view.status.kind === 'failed');
  const next = made.again(made.kept());
  await next.until('the queue', (view) => view.queue.length === 1);
  assert.equal(next.view.queue[0]?.text, 'lost?');
  assert.deepEqual(next.view.items, []);
});

test('a conversation that is gone from the disk begins anew, with one quiet line', async () => {
  const made = await bench([say('One.'), say('Two.')]);
  await made.prompt('first');
  await made.until('the answer', isIdle);
  await made.conversation.dispose();
  await rm(await sessionFile(made));
  const next = made.again(made.kept());
  await next.until('the line', restored);
  assert.deepEqual(
    next.view.items.map((item) => item.kind),
    ['notice'],
  );
  await next.prompt('again');
  await next.until('the answer', (view) => saidIn(view) === 'Two.' && isIdle(view));
  assert.notEqual(next.kept()?.sessionId, made.kept()?.sessionId);
});

test('a prompt that is sent while the transcript is read stands below it', async () => {
  const made = await bench([say('One.'), say('Two.')]);
  await made.prompt('first');
  await made.until('the answer', isIdle);
  await made.conversation.dispose();
  const next = made.again(made.kept());
  await next.prompt('second');
  await next.until('the answer', (view) => saidIn(view) === 'One.Two.' && isIdle(view));
  assert.deepEqual(
    next.view.items.map((item) => (item.kind === 'user' ? item.text : item.kind)),
    ['first', 'assistant', 'second', 'assistant'],
  );
  assert.equal(next.view.title, 'first');
});

test('whoever goes on with a session that grew elsewhere is told; what it has cost is no growth', async () => {
  for (const grown of [true, false]) {
    const made = await bench([say('One.'), say('Two.')]);
    await made.prompt('first');
    await made.until('the answer', isIdle);
    await made.conversation.dispose();
    const next = made.again(made.kept());
    await next.until('the transcript', restored);
    const file = await sessionFile(made);
    const rows = (await readFile(file, 'utf8')).trim().split('\n');
    const said = rows.findLast((row) => row.includes('"type":"assistant"')) ?? '';
    const { uuid } = JSON.parse(said) as { uuid: string };
    const more = { ...JSON.parse(said), uuid: randomUUID(), parentUuid: uuid } as object;
    const cost = { type: 'cost-state', sessionId: made.kept()?.sessionId };
    await appendFile(file, `${JSON.stringify(grown ? more : cost)}\n`);
    await next.prompt('second');
    await next.until('the answer', (view) => saidIn(view) === 'One.Two.' && isIdle(view));
    assert.equal(next.view.items.filter(isNotice).length, grown ? 1 : 0);
  }
});

test('whoever goes on with a session that another process has open is told, as long as it is so', async () => {
  const made = await bench([say('One.'), say('Two.'), say('Three.')]);
  await made.prompt('first');
  await made.until('the answer', isIdle);
  await made.conversation.dispose();
  const { sandbox } = made;
  const sessionId = made.kept()?.sessionId ?? '';
  // Such as a terminal.
  const other = await runCli({
    ...{ command: sandbox.command, cwd: sandbox.workspace, env: sandbox.env },
    args: [...launchArguments({ trusted: true }), `--resume=${sessionId}`],
  });
  try {
    await other.session.initialize({});
    const next = made.again(made.kept());
    await next.prompt('second');
    await next.until('the answer', (view) => saidIn(view) === 'One.Two.' && isIdle(view));
    const notices = next.view.items.filter(isNotice).map((item) => JSON.stringify(item));
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? '', /open in another window or terminal/);
    await next.conversation.dispose();
    await other.session.dispose();
    const last = made.again(next.kept());
    await last.prompt('third');
    await last.until('the answer', (view) => saidIn(view) === 'One.Two.Three.' && isIdle(view));
    assert.deepEqual(last.view.items.filter(isNotice), []);
  } finally {
    await other.session.dispose();
  }
});

/** The CLI writes its file a moment after the wire. */
async function waitForDisk(made: ConversationBench, words: string): Promise<void> {
  await eventually(async () => {
    const file = await sessionFile(made).catch(() => undefined);
    return file !== undefined && (await readFile(file, 'utf8')).includes(words);
  });
}

test('pins are there again after a restart, on the answers that they were on', async () => {
  const made = await bench([say('One.'), say('Two.')]);
  const answers = (view: ViewState) => view.items.filter(({ kind }) => kind === 'assistant');
  for (const [before, words] of ['first', 'second'].entries()) {
    await made.prompt(words);
    await made.until(
      `the answer to ${words}`,
      (view) => isIdle(view) && answers(view).length > before,
    );
  }
  const key = pinKey(made.view.items, answers(made.view)[1]?.id ?? '');
  made.conversation.setFields({ pins: [key] });
  assert.deepEqual(made.kept()?.pins, [key], 'it is kept at once');
  const next = made.again(made.kept());
  await next.until('the pin', (view) => view.pins !== undefined && answers(view).length === 2);
  const [pinned] = pinnedAnswers(next.view.items, next.view.pins ?? []);
  assert.ok(pinned && pinned.id === answers(next.view)[1]?.id);
});
