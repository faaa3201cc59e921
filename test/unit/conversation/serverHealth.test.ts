import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverProblems } from '../../../src/conversation/serverHealth';

const well = {
  person: ['mine'],
  own: ['editor'],
  rows: [
    { name: 'mine', status: 'connected' },
    { name: 'editor', status: 'connected' },
  ],
  tools: ['Read', 'mcp__editor__open_editors'],
};

test('servers that work, or may still come, are not told of', () => {
  assert.deepEqual(serverProblems(well), []);
  const pending = [{ name: 'mine', status: 'pending' }];
  assert.deepEqual(serverProblems({ ...well, rows: pending, tools: [] }), []);
});

test('each way in which a server is missing has a sentence of its own', () => {
  const mine = (row: { status: string; error?: string } | undefined) =>
    serverProblems({ ...well, rows: row ? [{ name: 'mine', ...row }] : [] });
  const own = (status: string, tools: readonly string[] = []) =>
    serverProblems({ ...well, person: [], rows: [{ name: 'editor', status }], tools });
  const cases = [
    mine({ status: 'failed' }),
    mine({ status: 'failed', error: 'ENOENT: no such file' }),
    mine({ status: 'needs-auth' }),
    mine(undefined),
    own('failed'),
    own('connected'),
  ];
  for (const problems of cases) assert.equal(problems.length, 1);
  assert.equal(new Set(cases.flat()).size, cases.length);
  assert.match(cases[1]?.[0] ?? '', /ENOENT: no such file/);
  assert.match(cases[3]?.[0] ?? '', /left out your server mine/);
});

test('one of ours that hides a server of the person is told of once', () => {
  const rows = [{ name: 'editor', status: 'failed' }];
  assert.equal(serverProblems({ ...well, person: ['editor'], rows }).length, 1);
});
