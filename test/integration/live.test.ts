import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runLive } from '../harness/live/liveRun';
import { startModel, type ModelServer } from '../harness/model/modelServer';
import { createRealCliSandbox, type RealCliSandbox } from '../harness/model/realCli';
import { message, say, type Script, toolUse } from '../harness/model/script';

/** A model that does what it is asked, as a real one would. */
const obliging: Script = ({ prompt, step, results }) => {
  if (step > 0) return say(results.map(({ text }) => text).join(' and '));
  if (prompt.startsWith('Which tools')) return say('execute_me and will_fail');
  if (prompt.includes('execute_me')) {
    return message([toolUse('mcp__lab__execute_me', { input: 'test123' })]);
  }
  if (prompt.startsWith('Add 15 and 27')) {
    return message([
      toolUse('mcp__calculator__add', { a: 15, b: 27 }),
      toolUse('mcp__outside__ping', {}),
    ]);
  }
  return message([toolUse('mcp__lab__will_fail', {})]);
};

let isObliging = true;
let model: ModelServer;
let sandbox: RealCliSandbox;
before(async () => {
  model = await startModel({ script: (turn) => (isObliging ? obliging(turn) : say('No.')) });
  sandbox = await createRealCliSandbox({ modelUrl: model.url });
});
after(async () => {
  await sandbox.cleanup();
  await model.close();
});

async function live(
  given: { env?: Record<string, string | undefined>; isConfirmed?: boolean } = {},
) {
  const lines: string[] = [];
  const asked = model.requests.length;
  const outcome = await runLive({
    cliPath: sandbox.command,
    model: '',
    environment: { ...sandbox.env, ...given.env },
    developmentRoot: undefined,
    say: (line) => lines.push(line),
    confirm: () => Promise.resolve(given.isConfirmed ?? true),
  });
  return { outcome, lines: lines.join('\n'), requests: model.requests.length - asked };
}

test('the live run lists, executes, mixes servers and meets an error, and tells what it cost', async () => {
  isObliging = true;
  const { outcome, lines } = await live();
  assert.equal(outcome, 'passed', lines);
  for (const name of ['list', 'execute', 'mixed', 'error'])
    assert.match(lines, new RegExp(`^ok ${name}$`, 'm'));
  assert.match(lines, /It costs money[\s\S]*^Cost, as the CLI counts it: 0\.\d+ US dollars$/m);
});

test('a model that does not do it fails the live run, with what is missing', async () => {
  isObliging = false;
  const { outcome, lines } = await live();
  assert.equal(outcome, 'failed');
  assert.match(lines, /^FAILED execute\n {2}there is no call of mcp__lab__execute_me with/m);
});

test('without a login, or without a yes, nothing is asked of the model', async () => {
  const out = await live({ env: { ANTHROPIC_API_KEY: undefined } });
  assert.deepEqual([out.outcome, out.requests], ['refused', 0]);
  assert.match(out.lines, /No login was found/);
  const no = await live({ isConfirmed: false });
  assert.deepEqual([no.outcome, no.requests], ['refused', 0]);
  assert.match(no.lines, /It costs money[\s\S]*Nothing was asked\.$/);
});
