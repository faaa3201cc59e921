import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createToolContext, type ToolContext } from '../../src/mcp/toolContext';
import { inRoot } from '../harness/paths';
import { workspaceRoot } from './editorRoom';
import { until } from './patchbay';
import { createToolFilesRoom, type ToolFilesRoom } from './toolFilesRoom';

const SAMPLES = inRoot('docs/samples/tools');
const PLACE = path.join(workspaceRoot(), 'sample tools');

describe('the samples of docs/tool-files.md', () => {
  let room: ToolFilesRoom;

  before(async () => {
    room = await createToolFilesRoom(workspaceRoot());
    await mkdir(PLACE, { recursive: true });
    const lib = path.join(workspaceRoot(), '.patchbay', 'lib');
    await mkdir(lib, { recursive: true });
    for (const name of await readdir(path.join(SAMPLES, 'lib'))) {
      await writeFile(path.join(lib, name), await readFile(path.join(SAMPLES, 'lib', name)));
    }
    const names = (await readdir(SAMPLES)).filter((name) => name.endsWith('.tool.ts'));
    for (const name of names)
      await room.write(name, await readFile(path.join(SAMPLES, name), 'utf8'));
    // What is put in one after the other is asked about anew each time.
    await until('all samples are approved', () => {
      for (const card of room.cards()) room.answer(card, 'approve');
      return names.every((name) => room.state(name)?.state.kind === 'ready');
    });
  });

  after(async () => {
    await room.clear();
    await rm(PLACE, { recursive: true, force: true });
    await rm(path.join(workspaceRoot(), 'CODEOWNERS'), { force: true });
  });

  async function shown(name: string, text: string): Promise<vscode.TextDocument> {
    await writeFile(path.join(PLACE, name), text);
    const document = await vscode.workspace.openTextDocument(path.join(PLACE, name));
    await vscode.window.showTextDocument(document);
    return document;
  }

  it('counts problems by owner', async () => {
    await writeFile(
      path.join(workspaceRoot(), 'CODEOWNERS'),
      '# who\n* @everyone\n/sample\\ tools/ @nobody\n*.owned.ts @team # the last counts\n',
    );
    const { uri } = await shown('a.owned.ts', 'export const a: number = "x";\n');
    await until('its problem', () => vscode.languages.getDiagnostics(uri).length > 0);
    const counts = JSON.parse(await room.call('problems_by_owner')) as Record<string, number>;
    assert.equal(counts['@team'], vscode.languages.getDiagnostics(uri).length);
  });

  it('runs the tests of the open file as a task, and names what failed', async () => {
    const test = `import test from 'node:test';
test('is right', () => {});
test('is wrong', () => { throw new Error('no'); });
`;
    await writeFile(path.join(PLACE, 'b.test.mjs'), test);
    await shown('b.mjs', 'export const b = 1;\n');
    const answer = JSON.parse(await room.call('test_current_file')) as Record<string, unknown>;
    assert.equal(answer.test, path.join(PLACE, 'b.test.mjs'));
    assert.equal(answer.code, 1);
    const failed = answer.failed as readonly string[];
    assert.ok(failed.includes('is wrong') && !failed.includes('is right'), failed.join());
  });

  it('asks the person by a form, and goes on with the answer', async () => {
    const server = room.app.serversMenu()?.servers.registry.get('workspace');
    let asked: unknown;
    const ask = ((schema: unknown) => {
      asked = schema;
      const content = { version: '1.4.0', kind: 'minor', targets: ['website'], announce: true };
      return Promise.resolve({ action: 'accept', content });
    }) as ToolContext['ask'];
    const result = await server?.execute(
      'plan_release',
      { changes: ['Faster.'] },
      createToolContext({ ask }),
    );
    assert.deepEqual(result, {
      content: [
        { type: 'text', text: 'Release 1.4.0 (minor) to website, with a word to the list.' },
      ],
    });
    assert.deepEqual(Object.keys(Reflect.get(Object(asked), 'properties') as object), [
      'version',
      'kind',
      'targets',
      'announce',
    ]);
  });
});
