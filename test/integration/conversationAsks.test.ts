import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as z from 'zod';
import type { FormDraft } from '../../src/base/formField';
import type { AskCard } from '../../src/chat/askProtocol';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { message, say, type Script, toolUse } from '../harness/model/script';
import { askingServers } from './askingServers';
import {
  type BenchOptions,
  type ConversationBench,
  createBench,
  isIdle,
  toolsOf,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

const CHOICE = {
  question: 'Which color?',
  header: 'Color',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold', preview: 'blue blue' },
  ],
  multiSelect: false,
};
const SIZES = {
  question: 'Which sizes?',
  header: 'Size',
  options: ['S', 'M', 'L'].map((label) => ({ label, description: `size ${label}` })),
  multiSelect: true,
};
const PLAIN = {
  type: 'object',
  properties: { age: { type: 'integer', minimum: 1 } },
  required: ['age'],
};

/** A server of ours whose tool asks where to deploy. */
function deployRegistry(): ServerRegistry {
  const registry = new ServerRegistry();
  registry.add(
    createServer({
      name: 'ops',
      tools: [
        defineTool({
          name: 'deploy',
          title: 'Deploy',
          description: 'Deploys.',
          input: {},
          annotations: { readOnlyHint: true },
          alwaysLoad: true,
          run: async (_, { ask }) => {
            const answer = await ask(
              { to: z.enum(['staging', 'production']), copies: z.int().min(1).default(2) },
              'Deploy where?',
            );
            return answer.action === 'accept'
              ? `to ${answer.content.to}, ${answer.content.copies} copies`
              : `not deployed: ${answer.action}`;
          },
        }),
        defineTool({
          name: 'label',
          title: 'Label',
          description: 'Labels.',
          input: {},
          annotations: { readOnlyHint: true },
          alwaysLoad: true,
          run: async (_, { ask }) => {
            const note = z.string().min(3).nullable();
            const answer = await ask({ note, size: z.enum(['s', 'l']).nullable() }, 'Which label?');
            return JSON.stringify(answer);
          },
        }),
      ],
    }),
  );
  return registry;
}

/** The model calls what the prompt says, `TOOL JSON`, and then is done. */
const obey: Script = ({ prompt, step }) => {
  const [tool = '', ...rest] = prompt.split(' ');
  return step === 0 && /^(mcp__|Ask)/.test(tool)
    ? message([toolUse(tool, JSON.parse(rest.join(' ')) as Record<string, unknown>)])
    : say('done');
};

async function bench(options: BenchOptions = {}): Promise<ConversationBench> {
  const made = await createBench({
    model: { script: obey },
    registry: deployRegistry(),
    externalServers: askingServers(),
    settings: { allowedTools: ['mcp__ext'] },
    ...options,
  });
  benches.push(made);
  return made;
}

let shared: Promise<ConversationBench> | undefined;
/** One conversation for those that only ask and answer in it. */
const common = (): Promise<ConversationBench> => (shared ??= bench());

/** Has the model call the tool and waits for what it asks. */
async function asked(made: ConversationBench, tool: string, input: object = {}): Promise<AskCard> {
  await made.prompt(`${tool} ${JSON.stringify(input)}`);
  await made.until(`what ${tool} asks`, (view) => view.asks.length === 1);
  const [card] = made.view.asks;
  assert.ok(card);
  return card;
}

const turnOver = (view: ViewState): boolean => view.asks.length === 0 && isIdle(view);

/** What the model read of its last call. */
async function told(made: ConversationBench): Promise<string> {
  await made.until('the end of the turn', turnOver);
  return toolsOf(made.view).at(-1)?.result?.text ?? '';
}

const accept = (draft: FormDraft = {}) => ({ action: 'accept', draft }) as const;

test('a tool asks by a form, gets what fits its schema, and is told of a no', async () => {
  const made = await common();
  const card = await asked(made, 'mcp__ops__deploy');
  assert.ok(card.kind === 'form' && card.title === 'Deploy' && card.message === 'Deploy where?');
  assert.deepEqual(
    card.fields.map(({ kind, label, required }) => [kind, label, required]),
    [
      ['choice', 'To', true],
      ['number', 'Copies', false],
    ],
  );
  assert.equal(made.view.status.kind, 'waitingForAnswer');
  made.conversation.asks.answer(card.id, accept({ '0': '', '1': '2' }));
  assert.equal(made.conversation.snapshot().asks.length, 1, 'what does not fit is no answer');
  made.conversation.asks.answer(card.id, accept({ '0': '1', '1': '3' }));
  made.conversation.asks.answer(card.id, { action: 'decline' });
  assert.equal(await told(made), 'to production, 3 copies');
  const declined = await asked(made, 'mcp__ops__deploy');
  made.conversation.asks.answer(declined.id, { action: 'decline' });
  assert.equal(await told(made), 'not deployed: decline');
  const lines = made.view.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  assert.deepEqual(lines, ['You answered: Deploy where?', 'You declined: Deploy where?']);
});

test('what may be null and is left empty is null for the tool', async () => {
  const made = await common();
  const card = await asked(made, 'mcp__ops__label');
  assert.ok(card.kind === 'form' && card.fields.every(({ required }) => !required));
  made.conversation.asks.answer(card.id, accept({ '0': '', '1': '' }));
  assert.equal(await told(made), '{"action":"accept","content":{"note":null,"size":null}}');
});

