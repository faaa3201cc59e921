import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewMessage } from '../../../src/chat/viewProtocol';
import { ImageLoader } from '../../../src/webview/imageLoader';

test('a picture is asked for once, and anew only while it has not come', () => {
  const posted: ViewMessage[] = [];
  const loader = new ImageLoader((message) => posted.push(message));
  loader.load('t1', 0);
  loader.load('t1', 0);
  loader.load('t1', 1);
  assert.equal(posted.length, 2);
  loader.answered('t1', 0, { mediaType: 'image/png', data: 'QUJD' });
  const loaded = loader.get('t1', 0).value;
  assert.equal(loaded.kind, 'here');
  assert.match(loaded.url, /^blob:/);
  loader.reset();
  assert.deepEqual(posted.slice(2), [{ type: 'loadImage', toolUseId: 't1', index: 1 }]);
});

test('what is no picture, or has something else in it, is not drawn', () => {
  const loader = new ImageLoader(() => undefined);
  loader.answered('t1', 0, undefined);
  loader.answered('t1', 1, { mediaType: 'image/svg+xml', data: 'QUJD' });
  loader.answered('t1', 2, { mediaType: 'image/png', data: 'x"><script>' });
  for (const index of [0, 1, 2]) assert.equal(loader.get('t1', index).value.kind, 'gone');
  assert.equal(loader.get('t1', 3).value.kind, 'coming');
});
