import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import type { PermissionAnswerKind } from '../../src/chat/permissionAnswer';
import type { PermissionCard, ViewState } from '../../src/chat/viewStateProtocol';
import { configFile } from '../../src/cli/personServers';
import { message, say, toolUse, type Script } from '../harness/model/script';
import { createBench, isIdle, toolsOf, type DrivenConversation } from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

/** Each prompt is a call in JSON, `[name, input]`; all else is answered in words. */
const asPrompted: Script = ({ prompt, step }) => {
  if (step > 0 || !prompt.startsWith('[')) return say('Done.');
  const [name, input] = JSON.parse(prompt) as [string, Record<string, unknown>];
  return message([toolUse(name, input)]);
};

async function bench() {
  const made = await createBench({ model: { script: asPrompted } });
  benches.push(made);
  return made;
}

const bash = (name: string) =>
  ['Bash', { command: `node -e "console.log('${name}\\t')"` }] as const;
/** The CLI's own suggestion, as it stands in a file. */
const rule = (name: string) => `Bash(node -e "console.log\\('${name}\\\\t'\\)")`;
const store = ['mcp__probe__store', { value: '1' }] as const;

/** Has the model call; returns the card, or undefined where the call ran without one. */
async function call(
  made: DrivenConversation,
  what: readonly [string, object],
): Promise<PermissionCard | undefined> {
  const before = toolsOf(made.view).length;
  await made.prompt(JSON.stringify(what));
  await made.until(
    'a card or the end',
    (view) => view.permissions.length > 0 || isDone(view, before),
  );
  return made.view.permissions[0];
}

function isDone(view: ViewState, before: number): boolean {
  const tools = toolsOf(view);
  return tools.length > before && tools.at(-1)?.state !== 'running' && isIdle(view);
}

async function answer(
  made: DrivenConversation,
  card: PermissionCard | undefined,
  kind: PermissionAnswerKind,
): Promise<void> {
  assert.ok(card);
  made.conversation.answerPermission(card.id, kind);
  await made.until('the end of the turn', (view) => view.permissions.length === 0 && isIdle(view));
}

const noticesIn = (view: ViewState): string[] =>
  view.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));

test('Always allow writes the CLI’s own rule to the file that was chosen, and a second CLI obeys it there', async () => {
  const made = await bench();
  const choices = [
    [bash('local'), 'alwaysLocal'],
    [bash('project'), 'alwaysProject'],
    [bash('user'), 'alwaysUser'],
    [store, 'alwaysLocal'],
  ] as const;
  for (const [what, kind] of choices) {
    const card = await call(made, what);
    const place = card?.always?.places.find((one) => one.answer === kind);
    assert.ok(card?.always && place, `${what[0]} can be allowed for always`);
    await answer(made, card, kind);
    const line = `Always allowed: ${card.always.rule}, written to ${place.file}.`;
    await made.until('the line that says so', (view) =>
      noticesIn(view).some((text) => text.startsWith(line)),
    );
  }
  const allowed = async (...file: string[]): Promise<unknown> => {
    const text = await readFile(path.join(...file), 'utf8');
    return (JSON.parse(text) as { permissions: { allow: unknown } }).permissions.allow;
  };
  const { workspace, env } = made.sandbox;
  assert.deepEqual(await allowed(workspace, '.claude/settings.local.json'), [
    rule('local'),
    'mcp__probe__store',
  ]);
  assert.deepEqual(await allowed(workspace, '.claude/settings.json'), [rule('project')]);
  assert.deepEqual(await allowed(env.HOME ?? '', '.claude/settings.json'), [rule('user')]);

  const second = made.again(undefined);
  for (const what of [bash('local'), bash('user'), store]) {
    assert.equal(await call(second, what), undefined, `${what[0]} is not asked about any more`);
  }
  const asked = await call(second, bash('project'));
  const note = asked?.always?.places.find(({ answer: kind }) => kind === 'alwaysProject')?.note;
  assert.match(note ?? '', /Not used before the agent trusts this folder/);
  await answer(second, asked, 'deny');

  await Promise.all([second, made].map(({ conversation }) => conversation.dispose()));
  const file = configFile({ env, home: env.HOME ?? '' });
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const config = JSON.parse(text) as { projects?: object };
  const projects = { ...config.projects, [workspace]: { hasTrustDialogAccepted: true } };
  await writeFile(file, JSON.stringify({ ...config, projects }));
  const third = made.again(undefined);
  assert.equal(await call(third, bash('project')), undefined, 'a trusted project’s rule is used');
  const fresh = await call(third, bash('other'));
  assert.deepEqual(
    fresh?.always?.places.map((place) => place.note),
    [undefined, undefined, undefined],
  );
  await answer(third, fresh, 'deny');
});

test('Allow once asks again, Deny and stop keeps its reason for the next message, also over a reload', async () => {
  const made = await bench();
  for (let times = 0; times < 2; times += 1) {
    await answer(made, await call(made, bash('once')), 'allowOnce');
  }
  assert.deepEqual(
    toolsOf(made.view).map(({ state }) => state),
    ['done', 'done'],
  );
  const card = await call(made, bash('never'));
  assert.equal(card?.what, `Run this command in ${path.basename(made.sandbox.workspace)}`);
  made.conversation.answerPermission(card.id, 'denyAndStop', 'ask the tests first');
  await made.until('rest', (view) => view.status.kind === 'idle' && view.queue.length === 1);
  const leads = ({ queue }: ViewState) => queue.map(({ text, leads: is }) => [text, is]);
  assert.deepEqual(leads(made.view), [['ask the tests first', true]]);
  const next = made.again(structuredClone(made.kept()));
  await next.until('the reason', (view) => view.queue.length === 1);
  assert.deepEqual(leads(next.view), [['ask the tests first', true]]);
  await made.conversation.dispose();
  await next.prompt('Go on.');
  await next.until('the answer', (view) => {
    const last = view.items.at(-1);
    return last?.kind === 'assistant' && view.queue.length === 0 && isIdle(view);
  });
  const asked = made.model.requests.filter(({ isSide }) => !isSide).at(-1)?.turn.prompt;
  assert.ok(asked?.endsWith('ask the tests first\n\nGo on.'), asked);
});

test('a file that somebody makes while its card waits is not overwritten unasked', async () => {
  const made = await bench();
  const file = path.join(made.sandbox.workspace, 'new.txt');
  const card = await call(made, ['Write', { file_path: file, content: 'mine\n' }]);
  assert.equal(card?.what, 'Create new.txt');
  await writeFile(file, 'of somebody else\n');
  made.conversation.answerPermission(card.id, 'allowOnce');
  await made.until('the second card', (view) =>
    view.permissions.some(({ what }) => what === 'Change 1 line of new.txt'),
  );
  const [again] = made.view.permissions;
  assert.match(again?.facts?.[0] ?? '', /^Changed since you were asked/);
  await answer(made, again, 'deny');
  assert.equal(await readFile(file, 'utf8'), 'of somebody else\n');
});
