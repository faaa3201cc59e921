import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFamily, type FamilyHead } from '../../../src/cli/family';
import { parsePsTable, parseStat, type ProcessRow } from '../../../src/cli/processTable';
import { taskkill } from '../../../src/cli/processGroup';
import { tryParseWatchdogLine, watchdogLine } from '../../../src/cli/watchdogLine';

const head: FamilyHead = { pid: 100, started: '5000', mark: 'm' };

function row(pid: number, fields: Partial<ProcessRow> = {}): ProcessRow {
  return { pid, parent: 1, group: pid, started: '6000', ended: false, mark: undefined, ...fields };
}

const cli = row(100, { parent: 50, started: '5000', mark: 'm' });
const host = row(50, { parent: 1, group: 40, started: '1000' });

function pidsOf(rows: readonly ProcessRow[], known?: ReadonlyMap<number, string>): number[] {
  return findFamily(rows, head, known)
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}

test('the family is the CLI, its group, what carries its mark, and all below and beside those', () => {
  const rows = [
    host,
    cli,
    row(101, { parent: 100, group: 100 }),
    row(102, { parent: 100, mark: 'm' }),
    row(103, { parent: 102, group: 102 }),
    row(104, { parent: 1, mark: 'm' }),
    row(105, { parent: 1, group: 104 }),
    row(106, { parent: 103 }),
    row(107, { parent: 50, group: 40, mark: 'another agent of the same host' }),
    row(108, { parent: 50, group: 40 }),
  ];
  assert.deepEqual(pidsOf(rows), [100, 101, 102, 103, 104, 105, 106]);
});

test('what the CLI left behind is found by group and mark when it is gone', () => {
  const rows = [host, row(101, { group: 100 }), row(102, { group: 90, mark: 'm' }), row(103)];
  assert.deepEqual(pidsOf(rows), [101, 102]);
});

test('a stranger that got the number of the CLI is left alone, with its group and children', () => {
  const stranger = row(100, { parent: 50, started: '9000' });
  const rows = [host, stranger, row(201, { parent: 100, group: 100 }), row(202, { mark: 'm' })];
  assert.deepEqual(pidsOf(rows), [202]);
});

test('what was seen before counts as long as it is the same process', () => {
  const known = new Map([
    [301, '6000'],
    [302, '6000'],
  ]);
  const rows = [host, row(301), row(302, { started: '7000' }), row(303, { parent: 301 })];
  assert.deepEqual(pidsOf(rows, known), [301, 303]);
});

test('without a time of start only the mark makes a process the CLI', () => {
  const unknown = { ...head, started: undefined };
  assert.deepEqual(findFamily([row(100, { started: '5000' })], unknown), []);
  assert.deepEqual(findFamily([cli], unknown), [cli]);
});

test('neither this process nor the first of the system is ever part of a family', () => {
  const rows = [cli, row(process.pid, { parent: 100 }), row(1, { parent: 100 })];
  assert.deepEqual(pidsOf(rows), [100]);
});

test('a line of /proc is read whatever the name of the program is', () => {
  const rest = '1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 123456 2 3';
  for (const name of ['sleep', 'a b', ') Z 7 (', '', '((', 'ü)']) {
    assert.deepEqual(parseStat(`77 (${name}) S ${rest}`), {
      pid: 77,
      parent: 1,
      group: 42,
      started: '123456',
      ended: false,
      mark: undefined,
    });
  }
  assert.equal(parseStat(`77 (sleep) Z ${rest}`)?.ended, true);
  assert.equal(parseStat('77 (sleep) S 1 2'), undefined);
  assert.equal(parseStat(''), undefined);
});

test('what ps of macOS prints is read, with the mark out of the environment', () => {
  const rows = parsePsTable(
    [
      '  501     1   501 Ss   Sat Nov 28 06:37:09 2026 /sbin/launchd',
      '  777   501   777 S+   Sun Nov  1 16:07:09 2026 /opt/claude --verbose HOME=/Users/a b PATCHBAY_FAMILY=1-2 X=y',
      '  778   777   777 Z    Sun Nov  1 16:07:10 2026 (sleep)',
      'ps: something else',
      '',
    ].join('\n'),
  );
  assert.deepEqual(rows, [
    {
      pid: 501,
      parent: 1,
      group: 501,
      started: 'Sat Nov 28 06:37:09 2026',
      ended: false,
      mark: undefined,
    },
    {
      pid: 777,
      parent: 501,
      group: 777,
      started: 'Sun Nov 1 16:07:09 2026',
      ended: false,
      mark: '1-2',
    },
    {
      pid: 778,
      parent: 777,
      group: 777,
      started: 'Sun Nov 1 16:07:10 2026',
      ended: true,
      mark: undefined,
    },
  ]);
  assert.equal(parsePsTable('ps: illegal option\n'), undefined);
});

test('on Windows the whole tree is ended by taskkill, by force only at last', () => {
  assert.deepEqual(taskkill(42, 'SIGTERM'), { file: 'taskkill', args: ['/PID', '42', '/T'] });
  assert.deepEqual(taskkill(42, 'SIGKILL').args, ['/PID', '42', '/T', '/F']);
});

test('the watchdog reads what it is told, and nothing else', () => {
  for (const told of [{ watch: head }, { forget: 'm' }]) {
    assert.deepEqual(tryParseWatchdogLine(watchdogLine(told).trimEnd()), told);
  }
  const withoutStart = { watch: { ...head, started: undefined } };
  assert.deepEqual(tryParseWatchdogLine(watchdogLine(withoutStart)), withoutStart);
  for (const bad of [
    '',
    '{"watch":{"pid":1',
    'null',
    '[]',
    '{}',
    '{"watch":null}',
    '{"forget":1}',
  ]) {
    assert.equal(tryParseWatchdogLine(bad), undefined, bad);
  }
  assert.equal(tryParseWatchdogLine('{"watch":{"pid":"1","mark":"m"}}'), undefined);
});
