import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CliSettings } from '../../src/cli/prepareCli';
import { gatherCliFacts, type CliFacts } from '../../src/host/doctorFacts';
import { createFakeCli, type FakeCli } from '../harness/fakeCli/createFakeCli';
import type { FakeScript } from '../harness/fakeCli/fakeCliScript';

const help = 'Usage\n  --output-format <format>\n  --model <model>\n\nCommands:\n  auth  Log in\n';

async function examine(
  script: FakeScript,
  check: (facts: CliFacts, fake: FakeCli) => Promise<void> | void,
  settings: Partial<CliSettings> = {},
): Promise<void> {
  const fake = await createFakeCli(script);
  try {
    const facts = await gatherCliFacts({
      settings: {
        cliPath: fake.command,
        cliEnvironment: {},
        cliWrapper: [],
        proxy: { proxy: '', noProxy: [], support: 'override' },
        ...settings,
      },
      hostEnvironment: { ...fake.env, SHELL: '/bin/sh', ANTHROPIC_API_KEY: 'sk-ant-very-secret' },
      developmentRoot: undefined,
      cwd: undefined,
    });
    await check(facts, fake);
  } finally {
    await fake.dispose();
  }
}

test('the doctor asks the CLI for its version and login, the shell for its PATH, and git', () =>
  examine({ help }, async (facts, fake) => {
    assert.ok(facts.cli.found && facts.cli.why.includes(fake.command));
    assert.deepEqual([facts.version, facts.login, facts.droppedFlags], ['2.1.332', 'yes', '']);
    assert.deepEqual(
      (await fake.records('auth')).map(({ argv }) => argv),
      [['auth', 'status']],
    );
    assert.equal((await fake.records('start')).length, 0, 'no conversation is started');
    assert.ok(facts.variables.includes('ANTHROPIC_API_KEY'));
    assert.ok(facts.secrets.includes('sk-ant-very-secret'));
    assert.ok(facts.shell.told, facts.shell.note);
    assert.match(facts.git ?? '', /^git version/);
  }));

test('no login, an answer that is none, and a CLI that has no such command are told apart', async () => {
  await examine({ help, authStatus: 1 }, ({ login }) => assert.equal(login, 'no'));
  await examine({ help, authStatus: 7 }, ({ login }) => assert.equal(login, 'unknown'));
  await examine({}, async ({ login }, fake) => {
    assert.equal(login, 'notAsked');
    assert.deepEqual(await fake.records('auth'), [], 'it would take the words for a prompt');
  });
});

test('flags that an older CLI lacks are named with what is lost', () =>
  examine({ version: '2.0.9', help }, ({ droppedFlags }) => {
    assert.match(droppedFlags, /--include-partial-messages \(text comes in whole blocks\)/);
    assert.ok(!droppedFlags.includes('--model'));
  }));

test('a CLI that is not there is told in the words of the panel, and the rest is still looked at', () =>
  examine(
    {},
    ({ cli, login, git, networkProblems }) => {
      assert.ok(!cli.found && cli.message.includes('was not found at /nowhere') && cli.next);
      assert.deepEqual([login, typeof git], ['notAsked', 'string']);
      assert.deepEqual(networkProblems, ['certificatesMissing', 'certificatesUnchecked']);
    },
    {
      cliPath: '/nowhere/claude',
      cliEnvironment: { NODE_EXTRA_CA_CERTS: '/nowhere/ca', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    },
  ));
