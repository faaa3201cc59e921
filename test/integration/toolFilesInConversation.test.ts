import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createDeferred } from '../../src/base/deferred';
import { ServerRegistry } from '../../src/mcp/registry';
import type { ToolFilesAnswer } from '../../src/workspaceTools/toolFile';
import { resultsRule } from '../../src/workspaceTools/toolFilePaths';
import { message, say, type Script, toolUse } from '../harness/model/script';
import { createToolRoom, says, tempFolder } from '../unit/workspaceTools/toolRoom';
import { answerAllCards, type ConversationBench, createBench, toolsOf } from './conversationBench';

const FILE = '.patchbay/tools/shout.tool.ts';

function shout(mark: string): string {
  return `import { defineTool, z } from 'patchbay';

export default defineTool({
  description: 'Says it loudly.',
  input: { text: z.string() },
  alwaysLoad: true,
  run: ({ text }, ctx) => \`\${text.toUpperCase()}${mark} \${ctx.state.size}\`,
});
`;
}

const script: Script = ({ prompt, step }) => {
  if (step > 0) return say('done');
  return prompt === 'write a tool'
    ? message([toolUse('Write', { file_path: FILE, content: shout('!') })])
    : message([toolUse('mcp__workspace__shout', { text: 'hello' })]);
};

/** Plays a prompt, allows what the CLI asks, and tells what the last tool gave. */
async function play(made: ConversationBench, prompt: string): Promise<string> {
  const before = toolsOf(made.view).length;
  await made.prompt(prompt);
  await made.until(prompt, (view) =>
    view.items.some((item) => item.kind === 'user' && item.text === prompt),
  );
  await answerAllCards(made, 'allowOnce');
  const [block] = toolsOf(made.view).slice(before);
  return block?.result?.text ?? '';
}

test('a tool that the agent writes is refused, approved, used and changed in one conversation with the real CLI', async (t) => {
  const registry = new ServerRegistry();
  const made = await createBench({ model: { script }, registry });
  t.after(() => made.dispose());
  const { workspace } = made.sandbox;
  const room = await createToolRoom(t, { folder: workspace, ports: { registry } });
  await room.look();
  const asked = createDeferred<ToolFilesAnswer>();
  room.answer = () => asked.promise;

  await play(made, 'write a tool');
  room.tools.changedOnDisk(path.join(workspace, FILE));
  await room.look();
  assert.equal(room.questions.length, 1);
  assert.equal(room.questions[0]?.changes[0]?.after, shout('!'));
  await made.conversation.syncServers();
  assert.match(await play(made, 'call it unapproved'), /needs the person's approval/);

  asked.resolve('approve');
  await room.look();
  assert.match(await play(made, 'call it'), /^HELLO! 0/);

  room.answer = () => 'approve';
  await room.write(FILE, shout('!!!'));
  room.tools.changedOnDisk(path.join(workspace, FILE));
  await room.look();
  assert.match(await play(made, 'call it changed'), /^HELLO!!! 0/);

  room.answer = () => 'refuse';
  await room.write(FILE, shout('?'));
  room.tools.changedOnDisk(path.join(workspace, FILE));
  await room.look();
  assert.match(await play(made, 'call it refused'), /the person refused/);

  room.answer = () => 'approve';
  await room.tools.askAgain(workspace);
  await room.look();
  assert.match(await play(made, 'call it again'), /^HELLO\? 0/);
  await room.remove(FILE);
  await room.look();
  assert.match(await play(made, 'call what is gone'), /not found|No such tool/);
});

test('the whole of a result that was cut is read by the agent with no question, and other files outside ask', async (t) => {
  const home = await tempFolder(t);
  const storage = path.join(home, 'the storage ü');
  const long: Script = ({ step, results }) => {
    if (step === 0) return message([toolUse('mcp__workspace__long', {})]);
    const file = /The whole is in (.+)\]/.exec(results[0]?.text ?? '')?.[1] ?? 'no file named';
    const other = path.join(home, 'secret.txt');
    if (step === 1) return message([file, other].map((one) => toolUse('Read', { file_path: one })));
    return say('done');
  };
  const rule = resultsRule(storage, process.platform);
  assert.ok(rule !== undefined);
  const registry = new ServerRegistry();
  const made = await createBench({
    ...{ model: { script: long }, registry },
    onEnded: (id) => room.tools.conversationEnded(id),
    settings: { allowedTools: ['mcp__workspace__long', rule] },
  });
  t.after(() => made.dispose());
  const room = await createToolRoom(t, {
    folder: made.sandbox.workspace,
    storage,
    ports: { registry },
  });
  room.limits.maxResultChars = 1_000;
  await writeFile(path.join(home, 'secret.txt'), 'secret');
  await room.write(
    '.patchbay/tools/long.tool.ts',
    says('x').replace('() => "x"', '() => "line\\n".repeat(500) + "the end"'),
  );
  await room.look();
  await made.prompt('go');
  const cards = await answerAllCards(made, 'deny');
  const [cut, whole, other] = toolsOf(made.view);
  assert.match(cut?.result?.text ?? '', /The whole is in /);
  assert.match(whole?.result?.text ?? '', /501\D+the end/);
  assert.deepEqual([whole?.state, other?.state], ['done', 'denied']);
  assert.deepEqual(
    cards.map(({ toolUseId }) => toolUseId),
    [other?.id],
  );
  const file = /The whole is in (.+)\]/.exec(cut?.result?.text ?? '')?.[1] ?? '';
  assert.ok(existsSync(file), file);
  await made.conversation.dispose();
  // It goes with the conversation.
  while (existsSync(file)) await new Promise((resolve) => setImmediate(resolve));
});
