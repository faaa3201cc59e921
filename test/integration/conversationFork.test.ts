import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { forkPoint } from '../../src/chat/forkPoint';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { forkConversation } from '../../src/sessions/forkFile';
import { readTalk } from '../harness/model/requestBody';
import { message, say, text, toolUse, type Script } from '../harness/model/script';
import { eventually } from '../harness/panelSandbox/eventually';
import {
  createBench,
  type ConversationBench,
  type DrivenConversation,
  isIdle,
  saidIn,
} from './conversationBench';

const benches: ConversationBench[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

const SCRIPT: Script = (turn) => {
  if (turn.step > 0) return say(`Done with ${turn.prompt}.`);
  if (turn.prompt === 'run') {
    return message([text('I run.'), toolUse('Bash', { command: 'echo ran' })]);
  }
  return say(`Answer to ${turn.prompt}.`);
};

async function talk(prompts: readonly string[], script: Script = SCRIPT) {
  const made = await createBench({ model: { script }, mode: 'acceptEdits' });
  benches.push(made);
  for (const [index, prompt] of prompts.entries()) {
    await made.prompt(prompt);
    await made.until(`the answer to ${prompt}`, (view) => isIdle(view) && prompted(view) > index);
  }
  return made;
}

const prompted = (view: ViewState): number =>
  view.items.filter(({ kind }) => kind === 'user').length;

/** Forks at what was said or answered, as the host does; resolves to the new id. */
async function forkAt(
  made: ConversationBench,
  said: string,
  driven: DrivenConversation = made,
): Promise<string | undefined> {
  const { view } = driven;
  const item = view.items.find((one) =>
    one.kind === 'user'
      ? one.text === said
      : one.kind === 'assistant' && saidIn({ ...view, items: [one] }).includes(said),
  );
  const point = item && forkPoint(view.items, item.id);
  assert.ok(point, said);
  const sessionId = driven.kept()?.sessionId ?? '';
  const key = { configFolder: configFolder(made), cwd: made.sandbox.workspace, sessionId };
  const forked = await forkConversation(key, { ...point, title: 'A fork' });
  return forked?.kind === 'copy' ? forked.sessionId : undefined;
}

const configFolder = (made: ConversationBench): string => path.join(made.sandbox.home, '.claude');

/** What the model was last sent, without what the CLI adds. */
function lastTalk(made: ConversationBench): readonly string[] {
  const last = made.model.requests.filter((request) => !request.isSide).at(-1);
  assert.ok(last);
  return readTalk(last.body);
}

async function files(made: ConversationBench): Promise<readonly string[]> {
  const projects = path.join(configFolder(made), 'projects');
  const names = await readdir(projects, { recursive: true });
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(projects, name));
}

test('a fork before a prompt goes on with exactly what was said before it, and the original is kept', async () => {
  const made = await talk(['alpha', 'run', 'gamma']);
  const [original = ''] = await files(made);
  await eventually(async () => (await readFile(original, 'utf8')).includes('Answer to gamma'));
  const before = await readFile(original, 'utf8');
  const sessionId = await forkAt(made, 'gamma');
  const fork = made.again({ sessionId, queue: [], sent: [], forkOf: 'alpha' });
  await fork.until('the transcript', (view) => view.items.length > 4);
  assert.deepEqual(
    fork.view.items.map((item) => (item.kind === 'user' ? item.text : item.kind)),
    ['alpha', 'assistant', 'run', 'assistant', 'notice'],
  );
  assert.equal(fork.view.title, 'A fork');
  await fork.prompt('delta');
  await fork.until('the answer', (view) => saidIn(view).endsWith('Answer to delta.'));
  assert.deepEqual(lastTalk(made), [
    'user: alpha',
    'assistant: Answer to alpha.',
    'user: run',
    'assistant: I run.',
    'assistant: call Bash',
    'user: result ran',
    'assistant: Done with run.',
    'user: delta',
  ]);
  assert.equal(fork.kept()?.sessionId, sessionId, 'the CLI goes on in the copy');
  assert.ok((await readFile(original, 'utf8')).startsWith(before));

  await made.prompt('epsilon');
  await made.until('the original goes on', (view) => saidIn(view).endsWith('to epsilon.'));
  assert.ok(lastTalk(made).includes('user: gamma'));
  assert.ok(!lastTalk(made).includes('user: delta'));
});

test('a fork behind an answer keeps it, a fork of a fork as well', async () => {
  const made = await talk(['alpha', 'beta']);
  const fork = made.again({ sessionId: await forkAt(made, 'alpha.'), queue: [], sent: [] });
  await fork.prompt('gamma');
  await fork.until('the answer', (view) => isIdle(view) && saidIn(view).endsWith('gamma.'));
  assert.deepEqual(lastTalk(made), ['user: alpha', 'assistant: Answer to alpha.', 'user: gamma']);
  const sessionId = await forkAt(made, 'gamma', fork);
  const second = made.again({ sessionId, queue: [], sent: [] });
  await second.prompt('delta');
  await second.until('its answer', (view) => isIdle(view) && saidIn(view).endsWith('delta.'));
  assert.deepEqual(lastTalk(made), ['user: alpha', 'assistant: Answer to alpha.', 'user: delta']);
});

test('what was said before a compaction is gone back to whole', async () => {
  const made = await talk(['alpha', 'beta', '/compact', 'gamma']);
  const early = made.again({ sessionId: await forkAt(made, 'beta'), queue: [], sent: [] });
  await early.prompt('delta');
  await early.until('the answer', (view) => isIdle(view) && saidIn(view).endsWith('delta.'));
  assert.deepEqual(lastTalk(made), ['user: alpha', 'assistant: Answer to alpha.', 'user: delta']);
  const late = made.again({ sessionId: await forkAt(made, 'gamma'), queue: [], sent: [] });
  await late.prompt('epsilon');
  await late.until('the answer', (view) => isIdle(view) && saidIn(view).endsWith('epsilon.'));
  assert.equal(lastTalk(made).at(-1), 'user: epsilon');
  assert.ok(!lastTalk(made).some((line) => line.includes('gamma')));
  assert.equal(late.view.items.find(({ kind }) => kind === 'user')?.id, early.view.items[0]?.id);
});

test('before the first prompt there is nothing to fork', async () => {
  const made = await talk(['alpha']);
  assert.equal(await forkAt(made, 'alpha'), undefined);
  assert.equal((await files(made)).length, 1);
});
