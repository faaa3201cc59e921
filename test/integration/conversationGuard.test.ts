import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, toolUse, type Script } from '../harness/model/script';
import {
  answerAllCards,
  createBench,
  isIdle,
  saidIn,
  toolsOf,
  type BenchOptions,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: Script, options: BenchOptions = {}) {
  const made = await createBench({ model: { script }, ...options });
  benches.push(made);
  return made;
}

for (const mode of ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']) {
  test(`writes to protected places and outside never pass unasked in mode ${mode}`, async () => {
    const outside = '/tmp/patchbay-outside-probe.txt';
    const made = await bench(
      (turn) =>
        turn.step === 0
          ? message([
              toolUse('Write', {
                file_path: path.join(workspaceIn(turn.context), '.patchbay/tools/x.tool.ts'),
                content: '1',
              }),
              toolUse('Write', {
                file_path: path.join(workspaceIn(turn.context), '.vscode/settings.json'),
                content: '{}',
              }),
              toolUse('Write', {
                file_path: path.join(workspaceIn(turn.context), '.git/hooks/pre-commit'),
                content: '1',
              }),
              toolUse('Write', { file_path: outside, content: '1' }),
            ])
          : say('ok'),
      // As root bypass is taken only where the CLI is told that it runs in a sandbox.
      { mode, settings: { allowBypassPermissions: true }, environment: { IS_SANDBOX: '1' } },
    );
    await made.prompt('go');
    const cards = await answerAllCards(made, 'deny');
    // Where nothing is changed, or nobody is asked, only what would run inside the editor is.
    assert.equal(cards.length, mode === 'plan' || mode === 'dontAsk' ? 1 : 4);
    assert.equal(made.view.mode, mode);
    assert.ok(
      cards.every((card) => card.reason),
      'each card says why',
    );
    assert.deepEqual(
      toolsOf(made.view).map((tool) => tool.state),
      ['denied', 'denied', 'denied', 'denied'],
    );
  });
}

for (const mode of ['default', 'acceptEdits']) {
  test(`an allowed write to a protected place is asked about once and written in mode ${mode}`, async () => {
    const made = await bench(
      (turn) =>
        turn.step === 0
          ? message([
              toolUse('Write', {
                file_path: path.join(workspaceIn(turn.context), '.vscode/settings.json'),
                content: '{}\n',
              }),
            ])
          : say('ok'),
      { mode },
    );
    await made.prompt('go');
    const cards = await answerAllCards(made, 'allowOnce');
    assert.equal(cards.length, 1);
    const file = path.join(made.sandbox.workspace, '.vscode/settings.json');
    assert.equal(await readFile(file, 'utf8'), '{}\n');
  });
}

for (const how of ['Stop', 'Deny and stop']) {
  test(`${how} before a card of the guard ends the turn, and nothing is written`, async () => {
    const made = await bench((turn) =>
      turn.prompt === 'write'
        ? message([
            toolUse('Write', {
              file_path: path.join(workspaceIn(turn.context), '.vscode/settings.json'),
              content: '{}\n',
            }),
          ])
        : say('Fine.'),
    );
    await made.prompt('write');
    await made.until('the card', (view) => view.permissions.length === 1);
    const card = made.view.permissions[0]?.id ?? '';
    if (how === 'Stop') await made.conversation.stop();
    else made.conversation.answerPermission(card, 'denyAndStop');
    await made.until('idle', (view) => view.status.kind === 'idle');
    assert.equal(made.view.permissions.length, 0);
    made.conversation.answerPermission(card, 'allowOnce');
    await made.prompt('hello');
    await made.until('an answer', (view) => saidIn(view).includes('Fine.'));
    await assert.rejects(readFile(path.join(made.sandbox.workspace, '.vscode/settings.json')));
  });
}

