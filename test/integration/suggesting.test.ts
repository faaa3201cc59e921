import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, test } from 'node:test';
import { z } from 'zod';
import { createDeferred } from '../../src/base/deferred';
import type { SuggestQuery, SuggestRow } from '../../src/chat/suggestProtocol';
import type { UserItem, ViewState } from '../../src/chat/viewStateProtocol';
import type { Conversation } from '../../src/conversation/conversationPorts';
import { gatherSuggestions } from '../../src/conversation/gatherSuggestions';
import { definePrompt } from '../../src/mcp/definePrompt';
import { defineResource } from '../../src/mcp/defineResource';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { say } from '../harness/model/script';
import { eventually } from '../harness/panelSandbox/eventually';
import {
  type ConversationBench,
  createBench,
  createFakeBench,
  type DrivenConversation,
  isIdle,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Notes: prompts that work, fail and wait, and resources of a template. */
function notes() {
  const waiting = createDeferred<AbortSignal>();
  const registry = new ServerRegistry();
  registry.add(
    createServer({
      name: 'notes',
      prompts: [
        definePrompt({
          name: 'plan',
          description: 'Plans a day.',
          arguments: { id: z.string(), hours: z.coerce.number().default(8) },
          complete: { id: (value) => ['milk', 'tax'].filter((id) => id.startsWith(value)) },
          run: ({ id, hours }) => [
            { text: `/compact ${hours} hours @src/a.ts for ${id}` },
            { content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
          ],
        }),
        definePrompt({
          name: 'broken',
          run: () => {
            throw new Error('the shop is closed');
          },
        }),
        definePrompt({
          name: 'slow',
          run: async (_args, { signal }) => {
            waiting.resolve(signal);
            await new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('aborted')));
            });
            return 'never';
          },
        }),
      ],
      resources: [
        defineResource({
          uri: 'note://{id}',
          list: () => [{ uri: 'note://milk', name: 'Milk' }],
          read: ({ id }) => (id === 'milk' ? 'Buy milk, see @src/b.ts' : undefined),
        }),
      ],
    }),
  );
  return { registry, waiting };
}

/** Every row that the conversation itself knows, when all are asked. */
async function rowsOf(conversation: Conversation, query: SuggestQuery) {
  let last: { readonly rows: readonly Pick<SuggestRow, 'label' | 'insert' | 'runs'>[] } = {
    rows: [],
  };
  await gatherSuggestions(conversation.suggest(query), new AbortController().signal, (answer) => {
    last = answer;
  });
  return last.rows;
}

const answers = (view: ViewState) => view.items.filter(({ kind }) => kind === 'assistant').length;
const said = (view: ViewState) =>
  view.items.filter((item): item is UserItem => item.kind === 'user');

/** Sends it and waits for its answer; gives what the model was asked with, the CLI's own words left out. */
async function ask(made: ConversationBench, text: string): Promise<string> {
  const before = answers(made.view);
  await made.prompt(text);
  await made.until('the answer', (view) => answers(view) > before && isIdle(view));
  const request = made.model.requests.filter(({ isSide }) => !isSide).at(-1);
  const messages = request?.body.messages ?? [];
  const last = messages.map(({ role }) => role).lastIndexOf('assistant');
  return JSON.stringify(messages.slice(last + 1));
}

async function refusal(made: DrivenConversation, text: string): Promise<string> {
  const outcome = await made.conversation.submit(randomUUID(), text);
  assert.equal(outcome.accepted, false, text);
  return outcome.reason;
}

test('the CLI’s commands are there once it has answered, and as it changes them', async () => {
  const commands = (...names: readonly string[]) =>
    names.map((name) => ({ name, description: `Does ${name}`, argumentHint: '<what>' }));
  const changed = {
    ...{ type: 'system', subtype: 'commands_changed' },
    commands: commands('compact', 'ext:greet (MCP)'),
  };
  const made = await createFakeBench(
    {
      initialize: { response: { commands: commands('compact', 'team:release') } },
      turns: [[{ line: changed }, { result: { result: 'done' } }]],
    },
    { registry: notes().registry },
  );
  benches.push(made);
  const listed = await rowsOf(made.conversation, { kind: 'command', text: '' });
  const [own, others] = [true, undefined].map((runs) => listed.filter((row) => row.runs === runs));
  assert.deepEqual(
    others?.map(({ label }) => label),
    ['/btw', '/notes:plan', '/notes:broken', '/notes:slow'],
    'no process is started for a list',
  );
  assert.ok(own?.some(({ label }) => label === '/new'));
  made.conversation.prewarm();
  const query = { kind: 'command', text: 're' } as const;
  // On a busy machine the CLI may take longer than a list waits for it: then it is asked again.
  await eventually(
    async () => (await rowsOf(made.conversation, query))[0]?.insert === '/team:release ',
  );
  await made.prompt('hello');
  await made.until('the end', (view) => answers(view) > 0 || isIdle(view));
  const greet = await rowsOf(made.conversation, { kind: 'command', text: 'greet' });
  assert.deepEqual(greet[0], {
    ...{ id: 'cli ext:greet (MCP)', icon: 'mcp', label: '/ext:greet', detail: '<what>' },
    ...{ origin: 'MCP', description: 'Does ext:greet (MCP)', insert: '/mcp__ext__greet ' },
  });
  const all = await rowsOf(made.conversation, { kind: 'command', text: '' });
  assert.ok(!all.some(({ label }) => label === '/team:release'));
});

