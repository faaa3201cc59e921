import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as z from 'zod';
import type { HeadlessAsk, HeadlessAsker } from '../../src/conversation/headlessAsks';
import { startHeadless } from '../../src/conversation/headlessConversation';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { startModel } from '../harness/model/modelServer';
import { createRealCliSandbox } from '../harness/model/realCli';
import { message, say, toolUse } from '../harness/model/script';
import { askingServers } from './askingServers';
import { MemoryBuffers, portsOf } from './conversationBench';

const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

const QUESTIONS = [
  { question: 'Color?', header: 'Color', options: ['Red', 'Blue'], multiSelect: false },
  { question: 'Sizes?', header: 'Size', options: ['S', 'L'], multiSelect: true },
].map(({ options, ...one }) => ({
  ...one,
  options: options.map((label) => ({ label, description: `is ${label}` })),
}));
const SCHEMA = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };

/** All that can ask, one after the other; what the model read of each. */
const CALLS = [
  toolUse('mcp__ops__deploy'),
  toolUse('mcp__ext__form', { message: 'Age?', schema: SCHEMA }),
  toolUse('mcp__ext__page', { message: 'Log in', url: 'https://example.com/' }),
  toolUse('AskUserQuestion', { questions: QUESTIONS }),
];

async function told(ask?: HeadlessAsker): Promise<readonly string[]> {
  let results: readonly string[] = [];
  const model = await startModel({
    script: (turn) => {
      results = turn.results.map(({ text }) => text);
      const next = CALLS[turn.step];
      return next === undefined ? say('done') : message([next]);
    },
  });
  ends.push(() => model.close());
  const sandbox = await createRealCliSandbox({ modelUrl: model.url });
  ends.push(() => sandbox.cleanup());
  const registry = new ServerRegistry();
  const deploy = defineTool({
    name: 'deploy',
    description: 'Deploys.',
    input: {},
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    run: async (_, ctx) => JSON.stringify(await ctx.ask({ to: z.enum(['a', 'b']) }, 'Where?')),
  });
  registry.add(createServer({ name: 'ops', tools: [deploy] }));
  const ports = portsOf(
    {
      ...{ registry, externalServers: askingServers(), cliPath: sandbox.command },
      ...{ folder: sandbox.workspace, environment: sandbox.env },
      settings: { allowedTools: ['mcp__ext'] },
    },
    new MemoryBuffers(),
  );
  const conversation = startHeadless(ports, {
    prompt: 'go',
    ask,
    permit: () => Promise.reject(new Error('no permission card for a question')),
  });
  ends.push(() => Promise.resolve(conversation.dispose()));
  for await (const one of conversation)
    if (one.type === 'result') assert.ok(!one.isError, one.text);
  return results;
}

test('whoever started a conversation without a panel answers what is asked in it', async () => {
  const asked: HeadlessAsk[] = [];
  const results = await told((ask, signal) => {
    asked.push(ask);
    assert.equal(signal.aborted, false);
    if (ask.kind === 'questions') {
      return { action: 'accept', content: { 'Color?': 'Blue', 'Sizes?': ['S', 'L'] } };
    }
    if (ask.kind === 'url') return { action: 'accept' };
    return { action: 'accept', content: ask.server === 'ops' ? { to: 'b' } : { age: 7 } };
  });
  const [deploy, form, page, questions] = asked;
  assert.ok(deploy?.kind === 'form' && deploy.tool === 'deploy' && deploy.message === 'Where?');
  assert.ok(form?.kind === 'form' && form.server === 'ext');
  assert.deepEqual(form.schema, SCHEMA);
  assert.ok(page?.kind === 'url' && page.url === 'https://example.com/');
  assert.ok(questions?.kind === 'questions' && questions.questions[1]?.multiSelect === true);
  assert.deepEqual(results.slice(0, 3), [
    '{"action":"accept","content":{"to":"b"}}',
    'answer {"action":"accept","content":{"age":7}}',
    'answer {"action":"accept"}',
  ]);
  assert.match(results[3] ?? '', /"Color\?"="Blue".*"Sizes\?"="S, L"/);
});

test('without anybody to answer the answer is no, and the model is told', async () => {
  const results = await told();
  assert.deepEqual(results.slice(0, 3), [
    '{"action":"decline"}',
    'answer {"action":"decline"}',
    'answer {"action":"decline"}',
  ]);
  assert.match(results[3] ?? '', /dismissed the questions/);
});
