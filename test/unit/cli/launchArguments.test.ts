import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchArguments } from '../../../src/cli/launchArguments';
import { untrustedToolNames } from '../../../src/cli/untrustedTools';

test('Every launch speaks stream-json, asks the host and takes no servers of the workspace', () => {
  for (const trusted of [true, false]) {
    assert.deepEqual(launchArguments({ trusted }).slice(0, 9), [
      '--output-format',
      'stream-json',
      '--input-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--permission-prompt-tool',
      'stdio',
      '--strict-mcp-config',
    ]);
  }
});

test('Each option is one argument, so that no value can be taken for a flag', () => {
  assert.deepEqual(
    launchArguments({
      trusted: true,
      allowedTools: ['mcp__editor', 'mcp__code'],
      disallowedTools: ['Bash(rm *)'],
      settingSources: ['user', 'project'],
      mcpConfigFile: '/tmp/a b.json',
      permissionMode: 'default',
      model: '--nonsense',
      resume: 'R',
      sessionId: 'S',
      addDirs: ['/a', '/b c'],
      replayUserMessages: true,
    }).slice(9),
    [
      '--setting-sources=user,project',
      '--allowedTools=mcp__editor,mcp__code',
      '--disallowedTools=Bash(rm *)',
      '--mcp-config=/tmp/a b.json',
      '--permission-mode=manual',
      '--model=--nonsense',
      '--resume=R',
      '--add-dir=/a',
      '--add-dir=/b c',
      '--replay-user-messages',
    ],
  );
});

test('A new conversation may have its id chosen', () => {
  assert.deepEqual(launchArguments({ trusted: true, sessionId: 'S' }).slice(9), ['--session-id=S']);
});

test('Without trust only the settings of the person count, and the tools that act are gone', () => {
  const args = launchArguments({
    trusted: false,
    settingSources: ['user', 'project', 'local'],
    disallowedTools: ['Extra'],
  });
  assert.ok(args.includes('--setting-sources=user'));
  const flag = args.find((arg) => arg.startsWith('--disallowedTools=')) ?? '';
  const names = flag.slice('--disallowedTools='.length).split(',');
  assert.deepEqual(names, ['Extra', ...untrustedToolNames]);
  for (const name of ['Bash', 'Edit', 'Write', 'NotebookEdit', 'Agent', 'Task', 'WebFetch']) {
    assert.ok(names.includes(name), name);
  }
});

test('Forty tools and many folders stay far below the longest command line of Windows (W05)', () => {
  const args = launchArguments({
    trusted: false,
    allowedTools: Array.from(
      { length: 40 },
      (_, at) => `mcp__workspace-tools__a_tool_of_the_team_${at}`,
    ),
    mcpConfigFile: 'C:\\Users\\A Person\\AppData\\Local\\Temp\\patchbay-mcp-0.json',
    permissionMode: 'acceptEdits',
    model: 'a-model-with-a-long-name',
    resume: 'aaaaaaaa-0000-4000-8000-000000000001',
    addDirs: Array.from({ length: 10 }, (_, at) => `C:\\Work\\Some Project\\folder ${at}`),
  });
  const length = args.reduce((sum, arg) => sum + arg.length + 3, 0);
  assert.ok(length < 4000, `${length} characters`);
});
