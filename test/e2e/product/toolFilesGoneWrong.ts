import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { untilNone } from '../../harness/processes';
import { familyOf, parentOf, theCli } from '../../harness/product/agentFamily';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { pressNotice } from '../../harness/workbench';
import { forget, turn } from './toolFiles';

const LEAVE = 'have the tool leave';
const LOOP = 'have the tool loop';
const AFTER = 'have the other tool answer';
const TOOLS = path.join('.patchbay', 'tools');

/** Ways out of the process that a tool file is likely to take, and what becomes of each. */
const LEAVES = `import { defineTool } from 'patchbay';
import own, { exit } from 'node:process';
import { createRequire } from 'node:module';

const ways: Record<string, () => unknown> = {
  exit: () => process.exit(3),
  'by name': () => exit(3),
  'of the module': () => own.exit(3),
  required: () => require('process').exit(3),
  abort: () => process.abort(),
  kill: () => process.kill(process.pid),
  'kill all': () => process.kill(0),
  global: () => globalThis.process.exit(3),
  'another require': () => createRequire(__filename)('node:process').exit(3),
};

export default defineTool({
  description: 'Tries to leave.',
  alwaysLoad: true,
  run() {
    return Object.entries(ways).map(([way, go]) => {
      try {
        go();
        return way + ': nothing happened';
      } catch (error) {
        return way + ': ' + error.message.split(' for ')[0];
      }
    });
  },
});
`;
const refused = (name: string): string => `process.${name} is not`;
/** The last two are no tool file's own process: there the editor itself stands before it. */
const SEEN = [
  `exit: ${refused('exit')}`,
  `by name: ${refused('exit')}`,
  `of the module: ${refused('exit')}`,
  `required: ${refused('exit')}`,
  `abort: ${refused('abort')}`,
  `kill: ${refused('kill')}`,
  `kill all: ${refused('kill')}`,
  'global: nothing happened',
  'another require: nothing happened',
];

const AT_LOAD = `import { defineTool } from 'patchbay';
process.exit(0);
export default defineTool({ description: 'Never there.', run: () => 1 });
`;

const LOOPS = `import { defineTool } from 'patchbay';

export default defineTool({
  description: 'Goes on for ever.',
  alwaysLoad: true,
  run() {
    for (;;);
  },
});
`;

const FINE = `import { defineTool } from 'patchbay';

export default defineTool({ description: 'Answers.', alwaysLoad: true, run: () => 'still here' });
`;

export function toolFilesGoneWrong(scene: Scene): void {
  scene(
    'a tool file that ends the process does not take the extension host down',
    async (product) => {
      const { dialogue } = product;
      try {
        dialogue.on(LEAVE, message([toolUse('mcp__workspace__leaves')]), say('It stayed.'));
        await approve(product, { 'leaves.tool.ts': LEAVES, 'at_load.tool.ts': AT_LOAD });
        const host = await parentOf(await theCli());
        await allowed(product, LEAVE);
        const [result] = product.requestsFor(LEAVE).at(-1)?.turn.results ?? [];
        assert.equal(result?.isError, false, result?.text);
        assert.deepEqual(JSON.parse(result.text), SEEN);
        assert.equal(await parentOf(await theCli()), host, 'the same extension host');
        const { tools = [] } = product.requestsFor(LEAVE).at(-1)?.turn ?? {};
        assert.ok(tools.includes('mcp__workspace__leaves'));
        assert.ok(!tools.includes('mcp__workspace__at_load'));
      } finally {
        await forget(product);
      }
    },
  );

  scene(
    'a tool file that loops for ever is named after the kill, and it alone is asked about again',
    async (product) => {
      const { dialogue, panel } = product;
      try {
        dialogue.on(LOOP, message([toolUse('mcp__workspace__loops')]), say('It ended.'));
        dialogue.on(AFTER, message([toolUse('mcp__workspace__fine')]), say('It answered.'));
        await approve(product, { 'loops.tool.ts': LOOPS, 'fine.tool.ts': FINE });
        await panel.send(LOOP);
        const permission = panel.permission(/^Permission request: /);
        await permission.getByRole('button', { name: 'Allow once', exact: true }).click();
        const agent = familyOf(await theCli());
        const host = await parentOf(await theCli());
        await standsStill(product, host, 'loops.tool.ts');
        process.kill(host, 'SIGKILL');
        await untilNone(agent);
        await product.reload();
        const card = panel.approval(/^Approval: Tool files of /);
        await card.getByRole('group', { name: `Change of ${TOOLS}/loops.tool.ts` }).waitFor();
        assert.equal(await card.getByText('fine.tool.ts').count(), 0);
        await refuse(product);
        await allowed(product, AFTER);
        const [result] = product.requestsFor(AFTER).at(-1)?.turn.results ?? [];
        assert.equal(result?.text, 'still here');
      } finally {
        await forget(product);
      }
    },
  );

  scene(
    'an extension host that stands still behind a window that was loaded anew is told of, and ended',
    async (product) => {
      const { page } = product;
      try {
        const host = await parentOf(await theCli());
        await approve(product, { 'at_once.tool.ts': 'for (;;);\n' });
        await standsStill(product, host, 'at_once.tool.ts');
        await product.reload();
        await refuse(product);
        const told = page.locator('.notification-list-item', {
          hasText: 'goes on for ever in at_once.tool.ts',
        });
        await pressNotice(page, told, 'End it');
        await eventually(() => !existsSync(`/proc/${host}`));
      } finally {
        await forget(product);
      }
      // The storage of the workspace is free again.
      await product.reload();
    },
  );
}

/** As a colleague's files that come by git. */
async function approve(
  { panel, workspace }: Product,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(path.join(workspace, TOOLS), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(workspace, TOOLS, name), text);
  }
  const card = panel.approval(/^Approval: Tool files of /);
  for (const name of Object.keys(files)) {
    await card.getByRole('group', { name: `Change of ${TOOLS}/${name}` }).waitFor();
  }
  await card.getByRole('button', { name: 'Approve', exact: true }).click();
  await card.waitFor({ state: 'detached' });
}

async function allowed(product: Product, prompt: string): Promise<void> {
  await turn(product, prompt, async () => {
    const permission = product.panel.permission(/^Permission request: /);
    await permission.getByRole('button', { name: 'Allow once', exact: true }).click();
  });
}

/** Waits until the watcher has written that this host stands still, and at which file. */
async function standsStill({ server }: Product, host: number, file: string): Promise<void> {
  await eventually(async () => {
    const names = await readdir(server.dataFolder, { recursive: true });
    const record = names.find((name) => name.endsWith(`loop-${host}.json`));
    if (record === undefined) return false;
    const text = await readFile(path.join(server.dataFolder, record), 'utf8').catch(() => '');
    return text.includes(file) && text.includes('"stack":["');
  });
}

async function refuse({ panel }: Product): Promise<void> {
  const card = panel.approval(/^Approval: Tool files of /);
  await card.getByText('It ran for ever before, and held up the editor.').waitFor();
  await card.getByRole('button', { name: "Don't run", exact: true }).click();
  await card.waitFor({ state: 'detached' });
}
