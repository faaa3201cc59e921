import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableStore } from '../../src/base/disposable';
import {
  closeAll,
  layPlanted,
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  restorePlanted,
  wakeTypeScript,
} from './editorRoom';

/** What a provider may do to whoever asks; `gone` answers with a file that is not there. */
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  boom: () => Promise.reject(new Error('boom')),
  none: () => undefined,
  odd: () => [{ nothing: 1 }],
  mute: () => new Promise<never>(() => undefined),
  gone: () => [new vscode.Location(vscode.Uri.file(plantedFile('gone.ts')), at(3))],
};
const KINDS = Object.keys(ANSWERS);

function at(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 4);
}

describe('language servers that misbehave', () => {
  const store = new DisposableStore();
  /** Waits as long as a busy machine takes. */
  let room: EditorRoom;
  let impatient: EditorRoom;

  before(async () => {
    await closeAll();
    await layPlanted();
    room = store.add(createEditorRoom());
    impatient = store.add(createEditorRoom({ answerMs: 500 }));
    for (const kind of KINDS) await writeFile(plantedFile(`a.${kind}`), 'word\n');
  });
  after(async () => {
    store.dispose();
    await restorePlanted();
  });

  const given = (kind: string, more = {}): object => ({
    path: plantedPath(`a.${kind}`),
    symbol: 'word',
    ...more,
  });
  const refused = async (tool: string, input: object, signal?: AbortSignal): Promise<string> => {
    const isMute = JSON.stringify(input).includes('mute');
    const { text, isError } = await (isMute ? impatient : room).call(tool, input, signal);
    assert.ok(isError, text);
    return text;
  };

  for (const wanted of ['definition', 'type', 'implementation', 'declaration']) {
    it(`of a ${wanted} get a clear word each, and never a wait without end`, async () => {
      const providers = store.add(new DisposableStore());
      for (const [kind, answer] of Object.entries(ANSWERS)) {
        const provide = (): vscode.Location[] => answer() as vscode.Location[];
        const files = { pattern: `**/*.${kind}` };
        const { languages } = vscode;
        providers.add(languages.registerDefinitionProvider(files, { provideDefinition: provide }));
        providers.add(
          languages.registerTypeDefinitionProvider(files, { provideTypeDefinition: provide }),
        );
        providers.add(
          languages.registerImplementationProvider(files, { provideImplementation: provide }),
        );
        providers.add(
          languages.registerDeclarationProvider(files, { provideDeclaration: provide }),
        );
      }
      const ask = (kind: string): object => given(kind, { kind: wanted });
      for (const kind of ['boom', 'none', 'odd']) {
        assert.match(
          await refused('definition', ask(kind)),
          /^No .*(?:definition|implementation|declaration) of 'word'|failed: /,
          kind,
        );
      }
      assert.match(await refused('definition', ask('mute')), /did not answer in 0\.5 s/);
      const stop = new AbortController();
      const stopped = refused('definition', ask('mute'), stop.signal);
      stop.abort();
      assert.match(await stopped, /^Stopped/);
      const { text, isError } = await room.call('definition', ask('gone'));
      assert.ok(!isError, text);
      assert.match(text, /gone\.ts\n 4:1/, 'the place is told, its line cannot be read');
      providers.dispose();
    });
  }

  for (const of of ['callers', 'supertypes'] as const) {
    it(`of a hierarchy (${of}) get a clear word each, at the first question and at the next`, async () => {
      const providers = store.add(new DisposableStore());
      const item = (): unknown =>
        of === 'callers'
          ? new vscode.CallHierarchyItem(
              vscode.SymbolKind.File,
              'word',
              '',
              itsFile(),
              at(0),
              at(0),
            )
          : new vscode.TypeHierarchyItem(
              vscode.SymbolKind.File,
              'word',
              '',
              itsFile(),
              at(0),
              at(0),
            );
      const itsFile = (): vscode.Uri => vscode.Uri.file(plantedFile('a.none'));
      for (const [kind, answer] of Object.entries(ANSWERS)) {
        providers.add(registerHierarchy(of, `**/*.${kind}`, answer, answer));
        await writeFile(plantedFile(`b.next${kind}`), 'word\n');
        providers.add(registerHierarchy(of, `**/*.next${kind}`, () => [item()], answer));
      }
      for (const kind of ['boom', 'none', 'odd']) {
        assert.match(
          await refused('hierarchy', given(kind, { of })),
          /hierarchy of 'word'|failed: /,
        );
      }
      assert.match(await refused('hierarchy', given('mute', { of })), /did not answer in 0\.5 s/);
      const next = (kind: string): object => ({
        path: plantedPath(`b.next${kind}`),
        symbol: 'word',
        of,
      });
      for (const kind of ['none', 'odd']) {
        const { text, isError } = await room.call('hierarchy', next(kind));
        assert.ok(!isError, text);
        assert.match(text, /^0 /, kind);
      }
      assert.match(await refused('hierarchy', next('mute')), /did not answer in 0\.5 s/);
      providers.dispose();
    });
  }

  it('of the outline and of actions take no call down with them', async () => {
    const providers = store.add(new DisposableStore());
    for (const [kind, answer] of Object.entries(ANSWERS)) {
      const files = { pattern: `**/*.${kind}` };
      const provide = (): never[] => answer() as never[];
      providers.add(
        vscode.languages.registerDocumentSymbolProvider(files, { provideDocumentSymbols: provide }),
      );
      providers.add(
        vscode.languages.registerCodeActionsProvider(files, { provideCodeActions: provide }),
      );
    }
    for (const kind of ['boom', 'none', 'odd']) {
      const outline = await room.call('symbols', { path: plantedPath(`a.${kind}`) });
      assert.match(outline.text, /^No outline of |failed: /, `${kind}: ${outline.text}`);
      const actions = await room.call('actions', { path: plantedPath(`a.${kind}`), line: 1 });
      assert.match(actions.text, /^no actions at |failed: /, kind);
    }
    const mute = { path: plantedPath('a.mute') };
    for (const call of [
      impatient.call('symbols', mute),
      impatient.call('actions', { ...mute, line: 1 }),
    ]) {
      assert.match((await call).text, /did not answer in 0\.5 s/);
    }
    providers.dispose();
  });

  it('of the search of the workspace spoil nothing of what others find, unless they never answer', async () => {
    const patient = store.add(createEditorRoom());
    await wakeTypeScript(patient);
    for (const kind of ['boom', 'none', 'odd', 'mute']) {
      const provider = vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () => ANSWERS[kind]?.() as never,
      });
      const asked = kind === 'mute' ? impatient : patient;
      const { text } = await asked.call('symbols', { query: 'PlantedLedger' });
      provider.dispose();
      assert.match(
        text,
        kind === 'mute' ? /did not answer in 0\.5 s/ : /class PlantedLedger/,
        kind,
      );
    }
  });
});

/** A provider whose first answer, and whose answers to all further questions, are given. */
function registerHierarchy(
  of: 'callers' | 'supertypes',
  pattern: string,
  first: () => unknown,
  next: () => unknown,
): vscode.Disposable {
  // What no provider should answer, on purpose.
  const prepare = (): never => first() as never;
  const follow = (): never => next() as never;
  return of === 'callers'
    ? vscode.languages.registerCallHierarchyProvider(
        { pattern },
        {
          prepareCallHierarchy: prepare,
          provideCallHierarchyIncomingCalls: follow,
          provideCallHierarchyOutgoingCalls: follow,
        },
      )
    : vscode.languages.registerTypeHierarchyProvider(
        { pattern },
        {
          prepareTypeHierarchy: prepare,
          provideTypeHierarchySupertypes: follow,
          provideTypeHierarchySubtypes: follow,
        },
      );
}
