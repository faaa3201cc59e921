import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../src/base/disposable';
import { quoteActiveSelection } from '../../src/host/editorActions';
import {
  closeAll,
  createEditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
  workspaceRoot,
} from './editorRoom';
import { guardOf, placeIn, referenceProvider, roomWithout } from './placeProviders';

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

  it('are named by no tool that tells which problems its change has brought', async () => {
    const names = ['here', 'shown', 'secret'].map((name) => `${name}.held`);
    const uriOf = (name: string): vscode.Uri => vscode.Uri.file(plantedFile(name));
    for (const name of names) await writeFile(plantedFile(name), 'word\n');
    const away = await mkdtemp(path.join(tmpdir(), 'patchbay-away-'));
    const outside = vscode.Uri.file(path.join(away, 'outside.held'));
    await writeFile(outside.fsPath, 'word\n');
    const store = new DisposableStore();
    const held = store.add(vscode.languages.createDiagnosticCollection('held'));
    const files = { pattern: '**/*.held' };
    const edit = (uri: vscode.Uri, text: string): vscode.WorkspaceEdit => {
      const made = new vscode.WorkspaceEdit();
      made.replace(uri, new vscode.Range(0, 0, 0, 4), text);
      return made;
    };
    const problem = (about: readonly vscode.Uri[]): vscode.Diagnostic => {
      const one = new vscode.Diagnostic(
        new vscode.Range(0, 0, 0, 1),
        'bad',
        vscode.DiagnosticSeverity.Error,
      );
      one.relatedInformation = about.map(
        (uri) => new vscode.DiagnosticRelatedInformation(placeIn(uri, 0, 0), 'said there'),
      );
      return one;
    };
    const kept = [uriOf('secret.held'), outside];
    store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.path !== uriOf('here.held').path || contentChanges.length === 0) return;
        const isBroken = !document.getText().startsWith('word');
        for (const uri of [document.uri, uriOf('shown.held'), ...kept]) {
          held.set(uri, isBroken ? [problem(kept)] : []);
        }
      }),
    );
    store.add(
      vscode.languages.registerRenameProvider(files, {
        provideRenameEdits: ({ uri }) => edit(uri, 'name'),
      }),
    );
    store.add(
      vscode.languages.registerCodeActionsProvider(files, {
        provideCodeActions: ({ uri }) => [
          Object.assign(new vscode.CodeAction('Act', vscode.CodeActionKind.Refactor), {
            edit: edit(uri, 'acts'),
          }),
        ],
      }),
    );
    const guarded = store.add(roomWithout(plantedFile('secret.held')));
    try {
      for (const uri of [...kept, uriOf('shown.held'), uriOf('here.held')]) {
        await vscode.window.showTextDocument(uri, { preview: false });
      }
      const at = { path: plantedPath('here.held'), symbol: 'word', line: 1 };
      const calls: readonly (readonly [tool: string, input: object])[] = [
        ['edit', { edits: [{ path: at.path, old: 'word', new: 'edited' }] }],
        ['rename', { ...at, to: 'name' }],
        ['actions', { ...at, apply: 'Act' }],
      ];
      for (const [tool, input] of calls) {
        const { text } = await guarded.call(tool, input);
        assert.match(text, /\n 1:1 error bad\n/, `${tool}: ${text}`);
        assert.match(
          text,
          /\nmore errors in other open files: \S+ ?\S*shown\.held \(\+1\)\n/,
          tool,
        );
        assert.match(text, /\n\(2 left out: kept back by a rule or setting, or outside\)$/, tool);
        assert.doesNotMatch(text, /secret|outside\.held/, tool);
        const { document } = await show('here.held');
        await replaceAll(document, 'word\n');
        assert.ok(await document.save());
        await until('all is well again', () =>
          kept.every((uri) => vscode.languages.getDiagnostics(uri).length === 0),
        );
      }
    } finally {
      store.dispose();
      await closeAll();
      await rm(away, { recursive: true });
    }
  });

  it('give no signature and doc, whatever is asked about a name that they define', async () => {
    for (const name of ['here', 'open', 'secret']) {
      await writeFile(plantedFile(`${name}.kinds`), 'word\n');
    }
    const files = { pattern: '**/*.kinds' };
    const open = placeIn(vscode.Uri.file(plantedFile('open.kinds')), 0, 0);
    const secret = placeIn(vscode.Uri.file(plantedFile('secret.kinds')), 0, 0);
    let defined: () => vscode.Location[] = () => [];
    const { languages } = vscode;
    const store = new DisposableStore();
    store.add(languages.registerDefinitionProvider(files, { provideDefinition: () => defined() }));
    store.add(
      languages.registerTypeDefinitionProvider(files, { provideTypeDefinition: () => open }),
    );
    store.add(
      languages.registerImplementationProvider(files, { provideImplementation: () => open }),
    );
    store.add(languages.registerDeclarationProvider(files, { provideDeclaration: () => open }));
    store.add(
      languages.registerHoverProvider(files, {
        provideHover: () => new vscode.Hover('words of its definition'),
      }),
    );
    const guarded = store.add(roomWithout(plantedFile('secret.kinds')));
    const tell = async (kind: string): Promise<string> => {
      const input = { path: plantedPath('here.kinds'), symbol: 'word', line: 1, kind };
      return (await guarded.call('definition', input)).text;
    };
    try {
      for (const kind of ['type', 'implementation', 'declaration']) {
        defined = () => [open];
        assert.match(await tell(kind), /\nwords of its definition\n/, kind);
        for (const places of [[secret], [open, secret]]) {
          defined = () => places;
          const text = await tell(kind);
          assert.match(text, /\n\(no signature and doc: the definition is kept back\)\n/, kind);
          assert.match(text, /open\.kinds\n 1:1 word$/, kind);
          assert.doesNotMatch(text, /words of|secret/, kind);
        }
        defined = () => {
          throw new Error('boom');
        };
        assert.doesNotMatch(await tell(kind), /words of/, `${kind}: nobody knows whose they are`);
      }
    } finally {
      store.dispose();
    }
  });

  it('are not looked into for what they call or extend', async () => {
    const inner =
      "import { heldHelper } from './heldHelp';\nexport function heldInner() {\n  return heldHelper();\n}\n";
    await writeFile(
      plantedFile('src/heldHelp.ts'),
      'export function heldHelper() {\n  return 1;\n}\n',
    );
    await writeFile(plantedFile('src/heldInner.ts'), inner);
    const outer =
      "import { heldInner } from './heldInner';\nexport function heldOuter() {\n  return heldInner();\n}\n";
    await writeFile(plantedFile('src/heldOuter.ts'), outer);
    for (const name of ['here', 'secret']) await writeFile(plantedFile(`${name}.kin`), 'Word\n');
    const item = (name: string, uri: vscode.Uri): vscode.TypeHierarchyItem => {
      const range = new vscode.Range(0, 0, 0, 4);
      return new vscode.TypeHierarchyItem(vscode.SymbolKind.Class, name, '', uri, range, range);
    };
    const here = vscode.Uri.file(plantedFile('here.kin'));
    const secret = vscode.Uri.file(plantedFile('secret.kin'));
    let starts: readonly vscode.Uri[] = [];
    const provider = vscode.languages.registerTypeHierarchyProvider(
      { pattern: '**/*.kin' },
      {
        prepareTypeHierarchy: () => starts.map((uri) => item('Word', uri)),
        provideTypeHierarchySupertypes: ({ uri }) => [
          item(
            uri.path === secret.path ? 'OfSecret' : 'OfHere',
            uri.with({ path: `${here.path}2` }),
          ),
        ],
        provideTypeHierarchySubtypes: () => [item('Below', here.with({ path: `${here.path}3` }))],
      },
    );
    const guarded = createEditorRoom({
      readGuard: {
        denied: (all) => {
          const held = all.filter((file) => /secret\.kin$|heldInner\.ts$/.test(file));
          return Promise.resolve(new Map(held.map((file) => [file, 'Read(s)'])));
        },
      },
    });
    try {
      const call = { path: plantedPath('src/heldOuter.ts'), symbol: 'heldInner', line: 3 };
      const callees = await guarded.call('hierarchy', { ...call, of: 'callees' });
      assert.ok(callees.isError, callees.text);
      assert.match(callees.text, /^Not given out: the callees of 'heldInner' .* Ask the person/);
      assert.ok(callees.text.length <= 240);
      const callers = await guarded.call('hierarchy', { ...call, of: 'callers' });
      assert.match(callers.text, /\n 2:17 function heldOuter/, 'that stands in other files');
      const type = { path: plantedPath('here.kin'), symbol: 'Word', line: 1 };
      starts = [secret, vscode.Uri.file('/etc/hostname')];
      const none = await guarded.call('hierarchy', { ...type, of: 'supertypes' });
      assert.match(none.text, /^Not given out: the supertypes of 'Word' /);
      starts = [here, secret];
      const some = await guarded.call('hierarchy', { ...type, of: 'supertypes' });
      assert.match(some.text, /^1 supertype of 'Word' in 1 file\n\(1 left out: /);
      assert.match(some.text, /OfHere/);
      for (const { text } of [none, some]) assert.doesNotMatch(text, /OfSecret|secret/);
      const below = await guarded.call('hierarchy', { ...type, of: 'subtypes' });
      assert.match(below.text, /class Below/);
    } finally {
      provider.dispose();
      guarded.dispose();
    }
  });

  it('give no signature and doc, be they excluded or outside besides', async () => {
    const away = await mkdtemp(path.join(tmpdir(), 'patchbay-away-'));
    const outside = path.join(away, 'secret.also');
    const excluded = plantedFile('generated/secret.also');
    await mkdir(plantedFile('generated'));
    for (const file of [outside, excluded, plantedFile('here.also')]) {
      await writeFile(file, 'word\n');
    }
    const files = { pattern: '**/*.also' };
    const store = new DisposableStore();
    let target = '';
    const here = vscode.Uri.file(plantedFile('here.also'));
    store.add(
      vscode.languages.registerDefinitionProvider(files, {
        provideDefinition: () => [placeIn(vscode.Uri.file(target), 0, 0)],
      }),
    );
    store.add(
      vscode.languages.registerImplementationProvider(files, {
        provideImplementation: () => [placeIn(here, 0, 0)],
      }),
    );
    store.add(
      vscode.languages.registerHoverProvider(files, {
        provideHover: () => new vscode.Hover('words of its definition'),
      }),
    );
    const config = vscode.workspace.getConfiguration('search');
    await config.update('exclude', { '**/generated': true }, vscode.ConfigurationTarget.Workspace);
    try {
      for (target of [outside, excluded]) {
        for (const kind of ['definition', 'implementation']) {
          const input = { path: plantedPath('here.also'), symbol: 'word', line: 1, kind };
          const guarded = store.add(roomWithout(target));
          const { text } = await guarded.call('definition', input);
          assert.doesNotMatch(text, /words of|secret/, `${kind} in ${target}`);
          assert.match(text, /kept back/, `${kind} in ${target}`);
          const free = store.add(roomWithout('another'));
          assert.match((await free.call('definition', input)).text, /\nwords of/, 'no rule');
        }
      }
    } finally {
      await config.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      store.dispose();
      await rm(away, { recursive: true });
    }
  });

  it('are in no document of their path, whoever shows it and saved or not', async () => {
    const secret = plantedFile('.env.typed');
    const store = new DisposableStore();
    store.add(
      vscode.workspace.registerTextDocumentContentProvider('patchbay-test-view', {
        provideTextDocumentContent: () => 'an older TOKEN=1',
      }),
    );
    const guarded = store.add(roomWithout(secret));
    const open = store.add(roomWithout('another'));
    const draft = vscode.Uri.from({ scheme: 'untitled', path: secret });
    const view = vscode.Uri.from({ scheme: 'patchbay-test-view', path: secret, query: 'at=1' });
    try {
      for (const uri of [draft, view]) {
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document, { preview: false });
        if (document.isUntitled) await replaceAll(document, 'TOKEN=1\n');
      }
      // The view is the active one.
      await vscode.commands.executeCommand('editor.action.selectAll');
      await until('its text is selected', () => open.context.activeSelection()?.text !== '');
      assert.match(await quoteActiveSelection(open.context, guardOf('another')), /TOKEN=1/);
      await assert.rejects(quoteActiveSelection(open.context, guardOf(secret)), /Read\(s\)/);
      assert.match((await open.call('open_editors')).text, /^2 open editors.*\n(?:.*\n)*.*typed/);
      assert.match((await open.call('read_buffer', { path: draft.toString() })).text, /TOKEN=1/);
      const told = await guarded.call('open_editors');
      assert.doesNotMatch(told.text, /typed/);
      assert.match(told.text, /\(2 left out: kept back by /);
      for (const tool of ['read_buffer', 'diagnostics', 'show', 'symbols']) {
        const { text } = await guarded.call(tool, { path: draft.toString() });
        assert.match(text, /^Not given out: the person's rule Read\(s\) forbids/, tool);
      }
    } finally {
      await closeAll();
      store.dispose();
    }
  });

  it('are not quoted by a later page, once a rule forbids them', async () => {
    const file = plantedFile('pages.later');
    await writeFile(file, 'word of it\n'.repeat(600));
    const lines = Array.from({ length: 600 }, (_, line) => line);
    const symbols = lines.map((line) => {
      const at = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line, 0));
      return new vscode.SymbolInformation(`laterWord${line}`, vscode.SymbolKind.File, '', at);
    });
    const problems = vscode.languages.createDiagnosticCollection('later');
    const provider = vscode.Disposable.from(
      referenceProvider('later', (uri) => lines.map((line) => placeIn(uri, line, 0))),
      vscode.languages.registerWorkspaceSymbolProvider({ provideWorkspaceSymbols: () => symbols }),
      problems,
    );
    problems.set(
      vscode.Uri.file(file),
      lines.map((line) => {
        const at = new vscode.Range(line, 0, line, 4);
        return new vscode.Diagnostic(at, `word of it ${line}`);
      }),
    );
    let rule = '';
    const guarded = createEditorRoom({
      readGuard: {
        denied: (files) => {
          const held = files.filter((file) => file === rule);
          return Promise.resolve(new Map(held.map((file) => [file, 'Read(s)'])));
        },
      },
    });
    try {
      const asked = {
        references: { path: plantedPath('pages.later'), symbol: 'word', line: 1 },
        symbols: { query: 'laterWord' },
        diagnostics: {},
      };
      for (const [tool, input] of Object.entries(asked)) {
        rule = '';
        const first = await guarded.call(tool, input);
        const [, cursor] = /next: cursor=(\S+)$/.exec(first.text) ?? [];
        assert.match((await guarded.call(tool, { cursor })).text, /word of it|laterWord/, tool);
        rule = file;
        const { text, isError } = await guarded.call(tool, { cursor });
        assert.ok(isError, text);
        assert.match(text, /^Kept back since the first page: some of its files\. Call /);
        assert.match(text, new RegExp(` Call ${tool} (?:again )?without cursor`));
      }
      // Nor is it told that the problems of such a file are fixed.
      const again = await guarded.call('diagnostics');
      assert.doesNotMatch(again.text, /pages|[1-9]\d* fixed|no longer reported/);
      assert.match(again.text, /^(?:no change|0 new, 0 fixed)/);
    } finally {
      provider.dispose();
      guarded.dispose();
    }
  });
});
