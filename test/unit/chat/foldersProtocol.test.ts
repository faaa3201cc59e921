import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderLabel, isUnsaid } from '../../../src/chat/foldersProtocol';

test('folders of one name are told apart by the folder around them', () => {
  const all = [
    { name: 'shop', path: '/home/me/work/shop' },
    { name: 'shop', path: 'C:\\other\\shop' },
    { name: 'docs', path: '/docs' },
  ];
  assert.deepEqual(
    all.map((one) => folderLabel(one, all)),
    ['shop (work)', 'shop (other)', 'docs'],
  );
  assert.equal(folderLabel({ name: 'gone', path: '/gone' }, all), 'gone');
});

test('a conversation is unsaid until the person says something', () => {
  assert.equal(isUnsaid([]), true);
  assert.equal(isUnsaid([{ kind: 'notice' }]), true);
  assert.equal(isUnsaid([{ kind: 'notice' }, { kind: 'user' }]), false);
});
