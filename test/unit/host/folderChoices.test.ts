import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FolderChoices } from '../../../src/host/folderChoices';

const shop = { name: 'shop', path: '/w/shop' };
const docs = { name: 'docs', path: '/w/docs' };

function choicesOf(open: { folders: (typeof shop)[] }) {
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string): unknown => kept.get(key),
    update: (key: string, value: string | undefined): Promise<void> => {
      kept.set(key, value);
      return Promise.resolve();
    },
  };
  return { choices: new FolderChoices(memory, () => open.folders), kept };
}

test('in a window with one folder there is nothing to choose', () => {
  const { choices } = choicesOf({ folders: [shop] });
  assert.equal(choices.choice, undefined);
  assert.deepEqual(
    choices.pick(() => shop),
    shop,
  );
});

test('a new conversation follows the editor until a folder is chosen, and again afterwards', async () => {
  const { choices } = choicesOf({ folders: [shop, docs] });
  const picked = () => choices.pick(() => shop)?.name;
  assert.deepEqual(choices.choice, { folders: [shop, docs] });
  assert.equal(picked(), 'shop');
  await choices.choose('/w/docs');
  assert.deepEqual(choices.choice, { folders: [shop, docs], chosen: '/w/docs' });
  assert.equal(picked(), 'docs');
  await choices.choose(undefined);
  assert.equal(picked(), 'shop');
});

test('a folder that is closed does not count, and counts again when it is open again', async () => {
  const open = { folders: [shop, docs] };
  const { choices, kept } = choicesOf(open);
  await choices.choose('/w/docs');
  open.folders = [shop];
  assert.equal(choices.pick(() => shop)?.name, 'shop');
  open.folders = [shop, docs];
  assert.equal(choices.pick(() => shop)?.name, 'docs');
  await choices.choose('/somewhere/else');
  assert.deepEqual([...kept.values()], ['/w/docs'], 'what is not open is not chosen');
});
