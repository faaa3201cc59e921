import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionAnswer } from '../../../src/chat/permissionAnswer';
import { createPermissionCard, type PermissionCardOptions } from '../../../src/chat/permissionCard';
import type { PermissionRequest } from '../../../src/chat/permissionRequest';
import { visibleText } from '../../../src/chat/visibleText';
import { parseInboundRequest, type CanUseToolRequest } from '../../../src/protocol/controlRequests';
import { readTranscript } from './chatHarness';

function request(fields: Partial<PermissionRequest>): PermissionRequest {
  return { tool_name: 'Bash', input: {}, ...fields };
}

function card(fields: Partial<PermissionRequest>, options: Partial<PermissionCardOptions> = {}) {
  return createPermissionCard({
    requestId: 'r',
    request: request(fields),
    folder: '/ws',
    ...options,
  });
}

function recorded(): CanUseToolRequest[] {
  return readTranscript('chat-permissions').flatMap(({ dir, m }) => {
    if (dir !== 'in' || m.type !== 'control_request') return [];
    const parsed = parseInboundRequest(m.request);
    return parsed.subtype === 'can_use_tool' ? [parsed] : [];
  });
}

test('a command is shown whole, with what hides in it made visible', () => {
  const made = card({ input: { command: "printf 'a\\nb' && echo \u202Egpj.exe\u0007\u200B" } });
  assert.equal(made.body, "printf 'a\\nb' && echo \\u202Egpj.exe\\u0007\\u200B");
  assert.deepEqual([made.title, made.bodyKind], ['Run a command', 'command']);
});

test('paths are relative to the working folder, urls whole, other inputs JSON', () => {
  const isNew = { currentText: undefined };
  assert.deepEqual(
    [
      card({ tool_name: 'Write', input: { file_path: '/ws/src/a.ts', content: '' } }, isNew).body,
      card({ tool_name: 'Read', input: { file_path: '/outside/a.ts' } }).body,
      card({ tool_name: 'WebFetch', input: { url: 'https://x.example/?q=1' } }).bodyKind,
      card({ tool_name: 'mcp__x__y', input: { a: 1 } }).body,
      card({ input: { command: 5 } }).bodyKind,
    ],
    ['src/a.ts', '/outside/a.ts', 'url', '{\n  "a": 1\n}', 'json'],
  );
});

