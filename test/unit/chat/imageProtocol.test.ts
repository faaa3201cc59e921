import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageTypeOf, unreadableImage } from '../../../src/chat/imageProtocol';
import { HEIC, pngBytes } from '../../harness/pictureBytes';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test('a picture is known by its first bytes, whatever it is called', () => {
  const heads = {
    'image/png': pngBytes(1, 1, [0, 0, 0]),
    'image/jpeg': bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'),
    'image/gif': bytes('GIF89a\x01\0\x01\0'),
    'image/webp': bytes('RIFF\x24\0\0\0WEBPVP8 '),
  };
  for (const [type, head] of Object.entries(heads)) assert.equal(imageTypeOf(head), type);
  const others = ['', '\x89PNG', 'GIF88a', 'RIFF\x24\0\0\0WAVEfmt ', '<svg>', '{"png":1}'];
  for (const head of others) assert.equal(imageTypeOf(bytes(head)), undefined, head);
});

test('what is no picture for a model is named by what it is', () => {
  const words = (head: Buffer): string => unreadableImage('photo.png', head);
  assert.match(words(HEIC), /photo\.png is a HEIC file; .*PNG, JPEG, GIF or WebP/);
  for (const [head, kind] of [
    ['\0\0\0\x1cftypavif', 'AVIF'],
    ['II*\0\x08\0', 'TIFF'],
    ['BM\x36', 'BMP'],
    ['%PDF-1.7', 'PDF'],
    ['<svg xmlns=', 'SVG'],
  ] as const) {
    assert.match(words(bytes(head)), new RegExp(`is a ${kind} file`));
  }
  assert.equal(words(bytes('')), 'photo.png is empty.');
  assert.equal(words(bytes('hello')), 'photo.png is no picture that can be sent.');
});
