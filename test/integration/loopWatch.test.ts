import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createLoopWorld, type LoopWorld } from '../harness/loopHost/startLoopHost';

const TOOLS = '.patchbay/tools';

async function createWorld(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): Promise<LoopWorld> {
  const world = await createLoopWorld();
  t.after(() => world.dispose());
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(world.folder, '.patchbay', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return world;
}

function tool(run: string, head = ''): string {
  return `import { defineTool } from 'patchbay';
${head}
export default defineTool({
  description: 'Does it.',
  input: { type: 'object' },
  ${run}
});
`;
}

/** Until the thread has written which file loops, with the stack. */
async function untilRecorded(world: LoopWorld, pid: number): Promise<void> {
  for (;;) {
    const text = await readFile(path.join(world.loops, `loop-${pid}.json`), 'utf8').catch(() => '');
    if (text.includes('"stack":["')) return;
    await delay(20);
  }
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const HARMLESS = tool(`run: () => 'harmless',`);

test('a loop after an await is named by its file once the process was killed, and only that asks again', async (t) => {
  const world = await createWorld(t, {
    'tools/loops.tool.ts': tool(
      `async run() { await Promise.resolve(); spin(); },`,
      `import { spin } from '../lib/spin.ts';`,
    ),
    'tools/waits.tool.ts': tool(`run: () => new Promise(() => undefined),`),
    'tools/fine.tool.ts': HARMLESS,
    'lib/spin.ts': `export function spin(): never { for (;;); }`,
  });
  const host = await world.start();
  assert.deepEqual(host.started.states, {
    [`${TOOLS}/fine.tool.ts`]: ['ready'],
    [`${TOOLS}/loops.tool.ts`]: ['ready'],
    [`${TOOLS}/waits.tool.ts`]: ['ready'],
  });
  // At work as well, but only waiting.
  host.order('waits');
  host.order('loops');
  await untilRecorded(world, host.pid);
  await host.kill();
  const next = await world.start();
  assert.deepEqual(next.started.looped, [path.join(world.folder, TOOLS, 'loops.tool.ts')]);
  assert.match(
    next.started.stack.join('\n'),
    /^spin \(.*spin\.ts:1\)\nrun \(.*loops\.tool\.ts:6\)/,
  );
  assert.deepEqual(next.started.states, {
    [`${TOOLS}/fine.tool.ts`]: ['ready'],
    [`${TOOLS}/loops.tool.ts`]: ['needsApproval', 'looped'],
    [`${TOOLS}/waits.tool.ts`]: ['ready'],
  });
  assert.match((await next.call('fine')).answer ?? '', /harmless/);
  await next.kill();
  const third = await world.start();
  assert.deepEqual(third.started.looped, [], 'it is told once');
});

test('a loop while the file is loaded does not come again with the next start', async (t) => {
  // Both are approved by one answer.
  const world = await createWorld(t, {
    'tools/fine.tool.ts': HARMLESS,
    'tools/at-once.tool.ts': `import { defineTool } from 'patchbay';\nfor (;;);\n`,
  });
  // It says nothing first: what it would wait for never comes to an end.
  const host = world.start();
  host.catch(() => undefined);
  let pid = 0;
  while (pid === 0) {
    const names = await readdir(world.loops).catch(() => []);
    pid = Number(/loop-(\d+)/.exec(names.join(' '))?.[1] ?? 0);
    await delay(20);
  }
  await untilRecorded(world, pid);
  // It goes on, as where the editor is far away: the next window gets another storage then.
  const other = await world.start(`${world.storage}-1`);
  const file = path.join(world.folder, TOOLS, 'at-once.tool.ts');
  assert.deepEqual([other.started.looped, other.started.standing], [[file], [pid]]);
  assert.deepEqual(other.started.states, {
    [`${TOOLS}/at-once.tool.ts`]: ['needsApproval', 'looped'],
    [`${TOOLS}/fine.tool.ts`]: ['ready'],
  });
  other.order('end what stands');
  while (isProcess(pid)) await delay(20);
  const next = await world.start();
  assert.deepEqual([next.started.looped, next.started.standing], [[file], []]);
  assert.deepEqual(next.started.states, {
    [`${TOOLS}/at-once.tool.ts`]: ['needsApproval', 'looped'],
    [`${TOOLS}/fine.tool.ts`]: ['ready'],
  });
});

test('what stands still and goes on again is logged, and asks for nothing', async (t) => {
  const world = await createWorld(t, {
    'tools/slow.tool.ts': tool(
      `run() { const end = Date.now() + 3_000; while (Date.now() < end); return 'late'; },`,
    ),
  });
  const host = await world.start();
  const { answer } = await host.call('slow');
  assert.match(answer ?? '', /late/);
  let { log } = await host.call('slow');
  while (!log.some((line) => line.includes('went on'))) ({ log } = await host.call('slow'));
  assert.ok(
    log.some((line) => /stood still for \d+ s, at .*slow\.tool\.ts, and went on/.test(line)),
  );
  while ((await readdir(world.loops)).some((name) => name.startsWith('loop-'))) await delay(20);
  await host.kill();
  const next = await world.start();
  assert.deepEqual(next.started.looped, []);
  assert.deepEqual(next.started.states, { [`${TOOLS}/slow.tool.ts`]: ['ready'] });
});

test('no thread watches where no tool file runs', async (t) => {
  const world = await createWorld(t, {});
  await mkdir(world.folder, { recursive: true });
  assert.equal((await world.start()).started.isWatching, false);
});
