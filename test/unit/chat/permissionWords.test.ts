import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingsPlaces } from '../../../src/chat/lastingGrant';
import { permissionAnswer } from '../../../src/chat/permissionAnswer';
import { wholeBody } from '../../../src/chat/permissionBody';
import { createPermissionCard, type PermissionCardOptions } from '../../../src/chat/permissionCard';
import type { PermissionRequest } from '../../../src/chat/permissionRequest';
import type { KnownTool } from '../../../src/chat/toolHints';

const SETTINGS: SettingsPlaces = {
  files: {
    alwaysLocal: '.claude/settings.local.json',
    alwaysProject: '.claude/settings.json',
    alwaysUser: '~/.claude/settings.json',
  },
  isTrusted: false,
};

function card(
  name: string,
  input: Record<string, unknown>,
  fields: Partial<PermissionRequest> = {},
  options: Partial<PermissionCardOptions> = {},
) {
  const request = { tool_name: name, input, ...fields };
  return createPermissionCard({ requestId: 'r', request, folder: '/home/me/shop', ...options });
}

test('a command says where it runs, and the model’s own words stand as such', () => {
  const made = card('Bash', { command: 'npm test', description: 'Run the \u202Etests' });
  assert.deepEqual(
    [made.what, made.body, made.said, made.facts],
    ['Run this command in shop', 'npm test', 'Run the \\u202Etests', undefined],
  );
  const input = { command: 'x', run_in_background: true, dangerouslyDisableSandbox: true };
  assert.deepEqual(card('Bash', input, { agent_id: 'a' }).facts, [
    'In the background',
    'Without the sandbox',
    'Asked by a sub-agent',
  ]);
  assert.equal(card('Bash', { command: 5 }).what, 'Run this command in shop');
});

test('an edit says what becomes of how many lines of which file', () => {
  const edit = (before: string | undefined, input: object) =>
    card('Edit', { file_path: '/home/me/shop/src/a.ts', ...input }, {}, { currentText: before })
      .what;
  const write = (before: string | undefined | null, content: string) =>
    card('Write', { file_path: '/home/me/shop/src/a.ts', content }, {}, { currentText: before })
      .what;
  assert.deepEqual(
    [
      edit('1\n2\n3\n', { old_string: '2\n', new_string: 'two\nzwei\n' }),
      edit('1\n2\n3\n', { old_string: '2\n', new_string: '2\n2.5\n' }),
      edit('1\n2\n3\n', { old_string: '2\n', new_string: '' }),
      edit('1\n', { old_string: 'gone', new_string: 'x' }),
      write(undefined, 'x\n'),
      write('x\n', 'x\n'),
      write('x\n', 'y\n'),
      write(null, 'y\n'),
    ],
    [
      'Change 2 lines of src/a.ts',
      'Add 1 line to src/a.ts',
      'Remove 1 line from src/a.ts',
      'Change src/a.ts',
      'Create src/a.ts',
      'Write src/a.ts with the text that it has',
      'Change 1 line of src/a.ts',
      'Write src/a.ts',
    ],
  );
  const cell = { notebook_path: '/home/me/shop/n.ipynb', new_source: '1', edit_mode: 'insert' };
  assert.equal(card('NotebookEdit', cell).what, 'Insert a cell into n.ipynb');
});

test('a path that leads out of the workspace says so, and where a link leads', () => {
  const place = { isOutside: true, leadsTo: '/etc/passwd' };
  const read = card('Read', { file_path: '/home/me/shop/x' }, {}, { place });
  assert.deepEqual(
    [read.what, read.body, read.facts],
    ['Read a file outside the workspace', 'x', ['The path is a link that leads to /etc/passwd']],
  );
  const write = card(
    'Write',
    { file_path: '/tmp/x', content: '' },
    { decision_reason_type: 'workingDir' },
    { place: { isOutside: true }, currentText: undefined },
  );
  assert.deepEqual([write.what, write.reason], ['Create /tmp/x, outside the workspace', undefined]);
});

