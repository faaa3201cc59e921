import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { exportMarkdown } from '../../src/chat/conversationExport';
import type { RedactOptions } from '../../src/conversation/wire/redactFrame';
import { parseWireFile } from '../../src/conversation/wire/parseWireFile';
import type { ReplayReport } from '../../src/conversation/wire/replay';
import { WireLog } from '../../src/conversation/wire/wireLog';
import { writeWireFile } from '../../src/conversation/wire/writeWireFile';
import { message, say, toolUse } from '../harness/model/script';
import { inRoot, root } from '../harness/paths';
import { runReplay as runProgram } from '../harness/replay/replayProgram';
import { createBench, isIdle, toolsOf, type ConversationBench } from './conversationBench';

let folder = '';
let made: ConversationBench | undefined;
/** What the wire of a conversation with the real CLI was, and what the person saw of it. */
let log: WireLog;
let transcript = '';

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay replay '));
  made = await createBench({
    model: {
      script: [
        message([
          toolUse('mcp__probe__echo', { value: 'a' }),
          toolUse('mcp__probe__fail', { value: 'b' }),
        ]),
        message([toolUse('mcp__probe__echo', { valeu: 'a' })]),
        message([toolUse('mcp__probe__store', { value: 'é😀' })]),
        say('It is stored.'),
      ],
    },
  });
  const { conversation, view } = made;
  log = new WireLog({ now: Date.now, onAdd: () => undefined });
  conversation.wire.listen(log);
  await made.prompt('Store it, please.');
  await made.until('the question', ({ permissions }) => permissions.length > 0);
  conversation.answerPermission(view.permissions[0]?.id ?? '', 'allowOnce');
  await made.until('the end', isIdle);
  assert.deepEqual(
    toolsOf(view).map(({ state }) => state),
    ['done', 'failed', 'failed', 'done'],
  );
  transcript = exportMarkdown(view.items);
  await conversation.dispose();
});
after(async () => {
  await made?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const WHOLE: RedactOptions = { secrets: true, contents: false };

function fileOf(options: RedactOptions): string {
  const facts = { cli: '2', extension: undefined, savedAt: Date.now(), dropped: 0 };
  return [...writeWireFile(log.from(1), facts, options)].join('');
}

/** The program that `npm run replay` starts. */
async function runReplay(text: string, ...more: readonly string[]) {
  const file = path.join(folder, 'wire file.ndjson');
  await writeFile(file, text);
  const { scripts } = JSON.parse(await readFile(inRoot('package.json'), 'utf8')) as {
    scripts: { replay: string };
  };
  const [node, ...args] = scripts.replay.split(' ');
  assert.equal(node, 'node');
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [...args, file, ...more],
      { cwd: root },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** The same without a process of its own. */
async function runInside(text: string, ...more: readonly string[]): Promise<unknown[]> {
  const file = path.join(folder, 'another.ndjson');
  await writeFile(file, text);
  const said: string[] = [];
  const code = await runProgram([file, ...more], (line) => said.push(line));
  return [code, ...said];
}

test('a saved conversation with the real CLI, played by npm run replay, is the same conversation', async () => {
  const { code, output } = await runReplay(fileOf(WHOLE), '--chunks', '5', '--json');
  // Written by the program, whose output is JSON with this flag.
  const report = JSON.parse(output) as ReplayReport;
  assert.equal(report.transcript, transcript);
  assert.deepEqual(report.errors, []);
  assert.deepEqual(report.answers.different, []);
  assert.ok(report.answers.same >= 3, `${report.answers.same} answers are compared`);
  assert.deepEqual(
    report.tools.map(({ name, state }) => `${name} ${state}`),
    [
      'mcp__probe__echo done',
      'mcp__probe__fail failed',
      'mcp__probe__echo failed',
      'mcp__probe__store done',
    ],
  );
  assert.deepEqual(report.unanswered, []);
  assert.equal(code, 0);
});

test('an answer that was tampered with is named by its line, and the end is 1', async () => {
  const lines = fileOf(WHOLE).split('\n');
  const at = lines.findIndex((line) => line.includes('"dir":"out"') && line.includes('echo a'));
  lines[at] = lines[at]?.replace('"content":[', '"content":[{"type":"odd"},') ?? '';
  const { code, output } = await runReplay(lines.join('\n'));
  assert.equal(code, 1);
  assert.match(
    output,
    new RegExp(`^line ${at + 1}: answer to tools/call, request .*: .*content`, 'm'),
  );
  assert.match(output, /^Not as recorded\.$/m);
});

test('a file without contents and one that is cut off are refused in words', async () => {
  const hidden = await runReplay(fileOf({ secrets: true, contents: true }));
  assert.equal(hidden.code, 1);
  assert.match(hidden.output, /: user: message\.content$/m);
  assert.match(hidden.output, /"Save without contents" switched off/);
  const whole = fileOf(WHOLE);
  const { length } = parseWireFile(whole).records;
  const line = `line ${length + 1}: not JSON; is the file cut off?`;
  assert.deepEqual(await runInside(whole.slice(0, whole.length - 40)), [1, line]);
  assert.deepEqual(await runInside(''), [1, 'The file is empty']);
  assert.match(String(await runInside(whole, '--chunks', 'x')), /^1,--chunks: expected a whole/);
  assert.match(String(await runInside(whole, 'another')), /^1,Usage: npm run replay/);
});
