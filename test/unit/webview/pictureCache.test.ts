import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureCache } from '../../../src/webview/pictureCache';

test('a picture is asked for once, and anew only while it has not come', async () => {
  const asked: string[] = [];
  const pictures = new PictureCache({
    ask: (id) => asked.push(id),
    draw: (blob) => blob.text().then((text) => `blob:${text}`),
  });
  for (const id of ['a', 'b', 'c', 'a']) pictures.picture(id);
  await pictures.put('own', new Blob(['own']));
  assert.deepEqual(asked.splice(0), ['a', 'b', 'c']);
  await pictures.put('a', new Blob(['1']));
  pictures.gone('b');
  pictures.reset();
  assert.deepEqual(asked.splice(0), ['c']);
  assert.deepEqual(pictures.picture('a').value, { kind: 'there', url: 'blob:1' });
  await pictures.put('c', new Blob(['3']));
  pictures.reset();
  assert.deepEqual(asked, []);
});