test('prompts, resources, lines and files of a message reach the model, and nothing that must not', async () => {
  const { registry } = notes();
  const made = await createBench({
    registry,
    model: { script: [say('one'), say('two'), say('three'), say('four')] },
    mentions: {
      problems: () =>
        Promise.resolve([
          {
            file: path.join(made.sandbox.workspace, 'src/a.ts'),
            path: 'src/a.ts',
            lines: ['1:1 error odd'],
          },
          {
            file: path.join(made.sandbox.workspace, 'secret.txt'),
            path: 'secret.txt',
            lines: ['2:2 error key'],
          },
        ]),
    },
    files: {
      'src/b.ts': 'export const CONTENT_OF_B = 2;\n',
      'secret.txt': 'SECRET',
      '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Read(./secret.txt)'] } }),
      '.claude/commands/release.md': '---\ndescription: Writes notes\n---\nRelease $ARGUMENTS',
    },
  });
  benches.push(made);

  // A prompt is run by us; nothing in it is a command or a mention.
  const planned = await ask(made, '/notes:plan id=milk hours=4');
  assert.match(planned, /\/compact 4 hours @src\/a\.ts for milk/);
  assert.match(planned, /"media_type":"image\/png"/);
  assert.doesNotMatch(planned, /export const one/);
  assert.equal(said(made.view)[0]?.text, '/notes:plan id=milk hours=4');
  assert.match(said(made.view)[0]?.expansion?.[0]?.text ?? '', /4 hours .* for milk\n\nPicture/);

  // The running CLI's commands are listed beside it.
  const rows = await rowsOf(made.conversation, { kind: 'command', text: 'release' });
  assert.equal(rows[0]?.label, '/release');

  // A resource goes before the words, a file is read by the CLI itself.
  const mentioned = await ask(made, 'compare @notes:note://milk, with @src/a.ts');
  assert.match(mentioned, /<attached server=.{1,3}notes.{1,3} uri=.{1,3}note:\/\/milk/);
  assert.match(mentioned, /Buy milk, see @src\/b\.ts/);
  assert.match(mentioned, /export const one/, 'the CLI has attached the file');
  assert.doesNotMatch(mentioned, /CONTENT_OF_B/, 'what a resource says mentions nothing');

  // Lines are those that the person sees, saved or not.
  made.buffers.dirty.set(
    path.join(made.sandbox.workspace, 'src/a.ts'),
    'one\ntwo unsaved\nthree\n',
  );
  assert.match(await ask(made, 'explain @src/a.ts:2-3'), /two unsaved\\nthree\\n<\/attached>/);
  const problems = await ask(made, 'fix @problems');
  assert.match(problems, /1:1 error odd/);
  assert.doesNotMatch(problems, /2:2 error key/);
  assert.match(problems, /1 more files are left out/);

  // What fails is said, and nothing is sent: the message stays with the person.
  const before = made.model.requests.length;
  assert.match(await refusal(made, '/notes:broken'), /the shop is closed.* Your message is kept\./);
  assert.match(await refusal(made, '/notes:plan hours=3'), /it needs id= behind/);
  assert.match(await refusal(made, '/notes:nowhere'), /Prompt 'nowhere' not found/);
  assert.match(await refusal(made, 'see @notes:note://gone'), /'note:\/\/gone' not found/);
  assert.match(await refusal(made, 'see @secret.txt'), /the rule Read\(\.\/secret\.txt\) forbids/);
  assert.match(await refusal(made, 'see @secret.txt:1'), /forbids/);
  assert.match(await refusal(made, 'see @src/a.ts:70'), /has no line 70/);
  assert.deepEqual([made.model.requests.length, said(made.view).length], [before, 4]);

  // Drawn from the disk it is what was typed.
  await made.conversation.dispose();
  const next = made.again(made.kept());
  await next.until('the transcript', (view) => said(view).length === 4);
  assert.deepEqual(
    said(next.view).map(({ text }) => text),
    said(made.view).map(({ text }) => text),
  );
});

test('Stop takes back a message whose prompt is still running, and aborts that', async () => {
  const { registry, waiting } = notes();
  const made = await createFakeBench({}, { registry });
  benches.push(made);
  const outcome = made.conversation.submit('p1', '/notes:slow');
  const later = made.conversation.submit('p2', 'hello');
  const signal = await waiting.promise;
  assert.equal(made.conversation.submit('p1', '/notes:slow'), outcome);
  await made.conversation.stop();
  assert.equal(signal.aborted, true);
  const [first, second] = await Promise.all([outcome, later]);
  assert.match(first.accepted ? '' : first.reason, /Stopped before/);
  assert.equal(second.accepted, false);
  assert.deepEqual(said(made.view), []);
  await made.prompt('hello');
  await made.until('the end', isIdle);
  assert.deepEqual(
    said(made.view).map(({ text }) => text),
    ['hello'],
  );
});

test('a prompt for the queue is run when it is handed in, and can be taken back without the turn', async () => {
  const { registry, waiting } = notes();
  const made = await createFakeBench({ turns: [[{ hang: true }]] }, { registry });
  benches.push(made);
  await made.prompt('a long job');
  await made.until('the turn', (view) => view.status.kind === 'working' || said(view).length === 1);
  const taken = made.conversation.submit('slow', '/notes:slow');
  await waiting.promise;
  made.conversation.cancelSubmit();
  assert.equal((await taken).accepted, false);
  await made.prompt('/notes:plan tax');
  await made.until('the queue', (view) => view.queue.length === 1);
  assert.equal(made.view.status.kind === 'stopping', false, 'the turn goes on');
  assert.deepEqual(
    made.view.queue.map(({ text, ...rest }) => [text, Object.keys(rest)]),
    [['/notes:plan tax', ['id']]],
  );
  assert.deepEqual(Object.keys(made.kept()?.queue[0] ?? {}).sort(), ['id', 'text']);
});
