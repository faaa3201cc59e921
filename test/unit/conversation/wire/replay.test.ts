import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonDifference } from '../../../../src/conversation/wire/jsonDifference';
import { createChunker } from '../../../../src/conversation/wire/chunks';
import { parseWireFile } from '../../../../src/conversation/wire/parseWireFile';
import { RedactedFileError } from '../../../../src/conversation/wire/refuseRedacted';
import { isAsRecorded, replay, type ReplayReport } from '../../../../src/conversation/wire/replay';
import { writeWireFile } from '../../../../src/conversation/wire/writeWireFile';
import { inRoot } from '../../../harness/paths';
import { add, answer, createLog, mcp, mcpAnswer, request } from './frames';

const FOLDER = inRoot('test/fixtures/transcripts');
const transcripts = readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'));

function play(text: string, chunkSeed?: number): Promise<ReplayReport> {
  return replay(parseWireFile(text), { chunkSeed });
}

type Step = readonly ['in' | 'out', unknown] | 'ended';

/** What the inspector would save of these frames. */
function saved(steps: readonly Step[], redaction = { secrets: false, contents: false }): string {
  const log = createLog();
  for (const step of steps) {
    if (step === 'ended') log.ended({ code: 0, signal: null });
    else add(log, step[0], step[1]);
  }
  const facts = { cli: '2.1.9', extension: undefined, savedAt: 0, dropped: 0 };
  return [...writeWireFile(log.from(1), facts, redaction)].join('');
}

const tool = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: {
    type: 'object',
    properties: { value: { type: 'string' } },
    required: ['value'],
    additionalProperties: false,
  },
};
const start = request('host-1', {
  subtype: 'initialize',
  sdkMcpServerManifests: {
    probe: {
      initializeResult: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'probe', version: '1.0.0' },
      },
      toolsListResult: { tools: [tool] },
    },
  },
});
const prompt = { type: 'user', message: { role: 'user', content: 'say hi' }, uuid: 'u' };
const calling = {
  type: 'assistant',
  message: {
    id: 'm1',
    content: [{ type: 'tool_use', id: 't1', name: 'mcp__probe__echo', input: { value: 'hi' } }],
  },
};
const call = mcp('r1', 'tools/call', { name: 'echo', arguments: { value: 'hi' } });
const given = { content: [{ type: 'text', text: 'echo hi' }] };
const told = {
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't1', content: 'echo hi' }],
  },
};
const said = {
  type: 'assistant',
  message: { id: 'm2', content: [{ type: 'text', text: 'It says hi.' }] },
};
const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 2 };
const turn: readonly Step[] = [
  ['out', start],
  ['in', answer('host-1')],
  ['out', prompt],
  ['in', { type: 'system', subtype: 'init', cwd: '/ws' }],
  ['in', calling],
  ['in', call],
  ['out', mcpAnswer('r1', given)],
  ['in', told],
  ['in', said],
  ['in', result],
];

