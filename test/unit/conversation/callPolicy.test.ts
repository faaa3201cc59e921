import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { array, object, string } from 'zod/mini';
import { silentLogger } from '../../../src/base/logger';
import type { PermissionRequest } from '../../../src/chat/permissionRequest';
import { CallPolicy } from '../../../src/conversation/callPolicy';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import type { PermissionResult } from '../../../src/protocol/permissions';
import type { PermissionMode } from '../../../src/rules/modes';

let base = '';
let workspace = '';
before(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay policy ')));
  workspace = path.join(base, 'work');
  await mkdir(path.join(workspace, 'src'), { recursive: true });
  await mkdir(path.join(base, 'out'));
});
after(() => rm(base, { recursive: true, force: true }));

let named: (paths: readonly string[]) => unknown = (paths) => paths;

const input = object({ paths: array(string()) });
const common = { description: 'd', input, run: () => 'ran' };
const tools = [
  defineTool({ ...common, name: 'reads', annotations: { readOnlyHint: true } }),
  defineTool({ ...common, name: 'runs' }),
  // What an extension written in JavaScript may give.
  defineTool({ ...common, name: 'edits', edits: ({ paths }) => named(paths) as string[] }),
  defineTool({
    ...common,
    name: 'lists',
    edits: ({ paths }) => paths,
    reads: ({ paths }) => paths.length === 0,
  }),
];

function policyOf() {
  const registry = new ServerRegistry();
  registry.add(createServer({ name: 'probe', tools }));
  const world: { mode: PermissionMode } = { mode: 'acceptEdits' };
  const policy = new CallPolicy({
    registry,
    mode: () => world.mode,
    workspaceRoots: () => [workspace],
    cwd: workspace,
    log: silentLogger,
  });
  return { policy, world, registry };
}

const request = (tool: string, paths: string[], more: object = {}): PermissionRequest => ({
  tool_name: `mcp__probe__${tool}`,
  input: { paths },
  tool_use_id: 'call',
  ...more,
});

/** What the policy answers, and how many cards stood. */
async function permit(
  policy: CallPolicy,
  question: PermissionRequest,
  person: () => Promise<PermissionResult> = () =>
    Promise.resolve({ behavior: 'allow', updatedInput: question.input }),
): Promise<{ readonly answer: PermissionResult | undefined; readonly cards: number }> {
  let cards = 0;
  const answer = await policy.permit(question, () => {
    cards += 1;
    return person();
  });
  return { answer, cards };
}

const call = (tool: string, paths: string[], toolUseId = 'call') => ({
  ...{ server: 'probe', tool, definition: tools.find(({ name }) => name === tool) },
  ...{ requestId: 'r', input: { paths }, toolUseId },
});

test('in accept-edits an edit runs where all its paths lie in the workspace, and asks where one does not', async () => {
  const { policy } = policyOf();
  const cards = async (...paths: string[]): Promise<number> =>
    (await permit(policy, request('edits', paths))).cards;
  assert.equal(await cards('src/a.ts', path.join(workspace, 'b.ts')), 0);
  assert.equal(await cards('src/a.ts', path.join(base, 'out/b.ts')), 1);
  assert.equal(await cards('src/a.ts', '.git/config'), 1);
  assert.equal(await cards('src/../../out/b.ts'), 1);
  assert.equal(await cards(), 1, 'a call that names nothing is any other call');
});

test('a tool that cannot say where it writes, or says it wrongly, asks in every mode that asks', async () => {
  const { policy, world } = policyOf();
  const wrong: readonly (() => unknown)[] = [
    () => {
      throw new Error('broken');
    },
    () => Promise.reject(new Error('late')),
    () => 'src/a.ts',
    () => [1],
    () => undefined,
  ];
  try {
    for (const mode of ['acceptEdits', 'auto', 'bypassPermissions'] as const) {
      world.mode = mode;
      for (const names of wrong) {
        named = names;
        const before = await policy.before('mcp__probe__edits', { paths: ['src/a.ts'] });
        assert.deepEqual([before?.kind, before?.verdict], ['editsElsewhere', 'ask']);
        assert.notEqual(await policy.verdict(call('edits', ['src/a.ts'])), 'allow');
      }
    }
  } finally {
    named = (paths) => paths;
  }
});

test('a rule or a hook of the person that asks stands above what the mode allows', async () => {
  const { policy } = policyOf();
  for (const reason of ['rule', 'hook', 'safetyCheck']) {
    const question = request('edits', ['src/a.ts'], { decision_reason_type: reason });
    assert.equal((await permit(policy, question)).cards, 1, reason);
  }
});

