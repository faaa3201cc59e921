import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deploy } from '../../../docs/samples/mcp/deploy';
import { greet } from '../../../docs/samples/mcp/greet';
import { createNotes } from '../../../docs/samples/mcp/notes';
import { statistics } from '../../../docs/samples/mcp/statistics';
import { createCalculator } from '../../../docs/samples/calculator/calculator';
import { inRoot } from '../../harness/paths';
import { createBench, serverWith, textOf } from './routerFixture';

const page = readFileSync(inRoot('docs/mcp.md'), 'utf8');

test('the examples of docs/mcp.md are the samples, word by word', () => {
  const shown = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  const files = readdirSync(inRoot('docs/samples/mcp')).map((name) =>
    readFileSync(inRoot(`docs/samples/mcp/${name}`), 'utf8'),
  );
  assert.deepEqual(shown.toSorted(), files.toSorted());
});

test('greet is on the wire as the page says', async () => {
  const { send, call } = createBench([serverWith('samples', greet)]);
  const { result } = await send('samples', { id: 1, method: 'tools/list' });
  const [tool] = result?.tools as { inputSchema: unknown }[];
  const json = JSON.stringify(tool?.inputSchema);
  assert.ok(page.includes(json), json);
  assert.equal(textOf(await call('samples', 'greet', { name: 'Ann' })), 'Hi Ann!');
  assert.equal(
    textOf(await call('samples', 'greet', { name: 'Ann', formal: true })),
    'Good day, Ann.',
  );
});

test('the samples with an output schema, a form, resources, prompts and a method of their own run', async () => {
  const { call } = createBench([serverWith('samples', statistics, deploy)], {
    ask: () => Promise.resolve({ action: 'accept', content: { target: 'staging' } }),
  });
  const { result } = await call('samples', 'statistics', { numbers: [1, 2, 6] });
  assert.deepEqual(result?.structuredContent, { count: 3, sum: 9, mean: 3 });
  assert.equal(
    textOf(await call('samples', 'deploy')),
    'Deployed to staging, number 1 of this conversation',
  );
  const { send } = createBench([createNotes()]);
  const ask = (method: string, params: unknown) => send('notes', { id: 1, method, params });
  assert.deepEqual((await ask('resources/read', { uri: 'note://milk' })).result, {
    contents: [{ uri: 'note://milk', mimeType: 'text/plain', text: 'Buy milk' }],
  });
  const prompt = await ask('prompts/get', { name: 'plan', arguments: { id: 'tax', hours: '2' } });
  assert.match(JSON.stringify(prompt.result), /Plan 2 hours around: Pay taxes/);
  assert.deepEqual((await ask('notes/set', { id: 'new', text: 'x' })).result, {});
});

test('the calculator adds, subtracts, multiplies and divides, but not by zero', async () => {
  const { call } = createBench([createCalculator()]);
  const of = async (name: string, a: number, b: number) => call('calculator', name, { a, b });
  assert.equal(textOf(await of('add', 15, 27)), '42');
  assert.equal(textOf(await of('subtract', 15, 27)), '-12');
  assert.equal(textOf(await of('multiply', 6, 7)), '42');
  assert.equal(textOf(await of('divide', 84, 2)), '42');
  assert.deepEqual((await of('divide', 1, 0)).result, {
    content: [{ type: 'text', text: 'Error: Division by zero' }],
    isError: true,
  });
  assert.match(
    (await call('calculator', 'add', { a: 'x' })).error?.message ?? '',
    /a: expected number, received string "x"\nb: expected number, received nothing/,
  );
});

/** Every code and text that the page's table of errors names is in the sources. */
test('the table of errors names what the router really says', async () => {
  const { send, call } = createBench([createNotes(), serverWith('samples', greet)]);
  const request = (method: string, params?: unknown) => send('notes', { id: 1, method, params });
  const said = [
    await send('gone', { id: 1, method: 'ping' }),
    await request('no/such'),
    await call('samples', 'nope'),
    await call('samples', 'greet', {}),
    await request('resources/read', { uri: 'other://x' }),
    await request('prompts/get', { name: 'nope' }),
    await request('prompts/list', { cursor: 'x' }),
    await send('notes', []),
  ];
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ') && /\| −32\d{3} /.test(line));
  for (const { error } of said) {
    const headline = (error?.message ?? '').split('\n')[0] ?? '';
    const code = String(error?.code).replace('-', '−');
    const general = headline.replace(/'[^']*'/g, "'x'").split(/[:;] /)[0] ?? '';
    assert.ok(
      rows.some((row) => row.includes(code) && row.includes(general)),
      `${code} ${general} stands in the table`,
    );
  }
});
