import assert from 'node:assert/strict';
import { test } from 'node:test';
import { droppedUris, mayBringFiles } from '../../../src/webview/droppedUris';

const drop = (entries: Readonly<Record<string, string>>) => ({
  types: Object.keys(entries),
  getData: (type: string) => entries[type] ?? '',
});

test('files of the explorer are known by their names, each once', () => {
  const uris = ['file:///w/a%20b.ts', 'vscode-remote://ssh%2Bbox/w/docs'];
  const list = [...uris, uris[0]].join('\r\n');
  assert.deepEqual(droppedUris(drop({ 'text/plain': '/w/a b.ts', 'text/uri-list': list })), uris);
  const internal = drop({ 'application/vnd.code.uri-list': uris.join('\n') });
  assert.deepEqual(droppedUris(internal), uris);
  assert.deepEqual(droppedUris(drop({ resourceurls: JSON.stringify(uris) })), uris);
});

test('links into the web, text and broken lists are no files', () => {
  const all: readonly Readonly<Record<string, string>>[] = [
    { 'text/uri-list': 'https://example.com/a.png\ndata:image/png;base64,AA' },
    { 'text/plain': 'file:///w/a.ts' },
    { resourceurls: '{not json' },
    { 'text/uri-list': 'C:\\w\\a.ts' },
    // A link of the panel itself.
    { 'text/uri-list': 'vscode-webview://1a2b/src/a.ts:12' },
  ];
  for (const entries of all) {
    assert.deepEqual(droppedUris(drop(entries)), []);
  }
});

test('before it is dropped only the kinds are told', () => {
  assert.equal(mayBringFiles({ types: ['Files'] }), true);
  assert.equal(mayBringFiles({ types: ['text/plain', 'text/uri-list'] }), true);
  assert.equal(mayBringFiles({ types: ['text/plain'] }), false);
});
