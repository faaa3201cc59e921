import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../../../src/chat/imageProtocol';
import { encodings, fits, scaledTo } from '../../../src/webview/pictureFit';

test('a picture goes as it is while neither its sides nor its bytes are too many', () => {
  assert.equal(fits({ width: MAX_IMAGE_SIDE, height: 10 }, MAX_IMAGE_BYTES), true);
  assert.equal(fits({ width: 10, height: MAX_IMAGE_SIDE + 1 }, 10), false);
  assert.equal(fits({ width: 10, height: 10 }, MAX_IMAGE_BYTES + 1), false);
});

test('it keeps its shape, is never made larger, and never has no side', () => {
  assert.deepEqual(scaledTo({ width: 8000, height: 4000 }, 2000), { width: 2000, height: 1000 });
  assert.deepEqual(scaledTo({ width: 100, height: 50 }, 2000), { width: 100, height: 50 });
  assert.deepEqual(scaledTo({ width: 9000, height: 2 }, 2000), { width: 2000, height: 1 });
});

test('what may have text in it is tried without loss first, a photo as a photo', () => {
  const png = encodings({ width: 4000, height: 2000 }, 'image/png');
  assert.deepEqual(
    png.map(({ width, type }) => [width, type]),
    [
      [2000, 'image/png'],
      [2000, 'image/webp'],
      [1568, 'image/png'],
      [1568, 'image/webp'],
      [1024, 'image/png'],
      [1024, 'image/webp'],
    ],
  );
  const small = encodings({ width: 1200, height: 900 }, 'image/png');
  assert.deepEqual(small[0], { width: 1200, height: 900, type: 'image/webp', quality: 0.85 });
  const photo = encodings({ width: 4000, height: 2000 }, 'image/jpeg');
  assert.deepEqual([...new Set(photo.map(({ type }) => type))], ['image/jpeg']);
});
