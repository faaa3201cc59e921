import assert from 'node:assert/strict';
import { mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { listConversations } from '../../../src/sessions/conversationList';
import { projectFolderName } from '../../../src/sessions/conversationPath';
import { answer, attachment, CWD, prompt, session, SESSION } from './sessionFixture';

const id = (last: number): string => `${SESSION.slice(0, -2)}${String(last).padStart(2, '0')}`;
const lines = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

test('conversations are listed newest first, with title and first prompt', async (t) => {
  const { configFolder, folder, file } = await session(t, [
    prompt('u1', null, 'the  oldest\nof all'),
    answer('a1', 'u1', 'yes'),
  ]);
  const named = path.join(folder, `${id(1)}.jsonl`);
  await writeFile(
    named,
    lines(
      { type: 'mode', mode: 'default' },
      attachment('x', 'y', 70_000),
      prompt('u1', null, 'what it began with'),
      { type: 'custom-title', customTitle: 'first name' },
      prompt('u2', 'u1', 'later'),
      { type: 'custom-title', customTitle: 'second name' },
      { type: 'last-prompt', lastPrompt: 'later', leafUuid: 'u2' },
    ),
  );
  await utimes(file, 1000, 1000);
  await utimes(named, 2000, 2000);
  const listed = await listConversations({ configFolder, cwd: CWD });
  assert.deepEqual(
    listed.map((one) => [one.sessionId, one.title, one.firstPrompt, one.changedAt]),
    [
      [id(1), 'second name', 'what it began with', 2_000_000],
      [SESSION, undefined, 'the oldest of all', 1_000_000],
    ],
  );
});

test('no file keeps another one away: empty, torn, of unknown kinds, without times, not readable', async (t) => {
  const { configFolder, folder } = await session(t, [prompt('u1', null, 'whole')]);
  await writeFile(path.join(folder, `${id(1)}.jsonl`), '');
  await writeFile(path.join(folder, `${id(2)}.jsonl`), '{"type":"user","mess');
  await writeFile(path.join(folder, `${id(3)}.jsonl`), lines({ type: 'of-tomorrow', a: [1] }));
  await writeFile(path.join(folder, `${id(4)}.jsonl`), '\u0000\u0001\n[1]\n"x"\nnull\n');
  await mkdir(path.join(folder, `${id(5)}.jsonl`));
  await symlink(path.join(folder, 'nowhere'), path.join(folder, `${id(6)}.jsonl`));
  await writeFile(path.join(folder, 'notes.jsonl'), lines(prompt('u1', null, 'no session')));
  await writeFile(
    path.join(folder, `${id(7)}.jsonl`),
    `${lines(prompt('u1', null, 'broken at its end'))}{"type":"assist`,
  );
  const listed = await listConversations({ configFolder, cwd: CWD });
  assert.deepEqual(listed.map(({ firstPrompt }) => firstPrompt).sort(), [
    'broken at its end',
    'whole',
  ]);
});

test('of a first prompt that is long only the beginning is told, of one without end what came last', async (t) => {
  const { configFolder, folder, file } = await session(t, [
    prompt('u1', null, `begins so ${'x'.repeat(200_000)}`),
  ]);
  const endless = path.join(folder, `${id(1)}.jsonl`);
  await writeFile(
    endless,
    lines(prompt('u1', null, 'y'.repeat(3_000_000)), {
      type: 'last-prompt',
      lastPrompt: 'what came last',
      leafUuid: 'u1',
    }),
  );
  await utimes(file, 2000, 2000);
  await utimes(endless, 1000, 1000);
  const [long, last] = await listConversations({ configFolder, cwd: CWD });
  assert.match(long?.firstPrompt ?? '', /^begins so x+…$/);
  assert.ok((long?.firstPrompt?.length ?? 0) <= 301);
  assert.equal(last?.firstPrompt, 'what came last');
});

test('a file of 4 GiB is looked at no longer than one of 1 MiB', async (t) => {
  const { configFolder, file } = await session(t, [prompt('u1', null, 'the beginning')]);
  // A hole: it takes no room on the disk.
  await truncate(file, 4 * 1024 ** 3);
  const [listed] = await listConversations({ configFolder, cwd: CWD });
  assert.equal(listed?.firstPrompt, 'the beginning');
  assert.equal(listed.bytes, 4 * 1024 ** 3);
});

test('commands of the CLI, marks and rows of subagents are not what a conversation is about', async (t) => {
  const { configFolder } = await session(t, [
    prompt('u0', null, '<command-name>/clear</command-name>'),
    prompt('u1', 'u0', '<system-reminder>be kind</system-reminder>', { isMeta: true }),
    prompt('u2', 'u1', 'of a subagent', { isSidechain: true }),
    prompt('u3', 'u2', 'of the person'),
  ]);
  const [listed] = await listConversations({ configFolder, cwd: CWD });
  assert.equal(listed?.firstPrompt, 'of the person');
});

test('folders whose names are one on the disk are told apart, a deep folder is found', async (t) => {
  const { configFolder, folder } = await session(t, [prompt('u1', null, 'ours')]);
  const twin = '/tmp/ws-dot-x---5X';
  assert.equal(projectFolderName(twin), projectFolderName(CWD));
  await writeFile(
    path.join(folder, `${id(1)}.jsonl`),
    lines({ ...prompt('u1', null, 'theirs'), cwd: twin }),
  );
  const texts = async (cwd: string): Promise<readonly (string | undefined)[]> =>
    (await listConversations({ configFolder, cwd })).map(({ firstPrompt }) => firstPrompt);
  assert.deepEqual(await texts(CWD), ['ours']);
  assert.deepEqual(await texts(twin), ['theirs']);
  const deep = `/tmp/${'deep/'.repeat(60)}end`;
  const short = `${projectFolderName(deep).slice(0, 200)}-1a2b3c`;
  await mkdir(path.join(configFolder, 'projects', short));
  await writeFile(
    path.join(configFolder, 'projects', short, `${id(2)}.jsonl`),
    lines({ ...prompt('u1', null, 'far down'), cwd: deep }),
  );
  assert.deepEqual(await texts(deep), ['far down']);
  assert.deepEqual(await texts('/tmp/nothing/here'), []);
});

test('a conversation of pictures only is listed, also where they are long', async (t) => {
  const picture = (data: string) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data },
  });
  const { configFolder, folder } = await session(t, [
    prompt('u1', null, [picture('aGVsbG8=')]),
    answer('a1', 'u1', 'A cat.'),
  ]);
  await writeFile(
    path.join(folder, `${id(1)}.jsonl`),
    lines(prompt('u1', null, [picture('A'.repeat(2_000_000))]), answer('a1', 'u1', 'A dog.')),
  );
  // Nobody said anything in it.
  await writeFile(
    path.join(folder, `${id(2)}.jsonl`),
    lines(prompt('u0', null, '<command-name>/clear</command-name>')),
  );
  const listed = await listConversations({ configFolder, cwd: CWD });
  assert.deepEqual(listed.map(({ sessionId, firstPrompt }) => [sessionId, firstPrompt]).sort(), [
    [id(1), undefined],
    [SESSION, undefined],
  ]);
});

test('a command from a file stands there as it was typed', async (t) => {
  const { configFolder } = await session(t, [
    prompt(
      'u1',
      null,
      '<command-message>tidy</command-message>\n<command-name>/tidy</command-name>\n<command-args>the tests</command-args>',
    ),
    prompt('u2', 'u1', [{ type: 'text', text: 'Tidy up the tests.' }], { isMeta: true }),
    answer('a1', 'u2', 'Done.'),
  ]);
  const [listed] = await listConversations({ configFolder, cwd: CWD });
  assert.equal(listed?.firstPrompt, '/tidy the tests');
});
