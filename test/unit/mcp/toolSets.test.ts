import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseToolSets } from '../../../src/mcp/toolSets';

test('A file of sets names tools by pattern and whole servers', () => {
  const text = JSON.stringify({
    sets: {
      review: {
        description: 'Reading only',
        tools: ['mcp__code__*', ' mcp__workspace__todo ', 'mcp__run'],
        servers: ['code', 'my server'],
      },
      none: {},
    },
  });
  assert.deepEqual(parseToolSets(`\uFEFF${text}`), {
    sets: [
      {
        name: 'review',
        description: 'Reading only',
        patterns: ['mcp__code__*', 'mcp__my_server__*', 'mcp__workspace__todo', 'mcp__run__*'],
      },
      { name: 'none', description: '', patterns: [] },
    ],
    faults: [],
    isBroken: false,
  });
});

test('Each bad entry is named with its place, and nothing else is lost', () => {
  const { sets, faults, isBroken } = parseToolSets(
    JSON.stringify({
      sets: {
        a: { tools: ['Bash', 5, 'mcp__', 'mcp__code__x'], servers: 'code', colour: 1 },
        b: { servers: ['', '*', 'run'] },
        ' ': {},
        c: 'x',
        __proto__: { tools: [] },
      },
    }),
  );
  assert.deepEqual(
    sets.map(({ name, patterns }) => [name, ...patterns]),
    [
      ['a', 'mcp__code__x'],
      ['b', 'mcp__run__*'],
    ],
  );
  assert.equal(isBroken, false);
  const places = [
    'a.tools[0]',
    'a.tools[1]',
    'a.tools[2]',
    'a.servers',
    'a.colour',
    'b.servers[0]',
  ];
  for (const place of places)
    assert.ok(
      faults.some((fault) => fault.startsWith(place)),
      place,
    );
  assert.equal(faults.length, 9);
});

test('A file that is no JSON, or has no sets, is broken as a whole and says why', () => {
  for (const text of ['', '{', '[]', 'null', '{"sets":[]}', '{"Sets":{}}']) {
    const { sets, faults, isBroken } = parseToolSets(text);
    assert.deepEqual([sets, faults.length, isBroken], [[], 1, true], text);
  }
});

test('A file that is far too large keeps within its bounds', () => {
  const tools = Array.from({ length: 5_000 }, (_, at) => `mcp__a__${at}`);
  const sets = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s${at}`, { tools }]));
  const read = parseToolSets(JSON.stringify({ sets }));
  assert.deepEqual([read.sets.length, read.sets[0]?.patterns.length], [200, 1_000]);
  assert.match(read.faults.at(-1) ?? '', /100 are left out/);
});