test('the host of an address is told as the network reads it, look-alikes and log-ins included', () => {
  const fetched = (url: string) => {
    const { what, facts = [] } = card('WebFetch', { url });
    return [what, ...facts];
  };
  assert.deepEqual(fetched('https://example.org/a?b#c'), ['Fetch from example.org']);
  assert.deepEqual(fetched('https://\u0430pple.com/'), [
    'Fetch from xn--pple-43d.com',
    'The name has letters that can look like those of another',
  ]);
  assert.deepEqual(fetched('http://google.com@evil.example:8080/'), [
    'Fetch from evil.example:8080',
    'What stands before the @ is not the site',
    'Not encrypted',
  ]);
  assert.deepEqual(fetched('https://2130706433/'), ['Fetch from 127.0.0.1']);
  assert.deepEqual(fetched('nonsense'), ['Fetch a page', 'This is no valid address']);
});

test('a tool of ours is told by its title, its server and its own annotations', () => {
  const told = (hints: KnownTool['hints']) => {
    const known: KnownTool = { title: 'Store a value', server: 'probe', hints };
    const { what, facts = [] } = card(
      'mcp__probe__store',
      {},
      {},
      { knownTools: new Map([['mcp__probe__store', known]]) },
    );
    return [what, ...facts];
  };
  const what = 'Use “Store a value” of the server probe';
  assert.deepEqual(told({ readOnlyHint: true, idempotentHint: true }), [what, 'Only reads']);
  assert.deepEqual(told({ destructiveHint: true, openWorldHint: true }), [
    what,
    'May overwrite or delete',
    'Reaches outside this machine',
  ]);
  assert.deepEqual(told({ destructiveHint: false, idempotentHint: true }), [
    what,
    'Changes, but destroys nothing',
    'Running it again changes nothing more',
  ]);
  assert.deepEqual(told({}), [what, 'Does not say what it changes']);
  assert.deepEqual(card('mcp__github__make_pr', {}).facts, [
    'From a server outside Patchbay, which knows nothing of what it does',
  ]);
  assert.equal(card('Frobnicate', {}).what, 'Use the tool “Frobnicate”');
});

test('a tool of a tool file is told with the file, one of an extension without', () => {
  const told = (source: string) => {
    const known: KnownTool = { title: 'todo', server: 'workspace', source, hints: {} };
    const knownTools = new Map([['mcp__workspace__todo', known]]);
    return card('mcp__workspace__todo', {}, {}, { knownTools }).facts;
  };
  const unknown = 'Does not say what it changes';
  for (const file of ['.patchbay/tools/todo.tool.ts', 'C:\\shop\\.patchbay\\tools\\todo.tool.ts']) {
    const from = 'From .patchbay/tools/todo.tool.ts of this workspace';
    assert.deepEqual(told(file), [from, unknown]);
  }
  assert.deepEqual(told('acme.tools'), [unknown]);
});

test('an unknown input of five megabytes is cut before it is formatted, with its size said', () => {
  const deep: Record<string, unknown> = {};
  let level = deep;
  for (let i = 0; i < 50_000; i += 1) level = level.a = {};
  const inputs = [
    { text: '\u202E'.repeat(5_000_000) },
    { list: Array.from({ length: 500_000 }, (_, i) => `value ${i}`) },
    { many: Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`key ${i}`, i])) },
    deep,
  ];
  for (const input of inputs) {
    const { body } = card('Frobnicate', input);
    assert.ok(body.length < 900_000, `${body.length} characters`);
    assert.match(body, /… cut: the whole input has (about|more than) [\d.]+ (MB|KB) …$/);
    assert.equal(card('Frobnicate', input).isCut, true);
    assert.ok(wholeBody({ tool_name: 'Frobnicate', input }).length > 300_000, 'all of it');
  }
  const command = card('Bash', { command: `${'\u200B'.repeat(5_000_000)}; rm -rf x` });
  assert.ok(command.body.endsWith('; rm -rf x') && command.body.length < 900_000);
  assert.match(command.body, /… 4900010 characters are not shown …/);
  const whole = wholeBody({
    tool_name: 'Bash',
    input: { command: `${'a '.repeat(90_000)}\u202E` },
  });
  assert.equal(whole, `${'a '.repeat(90_000)}\\u202E`);
  const short = card('Frobnicate', { a: 'x'.repeat(15_000) });
  assert.ok(!short.body.includes('cut') && short.isCut === undefined);
});

