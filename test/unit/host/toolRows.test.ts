import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildToolRows, type ToolRowFacts } from '../../../src/host/buildToolRows';
import { withOwnIds } from '../../../src/host/ownRowIds';
import { blockInMarkdown, codeInMarkdown, plainInMarkdown } from '../../../src/host/markdownText';
import { type RowFacts, serverRows } from '../../../src/host/serverRows';
import { setRows } from '../../../src/host/setRows';
import type { ToolsRow } from '../../../src/host/toolRows';
import { parseToolSets } from '../../../src/mcp/toolSets';
import { ToolSwitches } from '../../../src/mcp/toolSwitches';
import type { WireTool } from '../../../src/mcp/wire';
import type { ToolFile, ToolFolder } from '../../../src/workspaceTools/toolFile';

const tool = (name: string, description = 'What it does'): WireTool => ({
  ...{ name, description, inputSchema: { type: 'object' } },
});

function rowsOf(
  servers: Partial<RowFacts>,
  facts: Partial<ToolRowFacts> = {},
  switches = new ToolSwitches(),
) {
  return buildToolRows({
    servers: serverRows({
      ...{ own: [], external: [], status: [], attached: () => undefined },
      isOff: (name) => switches.isServerOff(name),
      ...servers,
    }),
    toolsOf: () => undefined,
    namesOf: () => [],
    folders: servers.folders ?? [],
    fileOf: (_server, name) => `.patchbay/tools/${name}.tool.ts`,
    switches,
    lastCall: () => undefined,
    now: 0,
    ...facts,
  });
}

/** A row and what is below it, one line each. */
function told(rows: readonly ToolsRow[], depth = ''): string[] {
  return rows.flatMap(({ label, description, icon, actions, children }) => [
    `${depth}${label} | ${description} | ${icon} | ${actions.join(' ')}`,
    ...told(children, `${depth}- `),
  ]);
}

const file = (name: string, change: Partial<ToolFile> = {}): ToolFile => ({
  path: `/w/.patchbay/tools/${name}`,
  relativePath: `.patchbay/tools/${name}`,
  isolation: 'host',
  state: { kind: 'ready', offers: [{ kind: 'tool', name: 'todo' }] },
  faults: [],
  ...change,
});

const folder = (files: readonly ToolFile[], hold?: ToolFolder['hold']): ToolFolder => ({
  ...{ path: '/w', server: 'workspace', hold, files, faults: [] },
});

test('Each server stands with its tools, their cost, and what can be done', () => {
  const switches = new ToolSwitches({ servers: ['gone'], tools: ['mcp__code__b'] });
  switches.disable(['mcp__code__c']);
  const rows = rowsOf(
    { own: [{ name: 'code' }, { name: 'gone', extension: 'acme.x' }] },
    { toolsOf: (name) => (name === 'code' ? [tool('a'), tool('b'), tool('c')] : [tool('z')]) },
    switches,
  );
  assert.deepEqual(told(rows), [
    'code | ready · ≈11 tok | circle-outline | switchOff reconnect showLog',
    '- a | ≈11 tok | tools | run showModel switchOff',
    '- b | off · ≈11 tok | circle-slash | showModel switchOn',
    '- c | off by patchbay.disabledTools · ≈11 tok | circle-slash | showModel openSetting',
    'gone | off | circle-slash | switchOn revoke showLog',
    '- z | off · ≈11 tok | circle-slash | showModel',
  ]);
  assert.match(rows[0]?.tooltip ?? '', /1 of 3 tools are on/);
});

