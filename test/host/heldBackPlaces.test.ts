import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { plantedFile, plantedPath, usePlantedRoom, workspaceRoot } from './editorRoom';
import { placeIn, referenceProvider, roomWithout } from './placeProviders';

describe('places in files that are not given out', () => {
  usePlantedRoom(() => undefined);

  it('of references are counted: what is outside, excluded, denied or removed, and gives nothing of it', async () => {
    const root = vscode.Uri.file(workspaceRoot());
    const excluded = vscode.Uri.joinPath(root, 'node_modules/x/a.ts');
    await writeFile(plantedFile('here.mixed'), 'word word\n');
    await writeFile(plantedFile('secret.mixed'), 'word secret\n');
    const provider = referenceProvider('mixed', (uri) => [
      placeIn(uri, 0, 0),
      placeIn(uri, 0, 0),
      placeIn(uri, 0, 5),
      placeIn(vscode.Uri.file('/etc/hostname'), 0, 0),
      placeIn(vscode.Uri.parse('git:/etc/a.ts?x'), 0, 0),
      placeIn(excluded, 3, 0),
      placeIn(vscode.Uri.file(plantedFile('secret.mixed')), 0, 0),
      placeIn(vscode.Uri.file(plantedFile('removed.mixed')), 4, 2),
    ]);
    const guarded = roomWithout(plantedFile('secret.mixed'));
    try {
      const input = { path: plantedPath('here.mixed'), symbol: 'word', line: 1 };
      const { text } = await guarded.call('references', { ...input, path: `${input.path}:1:1` });
      assert.equal(
        text,
        [
          "3 references to 'word' in 2 files",
          '(1 more in excluded files, 2 more outside the workspace)',
          '(1 left out: kept back by a rule or setting, or outside)',
          input.path,
          ' 1:1 word word',
          ' 1:6 word word',
          plantedPath('removed.mixed'),
          ' 5:3',
        ].join('\n'),
      );
    } finally {
      guarded.dispose();
      provider.dispose();
    }
  });

  it('names the places outside, and none of a file that a rule forbids beside them', async () => {
    await writeFile(plantedFile('here.both'), 'word\n');
    await writeFile(plantedFile('secret.both'), 'secret word\n');
    const provider = vscode.languages.registerDefinitionProvider(
      { pattern: '**/*.both' },
      {
        provideDefinition: () => [
          placeIn(vscode.Uri.file(plantedFile('secret.both')), 0, 7),
          placeIn(vscode.Uri.file('/etc/hostname'), 0, 0),
        ],
      },
    );
    const guarded = roomWithout(plantedFile('secret.both'));
    try {
      const input = { path: plantedPath('here.both'), symbol: 'word', line: 1 };
      const { text } = await guarded.call('definition', input);
      assert.match(text, /\noutside the workspace: \/etc\/hostname 1:1\n/);
      assert.doesNotMatch(text, /secret/);
    } finally {
      guarded.dispose();
      provider.dispose();
    }
  });
});
