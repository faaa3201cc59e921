import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, FOLLOWING, type FollowState } from '../../../src/webview/followScroll';

const atEnd: FollowState = { following: true, last: { top: 600, height: 1000, client: 400 } };

test('one pixel upwards stops following', () => {
  assert.equal(follow(atEnd, { top: 599, height: 1000, client: 400 }).following, false);
});

test('growth alone neither stops nor starts following', () => {
  const grown = { top: 600, height: 1200, client: 400 };
  assert.equal(follow(atEnd, grown).following, true);
  assert.equal(follow({ ...atEnd, following: false }, grown).following, false);
});

test('coming back down to the end starts it again', () => {
  const reading = follow(atEnd, { top: 300, height: 1000, client: 400 });
  const closer = follow(reading, { top: 500, height: 1000, client: 400 });
  assert.equal(closer.following, false);
  assert.equal(follow(closer, { top: 600, height: 1000, client: 400 }).following, true);
});

test('a fraction of a pixel at the end is rounding, not reading', () => {
  assert.equal(follow(atEnd, { top: 599.6, height: 1000, client: 400 }).following, true);
});

test('a box that shrinks under the reader goes on following', () => {
  assert.equal(follow(atEnd, { top: 400, height: 800, client: 400 }).following, true);
  assert.equal(follow(atEnd, { top: 500, height: 1000, client: 500 }).following, true);
});

test('reading one pixel above the end is not undone by the tolerance', () => {
  const reading = follow(atEnd, { top: 599, height: 1000, client: 400 });
  assert.equal(follow(reading, { top: 599, height: 1000, client: 400 }).following, false);
  assert.equal(follow(reading, { top: 599, height: 1300, client: 400 }).following, false);
});

test('an empty transcript follows', () => {
  assert.equal(follow(FOLLOWING, { top: 0, height: 400, client: 400 }).following, true);
});
