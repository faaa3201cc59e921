import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedToSet, offInSet, ToolSwitches, tryReadUsedSet } from '../../../src/mcp/toolSwitches';

const used = (agreed: readonly string[], on: readonly string[] = []) => ({
  ...{ name: 'review', folder: '/w' },
  agreed,
  on,
  left: [],
});

test('The setting switches off single tools and whole servers, and nobody switches them on', () => {
  const switches = new ToolSwitches();
  switches.disable([' mcp__code__b ', 'mcp__run', 'mcp__debug__*', '', 'b']);
  const by = (server: string, tool: string) => switches.toolOffBy(server, tool);
  assert.deepEqual(
    [by('code', 'b'), by('code', 'a'), by('run', 'x'), by('debug', 'x'), by('running', 'x')],
    ['setting', undefined, 'setting', 'setting', undefined],
  );
  switches.switchTool('code', 'b', true);
  assert.equal(by('code', 'b'), 'setting');
});

test('A set has everything off that it does not name', () => {
  const switches = new ToolSwitches();
  switches.use(used(['mcp__code__*', 'mcp__workspace__todo']));
  assert.deepEqual(
    ['code', 'workspace', 'run', 'external'].map((name) => switches.serverOffBy(name)),
    [undefined, undefined, 'set', 'set'],
  );
  assert.deepEqual(
    ['todo', 'other'].map((name) => switches.toolOffBy('workspace', name)),
    [undefined, 'set'],
  );
  switches.use(undefined);
  assert.equal(switches.isServerOff('run'), false);
});

test('What its file drops is off at once; what its file adds stays off until the person agrees', () => {
  const switches = new ToolSwitches();
  const set = used(['mcp__code__*', 'mcp__run__tests']);
  switches.use(set, ['mcp__code__symbols', 'mcp__debug__*']);
  assert.deepEqual(
    [
      switches.toolOffBy('code', 'symbols'),
      switches.toolOffBy('code', 'rename'),
      switches.serverOffBy('run'),
      switches.serverOffBy('debug'),
    ],
    [undefined, 'set', 'set', 'set'],
  );
  const current = ['mcp__code__symbols', 'mcp__debug__*', 'mcp__left__x'];
  const left = ['mcp__left__*'];
  assert.deepEqual(addedToSet(current, { ...set, left }), ['mcp__debug__*']);
  // While the file cannot be read, what was agreed to counts.
  switches.use(set, undefined);
  assert.equal(switches.toolOffBy('run', 'tests'), undefined);
});

test('What the person switches by hand outlasts the set, and what they switch on in it ends with it', () => {
  const switches = new ToolSwitches({ servers: ['code'] });
  switches.use(used(['mcp__code__*', 'mcp__workspace__todo']));
  assert.equal(switches.serverOffBy('code'), 'person');
  switches.switchServer('code', true);
  switches.switchServer('run', true);
  switches.switchTool('workspace', 'other', true);
  switches.switchTool('workspace', 'todo', false);
  assert.deepEqual(
    [
      switches.serverOffBy('code'),
      switches.serverOffBy('run'),
      switches.toolOffBy('run', 'tests'),
      switches.toolOffBy('workspace', 'other'),
      switches.toolOffBy('workspace', 'todo'),
    ],
    [undefined, undefined, undefined, undefined, 'person'],
  );
  assert.deepEqual(switches.state.set?.on, ['run', 'mcp__workspace__other']);
  switches.switchServer('run', false);
  assert.equal(switches.serverOffBy('run'), 'person');
  switches.use(undefined);
  assert.deepEqual(
    [switches.state.servers, switches.state.tools],
    [['run'], ['mcp__workspace__todo']],
  );
});

const sets = {
  none: undefined,
  'one that has all of it': used(['mcp__b__*']),
  'one that has a tool of it': used(['mcp__a__x', 'mcp__b__y']),
  'one that has a tool of it, and all of it on': used(['mcp__a__x', 'mcp__b__y'], ['b']),
  'one that has a tool of it, and another on': used(['mcp__b__y'], ['mcp__b__z']),
  'one without it, and all of it on': used(['mcp__a__x'], ['b']),
  'one without it, and a tool of it on': used(['mcp__a__x'], ['mcp__b__z']),
};
for (const [what, set] of Object.entries(sets)) {
  test(`A server that is switched off and on, as Reconnect does, has on what it had; the set: ${what}`, () => {
    const switches = new ToolSwitches({ tools: ['mcp__b__w'], set });
    const seen = () => [
      switches.serverOffBy('b'),
      ...['w', 'y', 'z'].map((tool) => switches.toolOffBy('b', tool)),
    ];
    const before = seen();
    for (let times = 0; times < 2; times += 1) {
      switches.switchServer('b', false);
      assert.equal(switches.serverOffBy('b'), 'person');
      switches.use(set && { ...switches.state.set!, left: ['mcp__left__*'] });
      switches.switchServer('b', true);
      assert.deepEqual(seen(), before);
    }
    switches.use({ ...used(['mcp__b__y']), name: 'other' });
    switches.switchServer('b', false);
    switches.switchServer('b', true);
    assert.equal(switches.toolOffBy('b', 'z'), 'set', 'another set is another thing');
  });
}

test('A set says which of its things the person had switched off', () => {
  const { state } = new ToolSwitches({
    servers: ['code', 'run'],
    tools: ['mcp__workspace__todo', 'mcp__editor__save'],
  });
  assert.deepEqual(offInSet(state, ['mcp__code__*', 'mcp__workspace__todo']), [
    'code',
    'mcp__workspace__todo',
  ]);
});

test('Of what was kept only that is read which is of the right kind', () => {
  assert.equal(tryReadUsedSet('x'), undefined);
  assert.equal(tryReadUsedSet({ name: 'a' }), undefined);
  assert.deepEqual(tryReadUsedSet({ name: 'a', folder: '/w', agreed: ['x', 3], on: 'y' }), {
    ...{ name: 'a', folder: '/w' },
    agreed: ['x'],
    on: [],
    left: [],
  });
});