test('what hides in a diff is visible too, and a line of megabytes is cut', () => {
  const input = { file_path: '/home/me/shop/a', content: `a\u202Eb\n${'x'.repeat(5_000_000)}\n` };
  const { diff } = card('Write', input, {}, { currentText: undefined });
  assert.equal(diff?.hunks[0]?.lines[0], '+a\\u202Eb');
  assert.ok((diff.hunks[0].lines[1]?.length ?? 0) < 2100);
});

test('Always allow offers the rule of the suggestion for each file, and sends it back for that one', () => {
  const rule = {
    type: 'addRules' as const,
    rules: [{ toolName: 'Bash', ruleContent: 'npm test *' }],
    behavior: 'allow' as const,
    destination: 'localSettings' as const,
  };
  const fields = { permission_suggestions: [rule] };
  const { always } = card('Bash', { command: 'npm test a' }, fields, { settings: SETTINGS });
  assert.deepEqual(
    always?.places.map(({ label, file, note }) => [label, file, note]),
    [
      ['This workspace, only for me', '.claude/settings.local.json', undefined],
      [
        'The project, for everyone',
        '.claude/settings.json',
        'Not used before the agent trusts this folder.',
      ],
      ['Everywhere', '~/.claude/settings.json', undefined],
    ],
  );
  assert.deepEqual([always.rule, always.note], ['Bash(npm test *)', undefined]);
  const request = { tool_name: 'Bash', input: {}, ...fields };
  for (const [answer, destination] of [
    ['alwaysLocal', 'localSettings'],
    ['alwaysProject', 'projectSettings'],
    ['alwaysUser', 'userSettings'],
  ] as const) {
    assert.deepEqual(permissionAnswer(request, answer), {
      behavior: 'allow',
      updatedInput: {},
      updatedPermissions: [{ ...rule, destination }],
    });
  }
  const trusted = card('Bash', {}, fields, { settings: { ...SETTINGS, isTrusted: true } });
  assert.equal(trusted.always?.places[1]?.note, undefined);
});

test('a tool of ours gets a rule for itself, and says that it covers every call', () => {
  const made = card('mcp__code__rename', {}, {}, { settings: SETTINGS });
  assert.equal(made.always?.rule, 'mcp__code__rename');
  assert.equal(made.always.note, 'Every call of this tool, whatever its input.');
});

test('nothing is offered for always where the question would come back, or no rule is suggested', () => {
  const settings = { settings: SETTINGS };
  for (const type of ['mode', 'hook', 'rule', 'safetyCheck']) {
    const made = card('mcp__x__y', {}, { decision_reason_type: type }, settings);
    assert.equal(made.always, undefined, type);
  }
  const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' } as const;
  const edit = { permission_suggestions: [mode] };
  assert.equal(card('Edit', { file_path: '/x' }, edit, settings).always, undefined);
  const asks = { requires_user_interaction: true };
  assert.equal(card('mcp__x__y', {}, asks, settings).always, undefined);
  assert.equal(
    card('mcp__x__y', {}, { suppress_always_allow_rule: true }, settings).always,
    undefined,
  );
  assert.equal(card('Bash', { command: 'x' }, {}, settings).always, undefined);
});