test('The last call of a tool stands with its time, and one that failed is marked', () => {
  const at = new Date(2026, 5, 1, 14, 5).getTime();
  const rows = rowsOf(
    { own: [{ name: 'code' }] },
    {
      toolsOf: () => [tool('a')],
      lastCall: (wire) =>
        wire === 'mcp__code__a'
          ? { at, outcome: 'error', durationMs: 1_500, byPerson: true }
          : undefined,
      now: at + 60_000,
    },
  );
  const row = rows[0]?.children[0];
  assert.ok(row);
  assert.match(row.description, /last call .*05.*, failed$/);
  assert.equal(row.tone, 'error');
  assert.match(row.tooltip, /by you, failed after 1&#46;5 s/);
});

test('What costs much is marked and says why: a tool above 500 tokens, a workspace above 3,000', () => {
  const big = tool('big', 'x'.repeat(2_100));
  const many = Array.from({ length: 7 }, (_, at) => tool(`t${at}`, 'x'.repeat(1_900)));
  const rows = rowsOf(
    { own: [{ name: 'code' }], folders: [folder([file('a.tool.ts')])] },
    { toolsOf: (name) => (name === 'code' ? [big] : many) },
  );
  const [code, workspace] = rows;
  assert.deepEqual([code?.icon, code?.children[0]?.icon], ['circle-outline', 'warning']);
  assert.match(code?.children[0]?.said ?? '', /More than 500 tokens$/);
  assert.deepEqual([workspace?.icon, workspace?.tone], ['warning', 'warning']);
  assert.match(workspace?.tooltip ?? '', /more than 3000 tokens of each conversation/);
  assert.equal(workspace?.children[0]?.icon, 'tools');
});

test('Tool files that offer nothing say why, and lead to the place', () => {
  const files = [
    file('todo.tool.ts', {
      faults: [
        { kind: 'duplicate', path: '/w/.patchbay/tools/todo.tool.ts', line: 7, message: 'Twice' },
      ],
    }),
    file('new.tool.ts', { state: { kind: 'needsApproval' } }),
    file('no.tool.ts', { state: { kind: 'refused' } }),
    file('bad.tool.ts', {
      state: { kind: 'failed' },
      faults: [
        { kind: 'syntax', path: '/w/.patchbay/lib/x.ts', line: 3, column: 2, message: 'No }' },
      ],
    }),
    file('slow.tool.ts', { state: { kind: 'loading' } }),
  ];
  const rows = rowsOf(
    { own: [{ name: 'workspace' }], folders: [folder(files)] },
    { toolsOf: () => [tool('todo'), tool('new')] },
  );
  assert.deepEqual(told(rows), [
    'workspace | needs your approval · ≈25 tok | question | approve switchOff withdraw showLog',
    '- todo.tool.ts | Twice | warning | openFile',
    '- new.tool.ts | needs your approval | question | approve openFile',
    '- no.tool.ts | refused by you | circle-slash | approve openFile',
    '- bad.tool.ts | failed: No } | error | openFile',
    '- slow.tool.ts | loading | sync | openFile',
    '- todo | ≈13 tok | tools | run showModel switchOff openFile',
    '- new | needs your approval · ≈12 tok | question | approve showModel switchOff openFile',
  ]);
  assert.deepEqual(rows[0]?.children[3]?.target, {
    ...{ kind: 'file', path: '/w/.patchbay/lib/x.ts', line: 3, column: 2, folder: '/w' },
  });
});

test('A folder that is not used says why, also where nothing of it was read', () => {
  const untrusted = rowsOf({ folders: [folder([], 'untrusted')] });
  assert.deepEqual(told(untrusted), [
    'workspace | the workspace is not trusted | workspace-untrusted | switchOff showLog',
    '- Not used: this workspace is not trusted |  | workspace-untrusted | ',
  ]);
  assert.deepEqual(rowsOf({ folders: [folder([])] }), []);
  const link = { kind: 'file' as const, path: '/w/.patchbay/x', message: 'Leads out' };
  assert.deepEqual(told(rowsOf({ folders: [{ ...folder([]), faults: [link] }] })).slice(1), [
    '- x | Leads out | warning | openFile',
  ]);
});

test('Of a server of the agent its own tools stand by name', () => {
  const known = {
    source: 'setting',
    runIn: 'cli',
    written: { type: 'stdio', command: 'x', args: [] },
  } as const;
  const rows = rowsOf(
    { external: [{ ...known, name: 'ext', state: 'on' }] },
    { namesOf: () => ['get'] },
  );
  assert.deepEqual(
    rows[0]?.children.map(({ label, actions }) => [label, actions]),
    [['get', []]],
  );
});

test('Nothing that a tool says of itself is read as markdown or drawn as more than a line', () => {
  const nasty = '[x](command:evil) <img src=x> `code` **b**\n# title\u202Eabc $(zap)';
  const rows = rowsOf(
    { own: [{ name: 'code' }] },
    { toolsOf: () => [{ ...tool('a', nasty), title: nasty }] },
  );
  const { tooltip = '', said = '' } = rows[0]?.children[0] ?? {};
  assert.doesNotMatch(tooltip, /\]\(|<img|`code`|\n# |\u202E|\$\(/);
  assert.doesNotMatch(said, /\n|\u202E/);
  assert.equal(codeInMarkdown('a`` b'), '``` a`` b ```');
  assert.equal(blockInMarkdown('```\nx', 'json'), '````json\n```\nx\n````');
  assert.equal(plainInMarkdown('a\nb'), 'a  \nb');
});

test('What is wrong with the sets of tools is named, each with its file', () => {
  const sets = { folder: '/w', file: '/w/.patchbay/toolsets.json', sets: [], isBroken: false };
  const rows = setRows([{ ...sets, faults: ['a.tools[0] is bad'] }], 'review');
  assert.deepEqual(told(rows), [
    'toolsets.json | a.tools[0] is bad | warning | openFile',
    'Tool set | The tool set review is not in its file: it goes on as you chose it | warning | ',
  ]);
});

test('Each row has an id of its own, whatever is written twice: else VS Code takes one for the other', () => {
  const server = { runIn: 'cli', written: { type: 'stdio', command: 'x', args: [] } } as const;
  const rows = rowsOf(
    {
      own: [{ name: 'editor' }],
      external: [
        { ...server, name: 'editor', source: 'setting', state: 'hidden', reason: 'taken' },
        { ...server, name: 'github', source: 'setting', state: 'bad', reason: 'no secret' },
        { ...server, name: 'github', source: 'user', state: 'on' },
        { ...server, name: 'github', source: 'workspace', state: 'hidden', reason: 'taken' },
      ],
    },
    {
      toolsOf: (name) => (name === 'editor' ? [tool('open_editors')] : undefined),
      namesOf: (name) => (name === 'github' ? ['issues'] : []),
    },
    new ToolSwitches({ servers: ['github'] }),
  );
  const { faults } = parseToolSets(JSON.stringify({ sets: { '': {}, [' '.repeat(3)]: {} } }));
  assert.equal(faults.length, 2);
  const notes = setRows(
    [{ folder: '/w', file: '/w/s', sets: [], faults, isBroken: false }],
    undefined,
  );
  const all = withOwnIds([...notes, ...rows]);
  const flat = (some: readonly ToolsRow[]): readonly ToolsRow[] =>
    some.flatMap((row) => [row, ...flat(row.children)]);
  const ids = flat(all).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, ids.join('\n'));
  assert.deepEqual(
    all.slice(2).map(({ label, children }) => [label, children.map((child) => child.label)]),
    [
      ['editor', ['open_editors']],
      ['editor', []],
      ['github', []],
      ['github', ['issues']],
      ['github', []],
    ],
  );
  // What is left out is not off: it is told why.
  assert.match(all[4]?.description ?? '', /no secret/);
});
