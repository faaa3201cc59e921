import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExternalServer } from '../../../src/cli/collectServers';
import { type RowFacts, serverRows } from '../../../src/host/serverRows';

const entry = {
  type: 'stdio',
  command: '/bin/server',
  args: ['--token=hunter2hunter2', 'a b'],
  env: { KEY: 'env-value-here' },
} as const;
const known = { source: 'setting', runIn: 'cli', written: entry } as const;

function rows(facts: Partial<RowFacts>): string[] {
  return serverRows({
    own: [],
    external: [],
    isOff: (name) => name === 'off',
    status: [],
    attached: () => undefined,
    ...facts,
  }).map(({ name, icon, state, detail, actions }) =>
    [name, icon, state, detail, actions.join(' ')].join(' | '),
  );
}

test('Each in-process server has its state, where it comes from and what can be done with it', () => {
  const own = [{ name: 'editor' }, { name: 'off' }, { name: 'theirs', extension: 'acme.sample' }];
  const status = [{ name: 'editor', status: 'connected', toolCount: 2 }];
  assert.deepEqual(rows({ own, status }), [
    'editor | $(pass) | connected, 2 tools | Built into Patchbay | switchOff reconnect showLog',
    'off | $(circle-slash) | switched off | Built into Patchbay | switchOn showLog',
    'theirs | $(circle-outline) | ready | Of the extension acme.sample | switchOff reconnect revoke showLog',
  ]);
});

test('Each external server has its state, and no value that may be a secret is in its row', () => {
  const external: ExternalServer[] = [
    { ...known, name: 'on', state: 'on', entry },
    { ...known, name: 'slow', state: 'on', entry },
    { ...known, name: 'failed', state: 'on', entry },
    { ...known, name: 'login', state: 'on', entry },
    { ...known, name: 'off', state: 'off' },
    { name: 'bad', source: 'file', state: 'bad', reason: 'url must be a text' },
    { ...known, name: 'twin', source: 'user', state: 'hidden', reason: 'another' },
    { ...known, name: 'new', source: 'workspace', state: 'unapproved' },
    { ...known, name: 'fine', source: 'workspace', state: 'on', entry },
    { ...known, name: 'here', runIn: 'editor', state: 'on', entry },
    { ...known, name: 'away', runIn: 'editor', state: 'on', entry },
  ];
  const status = [
    { name: 'on', status: 'connected', toolCount: 1 },
    { name: 'slow', status: 'pending', toolCount: 0 },
    { name: 'failed', status: 'failed', error: 'ENOENT', toolCount: 0 },
    { name: 'login', status: 'needs-auth', toolCount: 0 },
    { name: 'fine', status: 'strange', toolCount: 0 },
  ];
  const told = rows({
    external,
    status,
    attached: (name) => {
      if (name === 'here') return { kind: 'failed', reason: 'refused' };
      return name === 'away' ? { kind: 'failed', reason: 'down', triesAgain: true } : undefined;
    },
  });
  const short = told.map((row) =>
    row
      .split(' | ')
      .filter((_part, at) => at !== 3)
      .join(' | '),
  );
  assert.deepEqual(short, [
    'on | $(pass) | connected, 1 tools | switchOff reconnect openSource showLog',
    'slow | $(sync) | connecting | switchOff reconnect openSource showLog',
    'failed | $(error) | not connected: ENOENT | switchOff reconnect openSource showLog',
    'login | $(key) | needs a login | switchOff reconnect openSource showLog',
    'off | $(circle-slash) | switched off | switchOn openSource showLog',
    'bad | $(error) | left out: url must be a text | openSource showLog',
    'twin | $(circle-slash) | not used: another | openSource showLog',
    'new | $(question) | waits for your approval | review openSource showLog',
    'fine | $(error) | not connected: strange | switchOff reconnect forget openSource showLog',
    'here | $(error) | not connected: refused | switchOff reconnect openSource showLog',
    'away | $(error) | not connected, and tried again by itself: down | switchOff reconnect openSource showLog',
  ]);
  assert.match(told[0] ?? '', /patchbay\.mcpServers: \/bin\/server --token=•••/);
  assert.ok(!told.join('\n').includes('hunter2') && !told.join('\n').includes('env-value'));
});
