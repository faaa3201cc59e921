import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redactFrame, redactText } from '../../../../src/conversation/wire/redactFrame';
import { SecretsSeen } from '../../../../src/conversation/wire/secretsSeen';
import { answer, mcp, mcpAnswer, request } from './frames';

const SECRETS = { secrets: true, contents: false };
const CONTENTS = { secrets: true, contents: true };
const NOTHING = { secrets: false, contents: false };

const servers = {
  github: {
    type: 'http',
    url: 'https://me:hunter2hunter2@example.com/mcp',
    headers: { Authorization: 'Bearer abcdef123456', 'X-Plain': 'visible?' },
  },
  local: { command: 'node', args: ['--api-key=abcd1234efgh'], env: { PORT: '8080', N: 5 } },
};

test('headers, environments, keys and tokens are left out, and each place is named', () => {
  const frame = request('1', { subtype: 'mcp_set_servers', servers });
  const { frame: shown, places } = redactFrame(frame, SECRETS);
  assert.deepEqual(shown, {
    type: 'control_request',
    request_id: '1',
    request: {
      subtype: 'mcp_set_servers',
      servers: {
        github: {
          type: 'http',
          url: 'https://me:•••@example.com/mcp',
          headers: { Authorization: '[secret]', 'X-Plain': '[secret]' },
        },
        local: {
          command: 'node',
          args: ['--api-key=•••'],
          env: { PORT: '[secret]', N: '[secret]' },
        },
      },
    },
  });
  assert.deepEqual(places, [
    'request.servers.github.url',
    'request.servers.github.headers.Authorization',
    'request.servers.github.headers.X-Plain',
    'request.servers.local.args[0]',
    'request.servers.local.env.PORT',
    'request.servers.local.env.N',
  ]);
  assert.deepEqual(frame, request('1', { subtype: 'mcp_set_servers', servers }));
});

/** Where a secret may stand, however deep. */
const holders: readonly (readonly [string, (secret: string) => object])[] = [
  ['a header', (s) => ({ config: [{ headers: { 'X-Any': s } }] })],
  ['headers as a list', (s) => ({ headers: [{ name: 'X-Any', value: s }] })],
  ['an environment', (s) => ({ a: { b: { env: { ANY: s } } } })],
  ['a field of a secret name', (s) => ({ input: { accessToken: s } })],
  ['an object of a secret name', (s) => ({ credentials: { user: { pin: s } } })],
  ['a variable of a secret name', (s) => ({ list: [[{ DEPLOY_KEY: s }]] })],
  ['a cookie', (s) => ({ Cookie: s })],
  ['an item of a command line behind its flag', (s) => ({ args: ['serve', '--api-key', s, '-v'] })],
];

for (const [title, make] of holders) {
  test(`whatever stands in ${title} is left out, and what is around it stays`, () => {
    const secret = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(secret, (text) => {
        const { frame, places } = redactFrame({ type: 'x', deep: [make(`!${text}!`)] }, SECRETS);
        assert.ok(!JSON.stringify(frame).includes(JSON.stringify(`!${text}!`)));
        assert.equal(places.length, 1);
      }),
      { numRuns: 50 },
    );
  });
}

test('a list of headers keeps their names', () => {
  const { frame } = redactFrame({ headers: [{ name: 'X-Any', value: 'v' }] }, SECRETS);
  assert.deepEqual(frame, { headers: [{ name: 'X-Any', value: '[secret]' }] });
});

test('counters and places in a list are no secrets, though their names end like one', () => {
  const frame = {
    usage: { input_tokens: 5, max_tokens: 9 },
    _meta: { progressToken: 'p-1', nextPageToken: 'two' },
    apiKeySource: 'none',
    key: 'Enter',
  };
  const { frame: shown, places } = redactFrame(frame, SECRETS);
  assert.deepEqual([shown, places], [frame, []]);
});

test('known values are left out in texts and in names, wherever they stand', () => {
  const seen = new SecretsSeen(['short', 'swordfish-1']);
  seen.learn(request('1', { subtype: 'mcp_set_servers', servers }));
  seen.learn({ env: { MY_TOKEN: 'zebra-zebra', PATH: '/usr/bin/everywhere' } });
  const known = seen.values;
  const text = 'swordfish-1 zebra-zebra abcdef123456 /usr/bin/everywhere short';
  const { frame, places } = redactFrame({ text, 'x-swordfish-1': 1 }, { ...SECRETS, known });
  assert.deepEqual(frame, {
    text: '••• ••• ••• /usr/bin/everywhere short',
    '[hidden name 1]': 1,
  });
  assert.deepEqual(places, ['text', '[hidden name 1]']);
  assert.equal(redactText(text, { ...SECRETS, known }).includes('zebra'), false);
});

test('a secret behind its flag is left out elsewhere as well, and so is none behind another flag', () => {
  const seen = new SecretsSeen();
  seen.learn({
    args: ['--token', 'zebra-zebra', '--file', 'everywhere', '--max-tokens', '1000000000'],
  });
  assert.deepEqual(seen.values, ['zebra-zebra']);
});

test('of what a server notes in _meta only the names of the protocol stay', () => {
  const progress = { progressToken: 'p-1', 'claudecode/toolUseId': 't-1' };
  const notes = { name: 'PRIVATE', status: 'PRIVATE', inner: { model: 'PRIVATE' } };
  const { frame } = redactFrame({ params: { _meta: { ...progress, ...notes } } }, CONTENTS);
  assert.doesNotMatch(JSON.stringify(frame), /PRIVATE/);
  assert.deepEqual(frame, {
    params: {
      _meta: {
        ...progress,
        name: '[hidden: 7 characters]',
        status: '[hidden: 7 characters]',
        inner: { model: '[hidden: 7 characters]' },
      },
    },
  });
});