test('in plan mode only reading passes the router, whatever let the call through before', async () => {
  const { policy, world } = policyOf();
  world.mode = 'plan';
  assert.equal(policy.verdict(call('reads', [])), 'allow', 'at once');
  for (const tool of ['runs', 'edits']) {
    const verdict = await policy.verdict(call(tool, ['src/a.ts']));
    assert.ok(verdict !== 'allow' && verdict.deny.includes('plan mode'), tool);
    const { answer, cards } = await permit(policy, request(tool, ['src/a.ts']));
    assert.deepEqual([answer?.behavior, cards], ['deny', 0]);
  }
});

test('of a tool that acts a call that only reads is judged as reading, in every mode', async () => {
  const { policy, world } = policyOf();
  for (const mode of ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk'] as const) {
    world.mode = mode;
    const before = await policy.before('mcp__probe__lists', { paths: [] });
    assert.deepEqual([before?.kind, before?.verdict], ['reads', 'run'], mode);
    assert.equal((await permit(policy, request('lists', []))).cards, 0, mode);
    assert.equal(await policy.verdict(call('lists', [])), 'allow', mode);
  }
  world.mode = 'plan';
  const acts = await policy.before('mcp__probe__lists', { paths: ['src/a.ts'] });
  assert.deepEqual([acts?.kind, acts?.verdict], ['editsInside', 'refuse']);
  assert.notEqual(await policy.verdict(call('lists', ['src/a.ts'])), 'allow');
  assert.equal((await policy.before('mcp__probe__lists', { paths: 1 }))?.kind, 'runs');
});

test('what the person allows on a card runs once, also when the mode has become plan meanwhile', async () => {
  const { policy, world } = policyOf();
  world.mode = 'default';
  const question = request('runs', []);
  const { answer, cards } = await permit(policy, question, () => {
    world.mode = 'plan';
    return Promise.resolve({ behavior: 'allow', updatedInput: question.input });
  });
  assert.deepEqual([answer?.behavior, cards], ['allow', 1]);
  assert.equal(await policy.verdict(call('runs', [])), 'allow');
  assert.notEqual(await policy.verdict(call('runs', [])), 'allow');
});

test('a question that is looked at while the mode changes is judged by the mode at its answer', async () => {
  const { policy, world } = policyOf();
  world.mode = 'acceptEdits';
  const answer = permit(policy, request('edits', ['src/a.ts']));
  world.mode = 'plan';
  assert.deepEqual([(await answer).answer?.behavior, (await answer).cards], ['deny', 0]);
});

test('a path that comes to lead elsewhere after it was allowed is not written', async () => {
  const { policy, world } = policyOf();
  const link = path.join(workspace, 'turning');
  await symlink(path.join(workspace, 'src'), link);
  assert.equal((await permit(policy, request('edits', ['turning/a.ts']))).cards, 0);
  await unlink(link);
  await symlink(path.join(base, 'out'), link);
  const late = await policy.verdict(call('edits', ['turning/a.ts']));
  assert.ok(late !== 'allow' && late.deny.includes('another place'));
  world.mode = 'default';
  const turned = await permit(policy, request('edits', ['turning/a.ts']), async () => {
    await unlink(link);
    await symlink(path.join(workspace, '.git'), link);
    return { behavior: 'allow', updatedInput: { paths: ['turning/a.ts'] } };
  });
  assert.deepEqual([turned.answer?.behavior, turned.cards], ['deny', 1]);
  await unlink(link);
});

test('a call of another’s server, whose tools are not known here, is refused in plan mode only', async () => {
  const { policy, world } = policyOf();
  const question = { ...call('far', []), server: 'far' };
  assert.equal(await policy.verdict(question), 'allow');
  world.mode = 'plan';
  const verdict = await policy.verdict(question);
  assert.ok(verdict !== 'allow' && verdict.deny.includes('mcp__far__far'));
});

test('a tool that is not of this process is left to the CLI', async () => {
  const { policy } = policyOf();
  for (const name of ['mcp__probe__none', 'mcp__other__x', 'Bash', 'mcp__probe']) {
    assert.equal(await policy.before(name, {}), undefined);
  }
  assert.equal((await permit(policy, { tool_name: 'Bash', input: {} })).answer, undefined);
});

test('a server of others whose name ours begins with takes no guard away', async () => {
  const { policy, registry } = policyOf();
  registry.add({
    ...{
      kind: 'foreign',
      name: 'pro',
      version: '1',
      onDidChange: () => ({ dispose: () => undefined }),
    },
    open: () => assert.fail('nothing is called'),
  });
  registry.add(
    createServer({
      name: 'pro__be',
      tools: [
        defineTool({
          name: 'edits',
          description: 'd',
          input: object({ paths: array(string()) }),
          edits: ({ paths }) => paths,
          run: () => 'ran',
        }),
      ],
    }),
  );
  const look = await policy.before('mcp__pro__be__edits', { paths: ['.git/config'] });
  assert.equal(look?.kind, 'editsElsewhere');
  assert.equal((await policy.before('mcp__pro__x', {}))?.kind, 'runs');
});
