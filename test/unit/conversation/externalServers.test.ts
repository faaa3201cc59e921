import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { collectServers } from '../../../src/cli/collectServers';
import { filledSecrets, withoutSecrets } from '../../../src/conversation/externalServers';
import { redactFrame } from '../../../src/conversation/wire/redactFrame';

const SECRET = 'Zm9v YmFy/c2Vj+cmV0==';
const AS_URL = 'Zm9v%20YmFy/c2Vj+cmV0==';

function collect(value: object, secret = SECRET) {
  return collectServers({
    written: [{ name: 'zap', source: 'setting', value }],
    reserved: [],
    isOff: () => false,
    isApproved: () => false,
    env: { ZAP_TOKEN: SECRET, PLACE: 'everywhere' },
    secret: (name) => Promise.resolve(name === 'short' ? 'abc' : secret),
    log: silentLogger,
  });
}

const url = 'https://mcp.test/s/${secret:zap}/mcp';
/** Where the person may have put a secret, so that an error can quote it. */
const entries: readonly (readonly [title: string, entry: object])[] = [
  ['the URL', { url }],
  ['the query of the URL', { url: 'https://mcp.test/?x=${env:ZAP_TOKEN}' }],
  [
    'a header, beside other words',
    { url: 'https://mcp.test', headers: { A: 'Key ${secret:zap}' } },
  ],
  ['the environment', { command: 'x', env: { A: 'pre-${ZAP_TOKEN}' } }],
  ['a nested object', { url: 'https://mcp.test', oauth: { clientSecret: '${secret:zap}' } }],
  ['a nested object, written out', { url: 'https://mcp.test', oauth: { clientSecret: SECRET } }],
  ['a list', { url: 'https://mcp.test', more: [{ deep: ['${secret:zap}'] }] }],
];

for (const [title, entry] of entries) {
  test(`A secret that stands in ${title} is in no text about the server`, async () => {
    const servers = await collect(entry);
    assert.equal(servers[0]?.state, 'on');
    assert.equal(withoutSecrets(`fetch of ${SECRET} failed`, servers), 'fetch of ••• failed');
  });
}

test('A secret is known as well in the form that a URL gives to it', async () => {
  const servers = await collect({ url });
  const { href } = new URL(String(servers[0]?.entry?.url));
  assert.ok(href.includes(AS_URL), href);
  const text = `SSE error: fetch failed for ${href}: ENOTFOUND`;
  assert.equal(
    withoutSecrets(text, servers),
    'SSE error: fetch failed for https://mcp.test/s/•••/mcp: ENOTFOUND',
  );
});

test('A value that is no secret, or so short that it would blot out words, stays', async () => {
  const servers = await collect({ url: 'https://mcp.test/${env:PLACE}/${secret:short}' });
  const text = 'everywhere abcdef https://mcp.test/everywhere/abc';
  assert.equal(withoutSecrets(text, servers), text);
  assert.deepEqual(filledSecrets(servers), []);
});

test('A secret of which a URL makes less takes no other text away', async () => {
  for (const secret of ['secret/..', 'abcdef/../e', '..////..', '?secret', 'secret/../a b']) {
    const servers = await collect({ url, env: {} }, secret);
    assert.equal(servers[0]?.state, 'on');
    const text = 'The server could not be reached';
    assert.equal(withoutSecrets(text, servers), text, secret);
    assert.equal(withoutSecrets(`bad ${secret}`, servers), 'bad •••', secret);
    assert.ok(
      filledSecrets(servers).every((value) => value.length >= 6),
      secret,
    );
  }
});

test('What is known of them hides them in the frame that carries them', async () => {
  const servers = await collect({ url });
  const frame = { request: { subtype: 'mcp_set_servers', servers: { zap: servers[0]?.entry } } };
  const options = { secrets: true, contents: false, known: filledSecrets(servers) };
  const shown = JSON.stringify(redactFrame(frame, options).frame);
  assert.ok(shown.includes('https://mcp.test/s/•••/mcp'), shown);
});

test('A secret is hidden in whatever part of a URL it stands', async () => {
  const places = ['https://h.test/${secret:zap}/mcp', 'https://h.test/mcp?key=${secret:zap}'];
  for (const secret of ["abc'def ghi", 'a"b<c>d^e`f', 'päß|wörd{}', "'''''''"]) {
    for (const place of [...places, 'https://me:${secret:zap}@h.test/mcp']) {
      const servers = await collect({ url: place }, secret);
      const [entry] = servers.flatMap((one) => one.entry ?? []);
      assert.ok(entry !== undefined && 'url' in entry);
      const { href } = new URL(String(entry.url));
      for (const told of [String(entry.url), href]) {
        assert.equal(
          withoutSecrets(`cannot reach ${told}`, servers).replaceAll('%E2%80%A2', '•'),
          `cannot reach ${place.replace('${secret:zap}', '•••')}`,
        );
      }
    }
  }
});
