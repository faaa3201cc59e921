import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ToolSetFiles } from '../../../src/host/toolSetFiles';
import { type SwitchState, ToolSwitches } from '../../../src/mcp/toolSwitches';
import { silentLogger } from '../../../src/base/logger';

/** A folder with sets, and a person who answers questions as told. */
async function setsOf(state: Partial<SwitchState> = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-sets-'));
  const switches = new ToolSwitches(state);
  const asked: string[] = [];
  const answers: (boolean | undefined)[] = [];
  const kept: SwitchState[] = [];
  const ask = (set: string, entries: readonly string[]) => {
    asked.push([set, ...entries].join(' '));
    return Promise.resolve(answers.shift());
  };
  let isTrusted = true;
  const files = new ToolSetFiles({
    log: silentLogger,
    switches,
    keep: () => {
      kept.push(switches.state);
      return Promise.resolve();
    },
    roots: () => [folder],
    isTrusted: () => isTrusted,
    askAdded: ask,
    askOff: ask,
  });
  return {
    ...{ folder, switches, files, asked, answers, kept },
    trust: (value: boolean) => (isTrusted = value),
    write: async (sets: unknown) => {
      await mkdir(path.join(folder, '.patchbay'), { recursive: true });
      const text = typeof sets === 'string' ? sets : JSON.stringify({ sets });
      await writeFile(path.join(folder, '.patchbay', 'toolsets.json'), text);
      await files.refresh();
    },
    use: async (name: string) => {
      const set = files.folders[0]?.sets.find((one) => one.name === name);
      assert.ok(set);
      await files.use({ set, folder });
    },
    end: () => rm(folder, { recursive: true }),
  };
}

test('A set that is chosen has everything else off; what the person has off it switches on only when they say so, once', async () => {
  const { write, use, asked, answers, switches, kept, end } = await setsOf({
    servers: ['code', 'run'],
    tools: [],
  });
  await write({ review: { servers: ['code', 'editor'] } });
  answers.push(undefined);
  await use('review');
  assert.deepEqual([switches.state.set, asked, kept.length], [undefined, ['review code'], 0]);
  answers.push(false);
  await use('review');
  assert.deepEqual(
    ['code', 'editor', 'debug'].map((name) => switches.serverOffBy(name)),
    ['person', undefined, 'set'],
  );
  answers.push(true);
  await use('review');
  assert.deepEqual([switches.serverOffBy('code'), kept.length], [undefined, 2]);
  await end();
});

test('What the file takes out is off at once; what it adds waits for one question', async () => {
  const { write, use, asked, answers, switches, files, end } = await setsOf();
  await write({ review: { tools: ['mcp__code__*', 'mcp__run__tests'] } });
  await use('review');
  answers.push(undefined, false);
  await write({ review: { tools: ['mcp__code__symbols', 'mcp__debug__*'] } });
  assert.deepEqual(
    [
      switches.toolOffBy('code', 'rename'),
      switches.serverOffBy('run'),
      switches.serverOffBy('debug'),
    ],
    ['set', 'set', 'set'],
  );
  await files.refresh();
  assert.deepEqual(asked, ['review mcp__debug__*']);
  await write({
    review: { tools: ['mcp__code__symbols', 'mcp__debug__state', 'mcp__run__tasks'] },
  });
  assert.deepEqual(asked.slice(1), ['review mcp__debug__state mcp__run__tasks']);
  assert.deepEqual(switches.state.set?.left, ['mcp__debug__state', 'mcp__run__tasks']);
  answers.push(true);
  await write({ review: { tools: ['mcp__debug__state', 'mcp__editor__*'] } });
  assert.deepEqual(asked.slice(2), ['review mcp__editor__*']);
  assert.deepEqual(
    [switches.serverOffBy('editor'), switches.toolOffBy('debug', 'state')],
    [undefined, 'set'],
  );
  await end();
});

test('A file that is broken or gone, and a workspace that is not trusted, switch nothing on', async () => {
  const { write, use, switches, files, trust, folder, end } = await setsOf();
  await write({ review: { servers: ['code'] } });
  await use('review');
  const off = () => ['code', 'run'].map((name) => switches.serverOffBy(name));
  await write('{ "sets": ');
  assert.deepEqual([off(), files.folders[0]?.isBroken], [[undefined, 'set'], true]);
  await write({ other: {} });
  assert.deepEqual([off(), files.usedSet], [[undefined, 'set'], undefined]);
  await rm(path.join(folder, '.patchbay'), { recursive: true });
  await files.refresh();
  assert.deepEqual([off(), files.folders], [[undefined, 'set'], []]);
  await write({ review: { servers: ['code'] } });
  trust(false);
  await files.refresh();
  assert.deepEqual([off(), files.folders], [[undefined, 'set'], []]);
  await files.use(undefined);
  assert.deepEqual(off(), [undefined, undefined]);
  await end();
});
