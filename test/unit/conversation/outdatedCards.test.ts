import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DescribePorts } from '../../../src/conversation/describePermission';
import { OutdatedCards } from '../../../src/conversation/outdatedCards';
import { resolveRealPath } from '../../../src/workFiles/realPath';

const FILE = '/nowhere/shop/a.txt';
const lines = (change: (n: number) => string): string =>
  Array.from({ length: 3_000 }, (_, n) => `${change(n)}\n`).join('');

/** Cards about one file, whose text the test changes. */
function cardsOf(text: string | undefined) {
  const world = { text };
  const ports = {
    folder: { name: 'shop', path: '/nowhere/shop' },
    buffers: { read: () => Promise.resolve(world.text) },
    registry: { list: () => [] },
    workspaceRoots: () => ['/nowhere/shop'],
    // Nothing else of them is used for an edit.
  } as unknown as DescribePorts;
  const look = async () => ({ decision: 'none', place: await resolveRealPath(FILE) }) as const;
  const cards = new OutdatedCards(ports, () => ({ look }));
  const isOutdated = async (toolName: string, input: object, change: () => void) => {
    const request = { tool_name: toolName, input: { file_path: FILE, ...input } };
    const card = await cards.describe('r', request);
    change();
    return cards.isOutdated(card, request);
  };
  return { world, isOutdated };
}

test('a file that is written over is asked about anew wherever it was changed, also where the card does not show it', async () => {
  const before = lines((n) => `old ${n}`);
  const content = lines((n) => `new ${n}`);
  const { world, isOutdated } = cardsOf(before);
  assert.equal(await isOutdated('Write', { content }, () => undefined), false);
  for (const changed of [
    before.replace('old 2900\n', 'of the person\n'),
    before.replace('old 0\n', 'of the person\n'),
    `${before}one more\n`,
  ]) {
    world.text = before;
    assert.equal(
      await isOutdated('Write', { content }, () => {
        world.text = changed;
      }),
      true,
    );
  }
  const long = `${'x'.repeat(5_000)}old`;
  world.text = long;
  const end = () => {
    world.text = `${'x'.repeat(5_000)}of the person`;
  };
  assert.equal(await isOutdated('Write', { content: 'new' }, end), true, 'at the end of a line');
  world.text = undefined;
  const made = () => {
    world.text = '';
  };
  assert.equal(await isOutdated('Write', { content: 'new' }, made), true, 'made meanwhile');
});

test('an edit that leaves what was changed meanwhile alone is not asked about anew', async () => {
  const { world, isOutdated } = cardsOf(lines((n) => `old ${n}`));
  const input = { old_string: 'old 5\n', new_string: 'new 5\n' };
  const later = () => {
    world.text = world.text?.replace('old 2900\n', 'of the person\n');
  };
  assert.equal(await isOutdated('Edit', input, later), false);
  const same = () => {
    world.text = world.text?.replace('old 4\n', 'of the person\n');
  };
  assert.equal(await isOutdated('Edit', input, same), true);
});