test('a proposed edit is shown as a diff of the file as it is now', () => {
  const edit = { file_path: '/ws/a.txt', old_string: 'two', new_string: '$& TWO' };
  const fields = { tool_name: 'Edit', input: edit };
  const diff = card(fields, { currentText: 'one\r\ntwo\r\nthree\r\n' }).diff;
  assert.deepEqual(diff, {
    path: 'a.txt',
    hunks: [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+$& TWO', ' three'] }],
    added: 1,
    removed: 1,
  });
  assert.equal(card(fields, { currentText: 'else' }).diff, undefined);
  assert.equal(card(fields).diff?.hunks[0]?.oldStart, 0);
  const write = { tool_name: 'Write', input: { file_path: '/ws/n', content: 'a\nb\n' } };
  assert.equal(card(write, { currentText: undefined }).diff?.added, 2);
  assert.equal(card(write).diff, undefined);
});

test('a huge diff and a huge body are bounded', () => {
  const write = {
    tool_name: 'Write',
    input: { file_path: '/ws/n', content: 'line\n'.repeat(50_000) },
  };
  const { diff } = card(write, { currentText: 'old\n'.repeat(50_000) });
  assert.equal(diff?.added, 50_000);
  assert.ok((diff.omittedLines ?? 0) > 90_000);
  const { body } = card({ input: { command: `${'x'.repeat(300_000)} # end` } });
  assert.ok(body.length < 101_000 && body.endsWith('# end'));
});

test('the rule that a card offers is the one that the answer adds, for this session only', () => {
  for (const asked of recorded()) {
    const { conversationRule } = createPermissionCard({
      requestId: 'r',
      request: asked,
      folder: '/ws',
    });
    const answer = permissionAnswer(asked, 'allowConversation');
    assert.ok(answer.behavior === 'allow');
    assert.equal(answer.updatedPermissions !== undefined, conversationRule !== undefined);
    assert.ok(
      (answer.updatedPermissions ?? []).every(({ destination }) => destination === 'session'),
    );
    assert.equal(answer.updatedInput, asked.input);
  }
});

test('rules come from the suggestions, modes only where there is no rule', () => {
  const rule = {
    type: 'addRules' as const,
    rules: [
      { toolName: 'Bash', ruleContent: 'npm test *' },
      { toolName: 'Bash', ruleContent: 'rm x' },
    ],
    behavior: 'allow' as const,
    destination: 'localSettings' as const,
  };
  const mode = {
    type: 'setMode' as const,
    mode: 'acceptEdits' as const,
    destination: 'session' as const,
  };
  const folder = {
    type: 'addDirectories' as const,
    directories: ['/outside'],
    destination: 'session' as const,
  };
  assert.equal(
    card({ permission_suggestions: [rule, folder, mode] }).conversationRule,
    'Bash(npm test *), Bash(rm x)',
  );
  assert.equal(card({ permission_suggestions: [mode] }).conversationRule, 'Accept all edits');
  const outside = request({
    permission_suggestions: [mode, folder],
    decision_reason_type: 'workingDir',
  });
  assert.deepEqual(permissionAnswer(outside, 'allowConversation'), {
    behavior: 'allow',
    updatedInput: {},
    updatedPermissions: [mode, folder],
  });
  const ours = request({ tool_name: 'mcp__code__rename' });
  assert.deepEqual(permissionAnswer(ours, 'allowConversation'), {
    behavior: 'allow',
    updatedInput: {},
    updatedPermissions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'mcp__code__rename' }],
        behavior: 'allow',
        destination: 'session',
      },
    ],
  });
});

test('nothing is offered that would be asked about again', () => {
  for (const type of ['mode', 'hook', 'rule', 'safetyCheck']) {
    const made = card({ tool_name: 'mcp__x__y', decision_reason_type: type });
    assert.equal(made.conversationRule, undefined);
  }
  assert.equal(
    card({ tool_name: 'mcp__x__y', requires_user_interaction: true }).conversationRule,
    undefined,
  );
});

test('T11: the input goes back as it came, odd keys included', () => {
  const input = JSON.parse(
    '{"command":"x","constructor":1,"__proto__":{"x":1},"toString":null}',
  ) as Record<string, unknown>;
  const sent = JSON.stringify(permissionAnswer(request({ input }), 'allowOnce'));
  assert.equal(
    sent,
    '{"behavior":"allow","updatedInput":{"command":"x","constructor":1,"__proto__":{"x":1},"toString":null}}',
  );
});

test('a denial always has a message, and interrupts only when asked to stop', () => {
  const denied = permissionAnswer(request({}), 'deny', '  ');
  assert.ok(denied.behavior === 'deny' && denied.message.length > 10 && !('interrupt' in denied));
  assert.deepEqual(permissionAnswer(request({}), 'deny', ' use git '), {
    behavior: 'deny',
    message: 'use git',
  });
  const stop = permissionAnswer(request({}), 'denyAndStop');
  assert.ok(stop.behavior === 'deny' && stop.interrupt === true && stop.message !== '');
});

test('reasons are said in words', () => {
  assert.equal(card({ decision_reason_type: 'workingDir' }).reason, 'Outside the working folder.');
  assert.equal(
    card({ decision_reason_type: 'hook', decision_reason: 'Protected\u202E path' }).reason,
    'Protected\\u202E path',
  );
  assert.equal(card({ blocked_path: '/ws/made.txt' }).reason, 'Writes to made.txt.');
  assert.equal(card({}).reason, 'No rule allows this yet.');
});

