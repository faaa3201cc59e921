import assert from 'node:assert/strict';
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { cliPidIn } from '../harness/model/cliPidIn';
import { message, say, type Script, toolUse } from '../harness/model/script';
import {
  type BenchOptions,
  type ConversationBench,
  createBench,
  createFakeBench,
  isIdle,
  toolsOf,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: Script, options: BenchOptions = {}): Promise<ConversationBench> {
  const made = await createBench({ model: { script }, ...options });
  benches.push(made);
  return made;
}

const linesOf = (view: ViewState): string[] =>
  view.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
const bypassRow = (view: ViewState) => view.modes.find(({ id }) => id === 'bypassPermissions');

test('a mode that the model enters is told in a line, and edits are refused in it with a way on', async () => {
  const made: ConversationBench = await bench((turn) =>
    turn.step === 0
      ? message([
          toolUse('EnterPlanMode'),
          toolUse('Write', {
            file_path: path.join(made.sandbox.workspace, 'src/b.ts'),
            content: '1',
          }),
          toolUse('mcp__probe__store', { value: 'x' }),
        ])
      : say('ok'),
  );
  await made.prompt('go');
  await made.until('the end', isIdle);
  assert.equal(made.view.mode, 'plan');
  assert.deepEqual(linesOf(made.view), ['The permission mode is now Plan.']);
  const [, write, store] = toolsOf(made.view);
  for (const tool of [write, store]) {
    assert.equal(tool?.state, 'denied');
    assert.match(tool.result?.text ?? '', /in plan mode nothing is changed.*ExitPlanMode/);
  }
  await assert.rejects(access(path.join(made.sandbox.workspace, 'src/b.ts')));
});

test('a card that is open when the person changes the mode stays theirs, and what they allow runs', async () => {
  const made: ConversationBench = await bench((turn) =>
    turn.step === 0
      ? message([
          toolUse('mcp__probe__store', { value: 'x' }),
          toolUse('mcp__probe__store', { value: 'y' }),
        ])
      : say('ok'),
  );
  await made.prompt('go');
  await made.until('the card', ({ permissions }) => permissions.length === 1);
  await made.conversation.setMode('plan');
  assert.equal(made.view.permissions.length, 1, 'the mode settles no card');
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'allowOnce');
  await made.until('the end', isIdle);
  assert.deepEqual(
    toolsOf(made.view).map(({ state }) => state),
    ['done', 'denied'],
    'the next one is held to the new mode',
  );
  assert.deepEqual(linesOf(made.view), [], 'what the person chose is no news');
});

test('a mode that was chosen before the first message is there after a reload, and a turn begins in it', async () => {
  const made = await bench([say('ok')]);
  await made.conversation.setMode('plan');
  const next = made.again(made.kept());
  await next.until('the mode', ({ mode }) => mode === 'plan');
  await next.prompt('hi');
  await next.until('the end', isIdle);
  assert.equal(next.view.mode, 'plan');
  assert.deepEqual(linesOf(next.view), []);
});

test('what was allowed for a conversation holds after a kill and is told; a new conversation begins without', async () => {
  const made = await bench((turn) =>
    turn.step === 0 && turn.prompt === 'work'
      ? message([toolUse('mcp__probe__store', { value: 'x' })])
      : say('ok'),
  );
  await made.prompt('work');
  await made.until('the card', ({ permissions }) => permissions.length === 1);
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'allowConversation');
  await made.until('the end', isIdle);
  process.kill(cliPidIn(made.sandbox.workspace), 'SIGKILL');
  await made.until('its end', ({ items }) => items.at(-1)?.kind === 'notice');
  const kept = made.kept();
  assert.deepEqual(kept?.grants, { rules: ['mcp__probe__store'], folders: [] });

  const next = made.again(kept);
  await next.until('the line', (view) =>
    linesOf(view).some((line) => line.includes('mcp__probe__store')),
  );
  const before = toolsOf(next.view).length;
  await next.prompt('work');
  await next.until('the call', (view) => toolsOf(view).length > before && isIdle(view));
  assert.equal(toolsOf(next.view).at(-1)?.state, 'done');
  await next.conversation.dispose();

  const other = made.again({ queue: [], sent: [], grants: kept.grants });
  await other.prompt('work');
  await other.until('a card', ({ permissions }) => permissions.length === 1);
});

test('the settings of the CLI cannot bring a conversation into bypassing permissions by themselves', async () => {
  const made = await bench(
    (turn) =>
      turn.step === 0 ? message([toolUse('Bash', { command: 'touch made.txt' })]) : say('ok'),
    { environment: { IS_SANDBOX: '1' } },
  );
  const settings = path.join(made.sandbox.home, '.claude', 'settings.json');
  await mkdir(path.dirname(settings), { recursive: true });
  await writeFile(settings, JSON.stringify({ permissions: { defaultMode: 'bypassPermissions' } }));
  await made.prompt('go');
  await made.until('the card', ({ permissions }) => permissions.length === 1);
  assert.equal(made.view.mode, 'default');
  assert.equal(bypassRow(made.view), undefined);
  assert.match(linesOf(made.view).join('\n'), /patchbay\.allowBypassPermissions/);
});

test('a conversation that bypassed permissions comes back asking, and says so', async () => {
  const made = await createFakeBench(
    { turns: [] },
    {
      settings: { allowBypassPermissions: true },
      kept: { queue: [], sent: [], mode: 'bypassPermissions', modeChosen: true },
    },
  );
  benches.push(made);
  await made.until('the line', (view) =>
    linesOf(view).join().includes('bypassed permissions before'),
  );
  assert.equal(made.view.mode, 'default');
  assert.equal(bypassRow(made.view)?.disabledReason, undefined, 'it can be chosen anew');
});

test('where the CLI refuses to be started for bypassing permissions it is started without, and the list says why', async () => {
  // As the CLI does it as root, whoever runs this.
  const refusal = '--dangerously-skip-permissions cannot be used with root/sudo privileges';
  const made = await createFakeBench(
    { rejectFlags: ['--allow-dangerously-skip-permissions'], rejectText: refusal },
    { settings: { allowBypassPermissions: true } },
  );
  benches.push(made);
  made.conversation.prewarm();
  await made.until('the refusal', (view) => bypassRow(view)?.disabledReason !== undefined);
  assert.match(bypassRow(made.view)?.disabledReason ?? '', /Not as root/);
  await made.prompt('hi');
  await made.until('the end', isIdle);
});

test('in a workspace that is not trusted the settings alone do not offer to bypass permissions', async () => {
  const made = await createFakeBench(
    { turns: [] },
    { settings: { allowBypassPermissions: true }, trusted: false, mode: 'bypassPermissions' },
  );
  benches.push(made);
  made.conversation.prewarm();
  await made.until('the start', ({ models }) => models.length > 0);
  assert.equal(made.view.mode, 'default');
  assert.equal(bypassRow(made.view), undefined);
  const [start] = await made.fake.records('start');
  assert.ok(start && !JSON.stringify(start).includes('bypassPermissions'));
});
