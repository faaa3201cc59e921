import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryParseNamed } from '../../../src/chat/namedMentions';
import type { MentionSourcesPort } from '../../../src/conversation/conversationPorts';
import { expandNamed, isKnown } from '../../../src/conversation/expandNamed';

const known: MentionSourcesPort = {
  problems: () => Promise.resolve([]),
  changes: () =>
    Promise.resolve({
      branch: 'main',
      ...{ left: 1, more: 3 },
      files: [
        { file: '/ws/src/a.ts', path: 'src/a.ts', state: 'changed', diff: '-one\n+two' },
        { file: '/ws/new.txt', path: 'new.txt', state: 'untracked' },
        { file: '/ws/secret.txt', path: 'secret.txt', state: 'changed', diff: '+key' },
      ],
    }),
  terminal: () => Promise.resolve('npm ERR! broken'),
  conversation: (_folder, start) =>
    Promise.resolve(
      start === '1a2b3c4d'
        ? {
            ...{ file: '/home/.claude/projects/ws/1a2b3c4d.jsonl', title: 'The cart' },
            ...{ firstPrompt: 'why is the total wrong?', changedAt: 0 },
            ...{ lastPrompts: ['and the tests?'], lastAnswer: 'They pass now.' },
          }
        : undefined,
    ),
};

const expand = (
  target: string,
  sources: MentionSourcesPort = known,
  denied: (file: string) => boolean = (file) => file.endsWith('secret.txt'),
) => {
  const named = tryParseNamed(target);
  assert.ok(named);
  const denials = () =>
    Promise.resolve((file: string) => Promise.resolve(denied(file) ? 'Read(**)' : undefined));
  return expandNamed(named, { sources, cwd: '/ws', denials });
};
const textOf = async (...args: Parameters<typeof expand>): Promise<string> => {
  const [block] = (await expand(...args))?.blocks ?? [];
  return block?.type === 'text' ? block.text : '';
};

test('changes go with their differences, without what a rule or setting keeps back', async () => {
  assert.equal(
    await textOf('git:changes'),
    [
      '<attached git_changes="main">',
      'src/a.ts: changed\n-one\n+two',
      'new.txt: untracked',
      '(3 more files are changed)',
      '(2 more files: a rule or setting keeps them back)',
      '</attached>',
    ].join('\n'),
  );
  const clean = {
    ...known,
    changes: () => Promise.resolve({ branch: undefined, left: 0, more: 0, files: [] }),
  };
  assert.match(await textOf('git:changes', clean), /="no branch">\nNothing is changed\.\n/);
  const none = { ...known, changes: () => Promise.resolve(undefined) };
  await assert.rejects(expand('git:changes', none), /no git repository/);
});

test('what is selected in the terminal goes as it is; nothing selected is refused', async () => {
  assert.equal(
    await textOf('terminal:selection'),
    '<attached terminal="selection">\nnpm ERR! broken\n</attached>',
  );
  for (const text of [undefined, '  \n']) {
    const nothing = { ...known, terminal: () => Promise.resolve(text) };
    await assert.rejects(expand('terminal:selection', nothing), /Nothing is selected/);
  }
});

test('another conversation goes as a pointer with how it began and how it stands, unless a rule forbids', async () => {
  const text = await textOf('conversation:The cart 1a2b3c4d');
  assert.match(text, /^<attached conversation="The cart">\n/);
  for (const part of [
    'The cart\n',
    '1970-01-01',
    '/home/.claude/projects/ws/1a2b3c4d.jsonl\n',
    'It began with: why is the total wrong?',
    'Later the person said: and the tests?',
    "The agent's last answer:\nThey pass now.",
  ]) {
    assert.ok(text.includes(part), part);
  }
  await assert.rejects(expand('conversation:ffffffff'), /ffffffff is not on the disk/);
  await assert.rejects(
    expand('conversation:1a2b3c4d', known, () => true),
    /the rule Read\(\*\*\) forbids/,
  );
});

test('what nobody knows of is an ordinary word', async () => {
  const few: MentionSourcesPort = { problems: () => Promise.resolve([]) };
  for (const target of ['git:changes', 'terminal:selection', 'conversation:1a2b3c4d']) {
    const named = tryParseNamed(target);
    assert.ok(named);
    assert.deepEqual(
      [isKnown(named, known), isKnown(named, few), isKnown(named, undefined)],
      [...[true, false, false]],
    );
    assert.equal(await expand(target, few), undefined);
  }
});