test('visible text holds no hidden character and leaves plain text as it is', () => {
  const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const isKept = code === 9 || code === 10 || (code >= 0xfe00 && code <= 0xfe0f);
    const character = String.fromCodePoint(code);
    if (!isKept && hidden.test(character)) assert.match(visibleText(character), /^\\[ru]/);
  }
  assert.equal(visibleText('grüße 日本 😀 ⚠️ שלום\t\n'), 'grüße 日本 😀 ⚠️ שלום\t\n');
  assert.equal(visibleText('a\rb\u{E0041}'), 'a\\rb\\u{E0041}');
});

test('a cell of a notebook is shown as the difference to the cell as the file has it', () => {
  const cells = [
    { id: 'a1', cell_type: 'code', source: ['one\n', 'two'] },
    { id: 'b2', cell_type: 'code', source: 'three' },
  ];
  const notebook = JSON.stringify({ cells });
  const lines = (input: object, currentText: string | null = notebook) => {
    const fields = { tool_name: 'NotebookEdit', input: { notebook_path: '/ws/n.ipynb', ...input } };
    return card(fields, { currentText }).diff?.hunks.flatMap((hunk) => hunk.lines);
  };
  assert.deepEqual(lines({ cell_id: 'a1', new_source: 'one\n2' }), [' one', '-two', '+2']);
  assert.deepEqual(lines({ cell_id: 'cell-1', new_source: '3' }), ['-three', '+3']);
  assert.deepEqual(lines({ cell_id: 'a1', new_source: 'new', edit_mode: 'insert' }), ['+new']);
  assert.deepEqual(lines({ new_source: 'new', edit_mode: 'insert' }), ['+new']);
  const whole = { cell_id: 'b2', new_source: '', edit_mode: 'delete' };
  assert.deepEqual(lines(whole), ['-three']);
  for (const id of ['c3', 'cell-2', 'constructor', undefined]) {
    assert.equal(lines({ cell_id: id, new_source: 'x' }), undefined);
  }
  for (const broken of ['{', '[]', '{"cells":[null]}', '{"cells":[{"id":"a1"}]}', '', null]) {
    assert.equal(lines({ cell_id: 'a1', new_source: 'x' }, broken), undefined);
  }
});

test('a card says where a line of it is cut, since its end may be out of sight', () => {
  const shown = (content: string) =>
    card({ tool_name: 'Write', input: { file_path: '/ws/a', content } }, { currentText: undefined })
      .diff;
  const cut = shown(`a${' '.repeat(3_000)}evil()\n`);
  assert.equal(cut?.hasCutLines, true);
  assert.ok(JSON.stringify(cut).includes('…'));
  assert.equal(shown('short\n')?.hasCutLines, undefined);
});

test('what an edit would write stands on the card, also where no difference can be shown', () => {
  const edits: [string, Record<string, unknown>, string | undefined | null][] = [
    ['NotebookEdit', { notebook_path: '/ws/n.ipynb', cell_id: 'c1', new_source: 'evil()' }, '{}'],
    ['NotebookEdit', { notebook_path: '/ws/n.ipynb', new_source: 'evil()' }, null],
    ['MultiEdit', { file_path: '/ws/a', edits: [{ old_string: 'a', new_string: 'evil()' }] }, 'a'],
    // The CLI finds the text all the same: it takes one kind of quotes for the other.
    ['Edit', { file_path: '/ws/a', old_string: '"a"', new_string: 'evil()' }, '“a”'],
    ['Edit', { file_path: '/ws/a', old_string: '"a"', new_string: 'evil()' }, null],
    ['Edit', { file_path: '/ws/a', old_string: 'a', new_string: 'evil()' }, 'a'],
    ['Write', { file_path: '/ws/a', content: 'evil()' }, null],
    ['Write', { file_path: '/ws/a', content: 'evil()' }, undefined],
  ];
  for (const [tool_name, input, currentText] of edits) {
    const made = card({ tool_name, input }, { currentText });
    assert.match(JSON.stringify([made.body, made.diff]), /evil\(\)/, `${tool_name} ${currentText}`);
    assert.equal(made.bodyKind, made.diff ? 'path' : 'json');
  }
});
