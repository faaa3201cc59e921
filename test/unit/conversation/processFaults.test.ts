import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CliExit } from '../../../src/cli/lineTransport';
import {
  processFaultKind,
  type ProcessFaultKind,
} from '../../../src/conversation/processFaultKind';
import { processFaultError, processFaults } from '../../../src/conversation/processFaults';

function ended(over: Partial<CliExit> = {}): CliExit {
  return { kind: 'crashed', code: 1, signal: null, stderrTail: '', ...over };
}

interface Row {
  readonly name: string;
  readonly kind: ProcessFaultKind;
  readonly stderr?: string;
  readonly reason?: string;
  readonly exit?: Partial<CliExit>;
  readonly timedOut?: boolean;
}

/** What each launch or stdin fault writes, and what else ends a process. */
const ROWS: readonly Row[] = [
  {
    name: '--mcp-config that is no file',
    kind: 'serversArgument',
    stderr: 'Error: Invalid MCP configuration:\nMCP config file not found: /ws/{bad',
  },
  {
    name: '--settings that is no file',
    kind: 'settingsArgument',
    stderr: 'Error: Settings file not found: /ws/{bad',
  },
  {
    name: '--permission-mode zzz',
    kind: 'argumentValue',
    stderr:
      "error: option '--permission-mode <mode>' argument 'zzz' is invalid. Allowed choices are x",
  },
  {
    name: 'stream-json without --verbose',
    kind: 'argumentMissing',
    stderr: 'Error: When using --print, --output-format=stream-json requires --verbose',
  },
  {
    name: 'a broken .claude.json',
    kind: 'configBroken',
    stderr: 'Claude configuration file at /h/.claude.json is corrupted: Unexpected token',
  },
  { name: 'a broken .claude.json, in a word', kind: 'configBroken', reason: 'config_file_invalid' },
  {
    name: 'bypass as root',
    kind: 'bypassAsRoot',
    stderr: '--dangerously-skip-permissions cannot be used with root/sudo privileges',
  },
  {
    name: 'a session in use',
    kind: 'sessionTaken',
    stderr: 'Error: Session ID x is already in use.',
  },
  {
    name: 'a session id that is none',
    kind: 'sessionIdInvalid',
    stderr: 'Error: Invalid session ID. Must be a valid UUID.',
  },
  {
    name: 'a line that is not JSON',
    kind: 'inputUnreadable',
    stderr: 'Error parsing streaming input line (type=unknown, 16 chars): SyntaxError',
  },
  {
    name: 'a role that is not user',
    kind: 'inputUnreadable',
    stderr: "Error: Expected message role 'user', got 'undefined'",
  },
  { name: 'a version that is too old', kind: 'cliTooOld', reason: 'cli_version_too_old' },
  { name: 'no answer', kind: 'nothingSaid', timedOut: true, exit: { kind: 'killed', code: null } },
  { name: 'a signal', kind: 'killed', exit: { code: null, signal: 'SIGKILL' } },
  { name: 'an end with code 0', kind: 'ended', exit: { code: 0 } },
  { name: 'anything else', kind: 'unknown', stderr: 'no luck today', exit: { code: 3 } },
  { name: 'a reason of tomorrow', kind: 'unknown', reason: 'toString' },
];

for (const row of ROWS) {
  test(`an end of the process has words of its own: ${row.name}`, () => {
    const failure = {
      exit: ended({ stderrTail: row.stderr ?? '', ...row.exit }),
      startupReason: row.reason,
      timedOut: row.timedOut ?? false,
    };
    assert.equal(processFaultKind(failure), row.kind);
    const alert = processFaultError(failure, true);
    assert.match(alert.kept ?? '', /your message/);
    assert.equal(alert.details, row.stderr);
    assert.ok(alert.next);
  });
}

test('the broken file is named as the CLI names it', () => {
  const stderrTail = 'Claude configuration file at /h/my home/.claude.json is corrupted: x';
  const failure = { exit: ended({ stderrTail }), startupReason: undefined, timedOut: false };
  assert.match(processFaultError(failure, false).next ?? '', /\/h\/my home\/\.claude\.json/);
});

test('no two ends of the process have the same words, and each has a button', () => {
  const failure = { exit: ended(), startupReason: undefined, timedOut: false };
  const alerts = Object.values(processFaults).map((words) => words(failure));
  assert.equal(new Set(alerts.map(({ message }) => message)).size, alerts.length);
  for (const { message, next, actions } of alerts) {
    assert.ok(next && actions.length > 0, message);
    assert.equal(new Set(actions).size, actions.length, message);
  }
});

test('where no message was on its way none is offered to be sent again', () => {
  for (const exit of [ended({ code: 139 }), ended({ code: 0 }), ended({ signal: 'SIGKILL' })]) {
    const failure = { exit, startupReason: undefined, timedOut: false };
    const { actions, kept, next } = processFaultError(failure, false);
    assert.ok(!actions.includes('retry') && actions.length > 0);
    assert.doesNotMatch(`${kept} ${next}`, /your message|[Rr]etry/);
  }
});