test('the model’s questions are answered singly, severally and in own words; dismissed it is told', async () => {
  const made = await common();
  const ask = (...questions: object[]) => asked(made, 'AskUserQuestion', { questions });
  const both = await ask(CHOICE, SIZES);
  assert.ok(both.kind === 'questions' && both.questions[0]?.options[1]?.preview === 'blue blue');
  assert.deepEqual(made.view.permissions, []);
  made.conversation.asks.answer(
    both.id,
    accept({ '0': ['1'], '1': ['0', '2'], '0/notes': 'navy' }),
  );
  const answered = await told(made);
  assert.match(answered, /"Which color\?"="Blue"/);
  assert.match(answered, /navy/);
  assert.match(answered, /"Which sizes\?"="S, L"/);
  const own = await ask(CHOICE);
  const words = { '0/usesOwn': true, '0/own': 'rather green' };
  made.conversation.asks.answer(own.id, accept(words));
  assert.match(await told(made), /"Which color\?"="rather green"/);
  const dismissed = await ask(CHOICE);
  made.conversation.asks.answer(dismissed.id, { action: 'decline' });
  assert.match(await told(made), /dismissed the questions without answering/);
  const last = made.model.requests.filter(({ isSide }) => !isSide).at(-1);
  assert.match(JSON.stringify(last?.body), /dismissed the questions without answering/);
  assert.equal(toolsOf(made.view).at(-1)?.state, 'denied');
});

test('an external server asks by a form and for a page, and gets what the person said', async () => {
  const made = await common();
  const form = await asked(made, 'mcp__ext__form', { message: 'Your age?', schema: PLAIN });
  assert.ok(form.kind === 'form' && form.server === 'ext' && form.message === 'Your age?');
  made.conversation.asks.answer(form.id, accept({ '0': '0' }));
  made.conversation.asks.answer(form.id, accept({ '0': '41' }));
  assert.equal(await told(made), 'answer {"action":"accept","content":{"age":41}}');
  const no = await asked(made, 'mcp__ext__form', { schema: PLAIN });
  made.conversation.asks.answer(no.id, { action: 'decline' });
  assert.equal(await told(made), 'answer {"action":"decline"}');
  const url = 'https://example.com/login?a=b';
  const page = await asked(made, 'mcp__ext__page', { message: 'Log in', url });
  assert.ok(page.kind === 'link' && page.host === 'example.com');
  assert.equal(made.conversation.asks.url(page.id), url);
  made.conversation.asks.answer(page.id, accept());
  assert.equal(made.conversation.asks.url(page.id), undefined);
  assert.equal(await told(made), 'answer {"action":"accept"}');
});

test('Stop takes forms and questions away, and the next turn is as any other', async () => {
  const made = await common();
  for (const [tool, input] of [
    ['mcp__ops__deploy', {}],
    ['mcp__ext__form', { schema: PLAIN }],
    ['AskUserQuestion', { questions: [CHOICE] }],
  ] as const) {
    const card = await asked(made, tool, input);
    await made.conversation.stop();
    await made.until(`the end of ${tool}`, (view) => view.status.kind === 'idle');
    assert.deepEqual(made.view.asks, [], tool);
    made.conversation.asks.answer(card.id, accept({ '0': '1' }));
  }
  const card = await asked(made, 'mcp__ops__deploy');
  made.conversation.asks.answer(card.id, accept({ '0': '0', '1': '2' }));
  assert.equal(await told(made), 'to staging, 2 copies');
});

test('after a kill a form stands as interrupted with what was typed, and its answer is the next message', async () => {
  const made = await bench();
  const card = await asked(made, 'mcp__ops__deploy');
  made.conversation.asks.draft(card.id, { '0': '1', '1': '5' });
  const kept = made.kept();
  assert.deepEqual(kept?.asks?.[0]?.draft, { '0': '1', '1': '5' });
  await made.conversation.dispose();

  const next = made.again(kept);
  await next.until('the form', (view) => view.asks.length === 1);
  const [back] = next.view.asks;
  assert.ok(back?.kind === 'form' && back.interrupted === true);
  assert.deepEqual(back.draft, { '0': '1', '1': '5' });
  assert.equal(next.view.status.kind, 'idle');
  assert.equal(next.kept()?.asks?.length, 1, 'it survives one more restart');
  next.conversation.asks.answer(back.id, accept({ '0': '1', '1': '' }));
  await next.until(
    'the message',
    (view) => view.asks.length === 0 && view.items.at(-1)?.kind !== 'notice',
  );
  const prompt = next.view.items.findLast((item) => item.kind === 'user');
  assert.match(prompt?.kind === 'user' ? prompt.text : '', /Deploy where\?[^]*To: production/);
});

test('the model’s questions reach the person in every mode but dontAsk, and none is answered for them (C14)', async () => {
  const cliArguments = ['--allow-dangerously-skip-permissions'];
  // As root it allows that only where it is told that it runs in a sandbox.
  const environment = { IS_SANDBOX: '1' };
  const made = await bench({ settings: { cliArguments }, environment });
  for (const mode of ['acceptEdits', 'plan', 'auto', 'bypassPermissions']) {
    await made.conversation.setMode(mode);
    const card = await asked(made, 'AskUserQuestion', { questions: [CHOICE, SIZES] });
    assert.equal(made.view.mode, mode);
    const draft = { '0/usesOwn': true, '0/own': `sea ${mode}`, '1': ['1', '2'] };
    made.conversation.asks.answer(card.id, accept(draft));
    assert.match(await told(made), new RegExp(`"Which color\\?"="sea ${mode}", .*"M, L"`));
  }
});