test('a card warns where the CLI would not keep the encoding or the line ends of a file', () => {
  const input = {
    file_path: '/home/me/shop/a.txt',
    old_string: 'a',
    new_string: 'b',
    content: 'b',
  };
  const facts = (name: string, encoding: string, hasCrlf = false) =>
    card(name, input, {}, { currentText: 'a', form: { encoding, hasCrlf } }).facts;
  const keeps = 'The editor’s own tool “edit” keeps that';
  const latin = 'The file is in windows1252, and this tool writes UTF-8';
  assert.deepEqual(facts('Edit', 'windows1252', true), [latin, keeps]);
  assert.deepEqual(facts('Write', 'windows1252', true), [
    latin,
    'CRLF line ends of the file become LF',
    keeps,
  ]);
  assert.deepEqual(facts('MultiEdit', ''), [
    'The file is in another encoding than UTF-8, and this tool writes UTF-8',
    keeps,
  ]);
  for (const encoding of ['utf8', 'utf8bom', 'utf16le', 'utf16be']) {
    assert.equal(facts('Write', encoding), undefined);
    assert.equal(facts('Edit', encoding, true), undefined);
  }
});

test('a call of a tool of our own says in which files it would change how many places', () => {
  const known: KnownTool = { title: 'Rename symbol', server: 'code', hints: {} };
  const facts = (...planned: { path: string; places: number }[]) =>
    card(
      'mcp__code__rename',
      { to: 'x' },
      {},
      { knownTools: new Map([['mcp__code__rename', known]]), planned },
    ).facts?.[0];
  assert.equal(facts({ path: 'a.ts', places: 1 }), 'In a.ts');
  assert.equal(facts({ path: 'a.ts', places: 3 }), 'In a.ts (3)');
  assert.equal(
    facts({ path: 'a.ts', places: 2 }, { path: 'b.ts', places: 1 }),
    '3 places in 2 files: a.ts (2), b.ts',
  );
  const many = Array.from({ length: 20 }, (_, n) => ({ path: `f${n}.ts`, places: 1 }));
  assert.equal(facts(...many), 'In 20 files: f0.ts, f1.ts, f2.ts, f3.ts, f4.ts, f5.ts and 14 more');
  assert.equal(facts(), 'Does not say what it changes');
});

test('an edit through the editor is shown as the change of its file', () => {
  const edits = (...hunks: object[]) => ({
    edits: hunks.map((hunk) => ({ path: 'src/a.ts', ...hunk })),
  });
  const name = 'mcp__editor__edit';
  const known: KnownTool = { title: 'Edit', server: 'editor', hints: {} };
  const made = (
    input: object,
    options: Partial<PermissionCardOptions> = { currentText: '1\r\n2\r\n1\r\n' },
  ) => card(name, { ...input }, {}, { ...options, knownTools: new Map([[name, known]]) });
  const one = made(edits({ old: '2', new: 'two' }, { old: '1', new: '#', all: true }));
  assert.deepEqual(
    [one.what, one.body, one.bodyKind],
    ['Change 3 lines of src/a.ts', 'src/a.ts', 'path'],
  );
  assert.deepEqual(one.diff?.hunks[0]?.lines, ['-1', '-2', '-1', '+#', '+two', '+#']);
  assert.equal(
    made(edits({ old: '', new: 'x' }), { currentText: undefined }).what,
    'Create src/a.ts',
  );
  // What the tool will refuse, or is about several files, is shown as it came.
  const others = [
    made(edits({ old: '1', new: 'x' })),
    made(edits({ old: 'none', new: 'x' })),
    made(edits({ old: '2', new: 'x' }), {}),
    made({
      edits: [
        { path: 'a', old: '2', new: 'x' },
        { path: 'b', old: '2', new: 'x' },
      ],
    }),
    made({ edits: 'no list' }),
  ];
  for (const other of others) {
    assert.deepEqual([other.what, other.bodyKind], ['Use “Edit” of the server editor', 'json']);
    assert.equal(other.diff, undefined);
  }
});
