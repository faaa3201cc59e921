import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ToolBlock } from '../../src/chat/viewStateProtocol';
import type { App } from '../../src/host/app';
import type { ConversationPlace } from '../../src/host/conversationPlace';
import { closeAll, replaceAll, workspaceRoot } from './editorRoom';
import { openPanel, patchbay, until } from './patchbay';

const FOLDER = 'real editor';
const USERS = 11;

type Call = readonly [tool: string, input: object];

/** One symbol in twelve files, and a program to debug. */
const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext" }, "include": ["*.ts", "lib"] }\n',
  'zqRate.ts': 'export function zqRate(amount: number): number {\n  return amount * 2;\n}\n',
  ...Object.fromEntries(
    Array.from({ length: USERS }, (_, index) => [
      `zqUser${index}.ts`,
      `import { zqRate } from './zqRate';\n\nexport function zqUse${index}(): number {\n  return zqRate(${index});\n}\n`,
    ]),
  ),
  'zqProgram.cjs':
    'let zqSum = 0;\nfor (const one of [1, 2, 3]) {\n  zqSum += one;\n}\nconsole.log(zqSum);\nprocess.exitCode = 4;\n',
};

describe('the real agent in the real editor', () => {
  let app: App;
  let place: ConversationPlace;
  const file = (name: string): string => path.join(workspaceRoot(), FOLDER, name);
  const shown = (name: string): string => `${FOLDER}/${name}`;
  const imports = vscode.workspace.getConfiguration('typescript');
  const IMPORTS = 'updateImportsOnFileMove.enabled';

  before(async () => {
    await closeAll();
    await mkdir(file('lib'), { recursive: true });
    for (const [name, text] of Object.entries(FILES)) await writeFile(file(name), text);
    // By default the language extension asks the person.
    await imports.update(IMPORTS, 'always', vscode.ConfigurationTarget.Global);
    app = await patchbay();
    place = await openPanel(app);
    place.startNew();
  });

  after(async () => {
    place.startNew();
    await vscode.debug.stopDebugging();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await imports.update(IMPORTS, undefined, vscode.ConfigurationTarget.Global);
    await closeAll();
    await rm(file(''), { recursive: true, force: true });
  });

  const rows = (): readonly ToolBlock[] =>
    place.conversation
      .snapshot()
      .items.flatMap((item) => (item.kind === 'assistant' ? item.blocks : []))
      .filter((block): block is ToolBlock => block.kind === 'tool');

  /** Has the model call the tools in turn, allows what is asked, and gives the answers that it got. */
  async function run(...calls: readonly Call[]): Promise<{ texts: string[]; asked: string[] }> {
    const before = rows().length;
    const asked: string[] = [];
    const words = JSON.stringify(calls);
    assert.deepEqual(place.submit(randomUUID(), `call ${words}`), { accepted: true });
    await until('the turn has begun', () => place.turn.kind !== 'idle' || rows().length > before);
    await until(`the calls are over: ${words.slice(0, 200)}`, () => {
      const [card] = place.turn.permissions;
      if (card !== undefined && !asked.includes(card.id)) {
        asked.push(card.id);
        place.conversation.answerPermission(card.id, 'allowOnce');
      }
      return place.turn.kind === 'idle' && rows().length - before === calls.length;
    });
    const texts = rows()
      .slice(before)
      .map(({ result }) => result?.text ?? '');
    return { texts, asked };
  }

  async function runOne(tool: string, input: object): Promise<string> {
    const { texts } = await run([tool, input]);
    return texts[0] ?? '';
  }

  /** A server that is still reading the project knows fewer places than it does a moment later. */
  async function projectIsRead(): Promise<void> {
    const { uri } = await vscode.workspace.openTextDocument(file('zqRate.ts'));
    const position = new vscode.Position(0, 'export function '.length);
    const end = Date.now() + 90_000;
    for (;;) {
      const found = await vscode.commands.executeCommand<readonly vscode.Location[] | undefined>(
        'vscode.executeReferenceProvider',
        uri,
        position,
      );
      if (new Set(found?.map((one) => one.uri.path)).size === USERS + 1) return;
      if (Date.now() > end) throw new Error('Waited in vain: the project is read');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it('renames a symbol in twelve files, moves a file and finds the callers', async () => {
    await projectIsRead();
    const renamed = await runOne('mcp__code__rename', {
      ...{ path: shown('zqRate.ts'), symbol: 'zqRate', to: 'zqPrice' },
    });
    assert.match(renamed, /12 files/, renamed);
    const moved = await runOne('mcp__code__move', {
      from: shown('zqRate.ts'),
      to: shown('lib/zqPrice.ts'),
    });
    assert.match(moved, /zqPrice\.ts/, moved);
    const [callers = ''] = (
      await run([
        'mcp__code__hierarchy',
        { of: 'callers', symbol: 'zqPrice', path: shown('lib/zqPrice.ts') },
      ])
    ).texts;
    assert.match(callers, /zqUse0/, callers);
    assert.match(callers, /zqUse10/, callers);
    const user = await vscode.workspace.openTextDocument(file('zqUser3.ts'));
    assert.match(user.getText(), /import \{ zqPrice \} from '\.\/lib\/zqPrice';[^]*zqPrice\(3\)/);
  });

  it('edits a buffer with unsaved changes, and reads the problems that are there after it', async () => {
    const document = await vscode.workspace.openTextDocument(file('zqUser5.ts'));
    await vscode.window.showTextDocument(document, { preview: false });
    await replaceAll(document, `${document.getText()}// typed by the person\n`);
    const { texts } = await run(
      ['mcp__code__diagnostics', { path: shown('zqUser5.ts') }],
      [
        'mcp__editor__edit',
        { edits: [{ path: shown('zqUser5.ts'), old: 'zqPrice(5)', new: "zqPrice('five')" }] },
      ],
      ['mcp__code__diagnostics', { path: shown('zqUser5.ts'), full: true }],
    );
    const [, edited = '', problems = ''] = texts;
    assert.match(document.getText(), /zqPrice\('five'\)[^]*typed by the person/, edited);
    assert.match(problems, / 4:\d+ error .*'string' is not assignable to .*'number'/, problems);
  });

  it('sets a breakpoint, runs to it, evaluates, steps and stops', async () => {
    const program = shown('zqProgram.cjs');
    const first = await run(
      ['mcp__debug__breakpoints', { action: 'set', path: program, line: 3 }],
      ['mcp__debug__start', { path: program, wait: 50 }],
    );
    assert.match(first.texts[0] ?? '', /^set: .*zqProgram\.cjs:3\n/);
    assert.match(first.texts[1] ?? '', /^stopped \(breakpoint\) at .*zqProgram\.cjs:3:/);
    assert.equal(first.asked.length, 2);
    const second = await run(
      ['mcp__debug__evaluate', { expression: 'zqSum + one + 40' }],
      ['mcp__debug__step', { action: 'over', wait: 50 }],
      ['mcp__debug__state', {}],
      ['mcp__debug__stop', { session: `Debug ${program}` }],
    );
    const [value, stepped = '', state = '', end = ''] = second.texts;
    assert.equal(value, '41');
    assert.match(stepped, /^stopped \(step\) at .*zqProgram\.cjs:2:/);
    assert.match(state, /\n zqSum = 1(?:\n|$)/);
    assert.match(end, /^ended: "Debug .*zqProgram\.cjs" has ended/);
    assert.equal(second.asked.length, 3, 'state only reads');
    assert.equal(await readFile(file('zqProgram.cjs'), 'utf8'), FILES['zqProgram.cjs']);
  });
});