test('a saved conversation becomes what it was: its words, its calls, the same answers', async () => {
  const report = await play(saved(turn));
  assert.deepEqual(report.errors, []);
  assert.deepEqual(report.answers, { same: 1, takenOver: 0, different: [] });
  assert.deepEqual(report.tools, [{ name: 'mcp__probe__echo', state: 'done' }]);
  assert.deepEqual(report.unanswered, []);
  assert.equal(report.cli, '2.1.9');
  assert.match(report.transcript, /^## You\n\nsay hi\n\n## Claude\n\n- \*\*.*echo.*\(done\)/);
  assert.match(report.transcript, /It says hi\.$/);
  assert.ok(isAsRecorded(report));
});

test('the way in which the bytes come changes nothing', async () => {
  const whole = await play(saved(turn));
  for (let seed = 1; seed <= 20; seed += 1) {
    assert.deepEqual(await play(saved(turn), seed), whole, `seed ${seed}`);
  }
});

test('chunks are all bytes in order, the same for a seed and others for another', () => {
  const bytes = Uint8Array.from({ length: 50_000 }, (_, at) => at % 251);
  const cut = (seed: number) => [...createChunker(seed)(bytes)].map((chunk) => Buffer.from(chunk));
  assert.deepEqual(Buffer.concat(cut(7)), Buffer.from(bytes));
  assert.deepEqual(cut(7), cut(7));
  assert.notDeepEqual(cut(7), cut(8));
  const sizes = cut(7).map((chunk) => chunk.length);
  assert.ok(Math.min(...sizes) <= 2 && Math.max(...sizes) > 1_000);
});

test('an answer that the code would not give now is named with its line and the place', async () => {
  const list = mcp('r2', 'tools/list');
  const [different] = (
    await play(
      saved([
        ...turn,
        ['in', list],
        ['out', mcpAnswer('r2', { tools: [{ ...tool, description: 5 }] })],
      ]),
    )
  ).answers.different;
  assert.match(different ?? '', /^line 13: answer to tools\/list, request r2: .*tools\[0\]/);

  const wrongId = mcpAnswer('r1', given);
  Reflect.set(
    Reflect.get(Reflect.get(Reflect.get(wrongId, 'response'), 'response'), 'mcp_response'),
    'id',
    99,
  );
  const report = await play(
    saved(turn.map((step) => (step[1] === turn[6]?.[1] ? ['out', wrongId] : step))),
  );
  assert.deepEqual(report.answers.different, [
    'line 8: answer to tools/call, request r1: response.response.mcp_response.id was 99, is 1',
  ]);
  assert.ok(!isAsRecorded(report));
});

test('a call that is refused for its arguments is refused again, by the schema that the file has', async () => {
  const bad = mcp('r2', 'tools/call', { name: 'echo', arguments: { valeu: 'hi' } });
  const error = { code: -32602, message: "Invalid arguments for tool 'echo':\nold words" };
  const refusal = answer('r2', { mcp_response: { jsonrpc: '2.0', id: 1, error } });
  const { answers } = await play(saved([...turn, ['in', bad], ['out', refusal]]));
  assert.deepEqual(answers, { same: 1, takenOver: 1, different: [] });
  const passed = mcpAnswer('r2', given);
  const { different } = (await play(saved([...turn, ['in', bad], ['out', passed]]))).answers;
  assert.match(
    different[0] ?? '',
    /r2: response\.response\.mcp_response\.result was .*, is absent$/,
  );
});

test('a result that was cut, and has lost its object with that, is what it was', async () => {
  const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const listed = { tools: [{ ...tool, outputSchema: output }] };
  const cut = { content: [{ type: 'text', text: '[The result was cut: …]' }] };
  for (const given_ of [cut, { ...cut, structuredContent: { n: 1 } }]) {
    const report = await play(
      saved([
        ...turn.slice(0, 4),
        ['in', mcp('l', 'tools/list')],
        ['out', mcpAnswer('l', listed)],
        ['in', calling],
        ['in', call],
        ['out', mcpAnswer('r1', given_)],
        ...turn.slice(7),
      ]),
    );
    assert.deepEqual(report.answers.different, []);
    assert.ok(isAsRecorded(report));
  }
});

test('tools that come, go and fail, and servers that are taken away, are played as they were', async () => {
  const other = { ...tool, name: 'other' };
  const none = {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32601, message: "Server 'probe' not found" },
  };
  const noTool = {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32601, message: "Tool 'echo' not found" },
  };
  const report = await play(
    saved([
      ...turn,
      ['in', mcp('r2', 'tools/list')],
      ['out', mcpAnswer('r2', { tools: [other] })],
      ['in', mcp('r3', 'tools/call', { name: 'other', arguments: { value: 'x' } })],
      ['in', mcp('r4', 'tools/call', { name: 'echo', arguments: { value: 'x' } })],
      ['out', answer('r4', { mcp_response: noTool })],
      ['out', mcpAnswer('r3', { content: [{ type: 'text', text: 'no x' }], isError: true })],
      ['out', request('host-2', { subtype: 'mcp_set_servers', servers: {} })],
      ['in', answer('host-2')],
      ['in', mcp('r5', 'tools/list')],
      ['out', answer('r5', { mcp_response: none })],
      ['in', mcp('r6', 'ping')],
      ['out', answer('r6', { mcp_response: none })],
    ]),
  );
  assert.deepEqual(report.answers, { same: 6, takenOver: 0, different: [] });
  assert.deepEqual(report.errors, []);
});

test('what a person or code that is not in the file decided goes through the channel once more', async () => {
  const ask = request('p1', {
    subtype: 'can_use_tool',
    tool_name: 'Write',
    input: { file_path: '/ws/a' },
  });
  const hook = request('p2', { subtype: 'hook_callback', callback_id: 'c', input: {} });
  const report = await play(
    saved([
      ...turn,
      ['in', ask],
      ['in', hook],
      ['out', answer('p2', { continue: true })],
      ['out', answer('p1', { behavior: 'deny', message: 'no' })],
      ['in', mcp('r7', 'resources/list')],
      ['out', mcpAnswer('r7', { resources: [{ uri: 'a:b', name: 'b' }] })],
      ['in', mcp('r8', 'initialize', {}, 'others')],
      ['out', mcpAnswer('r8', { serverInfo: { name: 'Another name', version: '3' } })],
      ['in', mcp('r9', 'tools/call', { name: 'x' }, 'others')],
      ['out', mcpAnswer('r9', { content: [], extra: true })],
    ]),
  );
  assert.deepEqual(report.answers, { same: 1, takenOver: 5, different: [] });
});