test('a write to a file with unsaved changes is refused; Save and try again saves and asks again', async () => {
  const made = await bench((turn) =>
    turn.step === 0
      ? message([
          toolUse('Edit', {
            file_path: path.join(workspaceIn(turn.context), 'src/a.ts'),
            old_string: 'one = 1',
            new_string: 'one = 2',
          }),
        ])
      : say('ok'),
  );
  const file = path.join(made.sandbox.workspace, 'src/a.ts');
  made.buffers.dirty.set(file, 'export const one = 1; // mine\n');
  await made.prompt('edit it');
  await made.until('the refusal', isIdle);
  const refused = toolsOf(made.view)[0];
  assert.deepEqual(refused?.actions, ['saveAndRetry', 'discardAndRetry']);
  assert.match(refused.result?.text ?? '', /unsaved changes/);
  assert.equal(await readFile(file, 'utf8'), 'export const one = 1;\n', 'nothing was written');
  await made.conversation.toolAction(refused.id, 'saveAndRetry');
  await made.until('the second try', (view) => view.permissions.length === 1);
  assert.deepEqual(made.buffers.saved, [file]);
  const card = made.view.permissions[0];
  assert.deepEqual(
    card?.diff?.hunks[0]?.lines.filter((line) => line.startsWith('+')),
    ['+export const one = 2;'],
  );
  made.conversation.answerPermission(card.id, 'allowOnce');
  await made.until('the end', isIdle);
  assert.equal(await readFile(file, 'utf8'), 'export const one = 2;\n');
});

test('in an untrusted workspace no tool that acts is offered and no workspace server is started', async () => {
  const marker = 'server-was-started';
  const files = {
    '.mcp.json': JSON.stringify({
      mcpServers: { evil: { command: '/bin/sh', args: ['-c', `touch ${marker}`] } },
    }),
    '.claude/settings.json': JSON.stringify({
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `touch ${marker}` }] }] },
    }),
  };
  const made = await bench([say('hello')], { trusted: false, files });
  await made.prompt('hi');
  await made.until('the answer', isIdle);
  const tools = made.model.requests.find((request) => !request.isSide)?.turn.tools ?? [];
  assert.ok(tools.includes('mcp__probe__echo'));
  const acting = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'Agent', 'Task', 'Skill', 'Monitor'];
  assert.deepEqual(
    tools.filter((name) => acting.includes(name)),
    [],
  );
  await assert.rejects(readFile(path.join(made.sandbox.workspace, marker)));
});

test("the CLI's own plan file is written without a question", async () => {
  const made = await bench(
    (turn) =>
      turn.step === 0
        ? message([
            toolUse('Write', {
              file_path: /\S+\/plans\/\S+\.md/.exec(turn.context)?.[0] ?? 'no plan file named',
              content: '# The plan\n',
            }),
          ])
        : say('ok'),
    { mode: 'plan' },
  );
  await made.prompt('plan it');
  await made.until('the end', isIdle);
  const write = toolsOf(made.view)[0];
  assert.match(write?.input ?? '', /\/plans\//);
  assert.equal(write?.state, 'done');
});

test("the person's own servers are offered, those of the workspace are not started", async () => {
  const server = (name: string): object => ({
    command: process.execPath,
    args: ['-e', STDIO_SERVER, name],
  });
  const workspaceConfig = JSON.stringify({ mcpServers: { theirs: server('theirs') } });
  const made = await bench([say('hello')], { files: { '.mcp.json': workspaceConfig } });
  const config = path.join(made.sandbox.home, '.claude', '.claude.json');
  await mkdir(path.dirname(config), { recursive: true });
  await writeFile(config, JSON.stringify({ mcpServers: { mine: server('mine') } }));
  await made.prompt('hi');
  await made.until('the answer', isIdle);
  const request = JSON.stringify(made.model.requests.find((each) => !each.isSide)?.body);
  assert.ok(request.includes('mcp__mine__ping'));
  assert.ok(!request.includes('mcp__theirs__ping'));
});

/** The smallest MCP server over stdio: one tool, `ping`. */
const STDIO_SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'own', version: '1' },
    },
    'tools/list': { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] },
  };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
});`;

/** The working folder, as the CLI tells the model. */
function workspaceIn(context: string): string {
  const found = /Primary working directory: (.+)|Working directory: (.+)/.exec(context);
  const folder = found?.[1] ?? found?.[2];
  assert.ok(folder, 'the model is told the working folder');
  return folder.trim();
}