test('without redaction the frame is what it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { frame, places } = redactFrame(value, NOTHING);
      assert.deepEqual(frame, value);
      assert.deepEqual(places, []);
    }),
  );
});

/** Every frame that carries what a person, a file or a model has said. */
const contents: readonly (readonly [string, object])[] = [
  ['a prompt', { type: 'user', message: { role: 'user', content: 'PRIVATE' } }],
  [
    'a prompt of blocks',
    { type: 'user', message: { content: [{ type: 'text', text: 'PRIVATE' }] } },
  ],
  [
    'an attached file',
    {
      type: 'user',
      message: { content: [{ type: 'image', source: { type: 'base64', data: 'PRIVATE' } }] },
    },
  ],
  ['an answer', { type: 'assistant', message: { content: [{ type: 'text', text: 'PRIVATE' }] } }],
  [
    'thinking',
    { type: 'assistant', message: { content: [{ type: 'thinking', thinking: 'PRIVATE' }] } },
  ],
  [
    'a streamed delta',
    { type: 'stream_event', event: { delta: { type: 'text_delta', text: 'PRIVATE' } } },
  ],
  [
    'streamed input',
    {
      type: 'stream_event',
      event: { delta: { type: 'input_json_delta', partial_json: 'PRIVATE' } },
    },
  ],
  ['a result', { type: 'result', subtype: 'success', result: 'PRIVATE' }],
  [
    'a tool call',
    {
      type: 'assistant',
      message: {
        content: [{ type: 'tool_use', name: 'Write', input: { name: 'PRIVATE', type: 'PRIVATE' } }],
      },
    },
  ],
  [
    'a tool result',
    { type: 'user', message: { content: [{ type: 'tool_result', content: 'PRIVATE' }] } },
  ],
  [
    'its raw form',
    { type: 'user', tool_use_result: { type: 'create', file: { name: 'PRIVATE' } } },
  ],
  [
    'a question',
    request('1', { subtype: 'can_use_tool', tool_name: 'Write', input: { id: 'PRIVATE' } }),
  ],
  ['its answer', answer('1', { behavior: 'allow', updatedInput: { content: 'PRIVATE' } })],
  [
    'answers by question',
    answer('1', { updatedInput: { answers: { 'Is it PRIVATE?': 'PRIVATE' } } }),
  ],
  ['a call of ours', mcp('1', 'tools/call', { name: 'echo', arguments: { name: 'PRIVATE' } })],
  ['what it gave', mcpAnswer('1', { content: [{ type: 'text', text: 'PRIVATE' }] })],
  ['its object', mcpAnswer('1', { structuredContent: { kind: 'PRIVATE' } })],
  [
    'the answer of a form',
    mcpAnswer('1', {
      action: 'accept',
      content: { name: 'PRIVATE', status: 'PRIVATE', id: 'PRIVATE' },
    }),
  ],
  ['a linked resource', mcpAnswer('1', { content: [{ uri: 'file:///PRIVATE', name: 'PRIVATE' }] })],
  ['a resource', mcpAnswer('1', { contents: [{ uri: 'file:///PRIVATE', text: 'PRIVATE' }] })],
  ['a system prompt', request('1', { subtype: 'initialize', appendSystemPrompt: 'PRIVATE' })],
  ['a folder', { type: 'system', subtype: 'init', cwd: '/home/PRIVATE' }],
  ['a map of files', { type: 'x', files: { '/home/PRIVATE': 'PRIVATE' } }],
  ['an error', answer('1', { error: 'PRIVATE' })],
  ['what no version of today has', { type: 'new', brandNew: { deep: ['PRIVATE'] } }],
  ['a name that is none', { type: 'x', name: `PRIVATE ${'x'.repeat(300)}` }],
];

for (const [title, frame] of contents) {
  test(`without contents, ${title} is left out and what kind of frame it is stays`, () => {
    const { frame: shown, places } = redactFrame(frame, CONTENTS);
    const text = JSON.stringify(shown);
    assert.ok(!text.includes('PRIVATE'), text);
    assert.ok(places.length > 0);
    assert.equal(Reflect.get(Object(shown), 'type'), Reflect.get(frame, 'type'));
    assert.ok(redactFrame(frame, SECRETS).places.length === 0);
  });
}

test('without contents, ids, methods and names of tools stay', () => {
  const frame = mcp('req-1', 'tools/call', { name: 'echo', arguments: { n: 5, on: true } });
  const { frame: shown, places } = redactFrame(frame, CONTENTS);
  assert.deepEqual([shown, places], [frame, []]);
});

test('a frame that is nested too deep is cut, not an overflow', () => {
  let value: unknown = 'core';
  for (let depth = 0; depth < 5_000; depth += 1) value = { value };
  const { frame, places } = redactFrame(value, NOTHING);
  assert.ok(JSON.stringify(frame).includes('[hidden: nested too deep]'));
  assert.equal(places.length, 1);
});

test('own fields called __proto__ stay fields and change no prototype', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
  const { frame } = redactFrame(value, SECRETS);
  assert.equal(JSON.stringify(frame), '{"__proto__":{"polluted":true},"a":1}');
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});