test('a recording that begins in the middle is played as far as it tells', async () => {
  const report = await play(saved([['out', mcpAnswer('r0', given)], ...turn.slice(5)]));
  assert.deepEqual(report.answers, { same: 1, takenOver: 1, different: [] });
  assert.deepEqual(report.errors, []);
});

test('requests without an answer are named; those that were taken back are not waited for', async () => {
  const report = await play(
    saved([
      ...turn,
      ['in', request('p1', { subtype: 'can_use_tool', tool_name: 'Bash', input: {} })],
      ['in', { type: 'control_cancel_request', request_id: 'p1' }],
      ['in', request('p2', { subtype: 'can_use_tool', tool_name: 'Bash', input: {} })],
      ['out', request('host-9', { subtype: 'mcp_status' })],
    ]),
  );
  assert.deepEqual(report.unanswered, [
    'line 14: can_use_tool of the CLI, request p2',
    'line 15: mcp_status of ours, request host-9',
  ]);
  assert.ok(isAsRecorded(report));
});

test('behind the end of a process ids begin anew', async () => {
  const again = turn.map((step): Step => step);
  const report = await play(saved([...turn, 'ended', ...again]));
  assert.deepEqual(report.answers, { same: 2, takenOver: 0, different: [] });
  assert.equal(report.tools.length, 1, 'the call is the same one');
  assert.deepEqual(report.errors, []);
});

test('frames that a room cannot take are errors with their lines; noise is counted', async () => {
  const report = await play(
    saved([...turn, ['in', 'a banner'], ['in', { type: 'assistant', message: 5 }], ['in', '[]']]),
  );
  assert.equal(report.noise, 2);
  assert.equal(report.errors.length, 1);
  assert.match(report.errors[0] ?? '', /^line 13: the assistant message does not fit: message/);
  assert.ok(!isAsRecorded(report));
});

test('a file without contents is refused: each frame and field is named, and how to save it whole', async () => {
  await assert.rejects(play(saved(turn, { secrets: true, contents: true })), (error) => {
    assert.ok(error instanceof RedactedFileError);
    assert.match(error.message, /^ {2}line 4: user: message\.content$/m);
    assert.match(
      error.message,
      /^ {2}line 7: control_request: request\.message\.params\.arguments\.value$/m,
    );
    assert.match(error.message, /^ {2}line 8: control_response: .*content\[0\]\.text$/m);
    assert.match(error.message, /"Save without contents" switched off/);
    return true;
  });
});

test('a secret that is only looked at by its id does not keep a file from being played', async () => {
  const set = request('host-2', {
    subtype: 'mcp_set_servers',
    servers: { probe: { type: 'sdk' }, x: { headers: { Authorization: 'Bearer abcdefgh' } } },
  });
  const status = answer('host-3', { mcpServers: [{ config: { env: { A_TOKEN: 'abcdefgh1' } } }] });
  const file = saved([...turn, ['out', set], ['in', answer('host-2')], ['in', status]], {
    secrets: true,
    contents: false,
  });
  assert.ok(!file.includes('abcdefgh'));
  assert.ok(isAsRecorded(await play(file)));
  await assert.rejects(
    play(
      saved([...turn, ['in', { type: 'x', apiKey: 'abcdefgh' }]], {
        secrets: true,
        contents: false,
      }),
    ),
    /line 12: x: apiKey/,
  );
});

for (const name of transcripts) {
  test(`the recorded transcript ${name} is played without an error, however its bytes come`, async () => {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
    const report = await play(text);
    assert.deepEqual(report.errors, []);
    assert.match(report.transcript, /^## You\n/m);
    assert.deepEqual(await play(text, 11), report);
    // What another host answered there on purpose, to see what the CLI makes of it.
    const odd =
      name === 'mcp-results-errors.ndjson' ? ['uuid-39', 'uuid-47', 'uuid-55', 'uuid-63'] : [];
    assert.deepEqual(
      report.answers.different.map((line) => /request ([\w-]+):/.exec(line)?.[1]),
      odd,
    );
  });
}

test('the first place in which two values differ is named, whatever the order of fields', () => {
  assert.equal(jsonDifference({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }), undefined);
  assert.equal(jsonDifference({ b: [1, { c: 2 }] }, { b: [1, { c: 3 }] }), 'b[1].c was 2, is 3');
  assert.equal(jsonDifference({ a: null }, {}), 'a was null, is absent');
  assert.equal(jsonDifference([1], [1, 2]), '[1] was absent, is 2');
  assert.equal(jsonDifference(1, '1'), 'it was 1, is "1"');
  assert.match(jsonDifference({ a: 'x'.repeat(999) }, {}) ?? '', /^a was "x{119}…, is absent$/);
});
