import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyCli, type ProcessRow } from '../../harness/tour/cliProcess';

const CLI = '/p/node_modules/claude';

const rows: readonly ProcessRow[] = [
  { pid: 31, parent: 30, command: `${CLI} --output-format stream-json` },
  { pid: 30, parent: 20, command: 'node extensionHost' },
  { pid: 20, parent: 10, command: 'node server-main.js' },
  { pid: 40, parent: 31, command: `${CLI} --ripgrep x` },
  { pid: 50, parent: 1, command: `${CLI} of another run` },
];

test('the CLI is the topmost one below the server, whatever the order of the list', () => {
  assert.equal(onlyCli(rows, 20, CLI), 31);
});

test('no CLI below the server is told as such', () => {
  assert.throws(() => onlyCli(rows, 50, CLI), /found 0/);
});

test('two CLIs below the server are not chosen between', () => {
  const two = [...rows, { pid: 32, parent: 30, command: CLI }];
  assert.throws(() => onlyCli(two, 20, CLI), /found 2/);
});
