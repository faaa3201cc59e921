import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  usePlantedRoom,
} from './editorRoom';

/** What no provider should do, by the ending of the file that it serves. */
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  boom: () => Promise.reject(new Error('boom')),
  none: () => undefined,
  odd: () => [{ nothing: 1 }, null, 'text', 7],
  mute: () => new Promise<never>(() => undefined),
};
const ENDINGS = Object.keys(ANSWERS);

describe('providers that are not as they should be', () => {
  let room: EditorRoom;
  let impatient: EditorRoom;
  const providers: vscode.Disposable[] = [];

  usePlantedRoom(
    (made) => {
      room = made;
      impatient = createEditorRoom({ answerMs: 500 });
    },
    {
      plant: async () => {
        for (const ending of ENDINGS) await writeFile(plantedFile(`odd.${ending}`), 'word of it\n');
      },
    },
  );

  before(() => {
    for (const [ending, answer] of Object.entries(ANSWERS)) register(ending, answer);
  });

  after(() => {
    impatient.dispose();
    for (const one of providers) one.dispose();
  });

  function register(ending: string, answer: () => unknown): void {
    const files = { pattern: `**/*.${ending}` };
    const { languages } = vscode;
    // What no provider should answer, on purpose.
    const any = (): never => answer() as never;
    providers.push(
      languages.registerDefinitionProvider(files, { provideDefinition: any }),
      languages.registerTypeDefinitionProvider(files, { provideTypeDefinition: any }),
      languages.registerImplementationProvider(files, { provideImplementation: any }),
      languages.registerDeclarationProvider(files, { provideDeclaration: any }),
      languages.registerHoverProvider(files, { provideHover: any }),
      languages.registerDocumentSymbolProvider(files, { provideDocumentSymbols: any }),
      languages.registerCodeActionsProvider(files, { provideCodeActions: any }),
      languages.registerCallHierarchyProvider(files, {
        prepareCallHierarchy: any,
        provideCallHierarchyIncomingCalls: any,
        provideCallHierarchyOutgoingCalls: any,
      }),
      languages.registerTypeHierarchyProvider(files, {
        prepareTypeHierarchy: any,
        provideTypeHierarchySupertypes: any,
        provideTypeHierarchySubtypes: any,
      }),
    );
  }

  const calls = (path: string): readonly (readonly [tool: string, input: object])[] => [
    ...['definition', 'type', 'implementation', 'declaration'].map(
      (kind) => ['definition', { path, symbol: 'word', kind }] as const,
    ),
    ...['callers', 'callees', 'supertypes', 'subtypes'].map(
      (of) => ['hierarchy', { path, symbol: 'word', of }] as const,
    ),
    ['symbols', { path }],
    ['actions', { path, line: 1 }],
    ['actions', { path, apply: 'fixAll' }],
  ];

  /** What is told where nothing came; the editor does not say why a provider gave nothing. */
  const NOTHING: Readonly<Record<string, RegExp>> = {
    definition:
      /^No (?:type )?(?:definition|implementation|declaration) of 'word' at .*: no server for 'plaintext' knows it, or it is still starting\. Try /,
    hierarchy: /^No (?:call|type) hierarchy of 'word' at .*: 'plaintext' has none, .*\. Use /,
    symbols: /^No outline of .*: no server for 'plaintext' knows it, .*\. Try again, or Read it$/,
    actions: /^no actions at |^Nothing was changed: nothing offers source\.fixAll for /,
  };

  for (const ending of ['boom', 'none', 'odd']) {
    it(`that answer as those of *.${ending} do are told of in one clear sentence`, async () => {
      // At once: where nothing comes, each waits for a server that may be starting.
      const answers = calls(plantedPath(`odd.${ending}`)).map(
        async ([tool, input]) => [tool, input, await room.call(tool, input)] as const,
      );
      for (const [tool, input, { text }] of await Promise.all(answers)) {
        const isSaid = tool === 'hierarchy' && ending !== 'none';
        const wanted = isSaid ? /^The language server failed: ./ : NOTHING[tool];
        assert.match(text, wanted ?? /./, `${tool} ${JSON.stringify(input)}`);
        assert.ok(text.length <= 240 && !text.includes('undefined'), text);
      }
    });
  }

  it('that never answer are waited for no longer than is said, and not at all after Stop', async () => {
    await Promise.all(
      calls(plantedPath('odd.mute')).map(async ([tool, input]) => {
        const { text, isError } = await impatient.call(tool, input);
        assert.ok(isError, `${tool}: ${text}`);
        assert.match(text, /did not answer in 0\.5 s; try again, or search the text$/, tool);
        const stop = new AbortController();
        const stopped = room.call(tool, input, stop.signal);
        stop.abort();
        assert.match((await stopped).text, /^Stopped/, tool);
      }),
    );
  });

  it('that search the workspace spoil nothing of what others find, unless they never answer', async () => {
    for (const ending of ENDINGS) {
      const provider = vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () => ANSWERS[ending]?.() as never,
      });
      try {
        const { text } = await (ending === 'mute' ? impatient : room).call('symbols', {
          query: 'PlantedLedger',
        });
        assert.match(text, ending === 'mute' ? /did not answer in 0\.5 s/ : /class PlantedLedger/);
      } finally {
        provider.dispose();
      }
    }
  });
});
