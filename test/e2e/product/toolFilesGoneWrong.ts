import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, toolUse } from '../../harness/model/script';
import { parentOf, theCli } from '../../harness/product/agentFamily';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { forget, turn } from './toolFiles';

const LEAVE = 'have the tool leave';
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
