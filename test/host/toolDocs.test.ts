import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { inRoot } from '../harness/paths';
import type { EditorWatch } from '../../src/host/editorWatch';
import { closeAll, createEditorRoom, type EditorRoom, until, workspaceRoot } from './editorRoom';
import { endAllDebugging } from './fakeDebugger';
import { type RunningExamples, runningExamples } from './runningExamples';
import { runningServers } from './runningServers';
import { allTools } from './toolInputs';

const DOC = inRoot('docs/editor-tools.md');
/** Set, the answers are written into the file; without it they are compared. */
const WRITES = process.env.PATCHBAY_WRITE_DOCS === '1';
const SHOP = 'shop';
/** Looks at an answer until what it is about is done once more, and until it is given up. */
const AGAIN_AFTER = 200;
const LOOKS = 1_500;

/** Cells as a Jupyter file has them. */
const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Totals of the day'] },
    {
      ...{ cell_type: 'code', execution_count: 1, metadata: {}, source: ['sum(cents) / 100'] },
      outputs: [
        {
          ...{ output_type: 'execute_result', execution_count: 1, metadata: {} },
          data: { 'text/plain': ['12.5'] },
        },
      ],
    },
  ],
  ...{ metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 },
};

interface Example {
  readonly tool: string;
  /** Tells several examples of one tool apart. */
  readonly name?: string;
  readonly input: object;
  readonly before?: (running: RunningExamples) => Promise<void>;
  /** Asked again until the answer has this: what came too early is not the one meant. */
  readonly until?: RegExp;
  /** Done before that, where it may have to be done more than once. */
  readonly again?: (running: RunningExamples) => Promise<void>;
}

const shopFile = (name: string): string => path.join(workspaceRoot(), SHOP, name);
const at = (name: string): string => `${SHOP}/${name}`;

async function show(name: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(shopFile(name));
  return vscode.window.showTextDocument(document, { preview: false });
}

/** In this order: the later ones change the files. */
const EXAMPLES: readonly Example[] = [
  {
    tool: 'open_editors',
    input: {},
    before: async () => {
      await show('src/pricing.ts');
      const editor = await show('src/report.ts');
      editor.selection = new vscode.Selection(10, 0, 10, 0);
    },
  },
  { tool: 'diagnostics', input: { path: at('src/report.ts') } },
  { tool: 'diagnostics', name: 'diagnostics again', input: { path: at('src/report.ts') } },
  { tool: 'symbols', input: { query: 'payTotal' } },
  { tool: 'symbols', name: 'symbols of a file', input: { path: at('src/pricing.ts') } },
  { tool: 'references', input: { symbol: 'linePrice' } },
  { tool: 'definition', input: { path: at('src/report.ts'), symbol: 'showMoney' } },
  { tool: 'hierarchy', input: { of: 'callers', symbol: 'linePrice', depth: 2 } },
  { tool: 'read_buffer', input: { path: at('src/report.ts'), from: 11, to: 14 } },
  { tool: 'show', input: { path: at('src/report.ts'), from: 12, to: 12 } },
  {
    tool: 'user_changes',
    input: {},
    before: async () => {
      const { document } = await show('src/format.ts');
      const edit = new vscode.WorkspaceEdit();
      edit.replace(
        document.uri,
        new vscode.Range(6, 0, 6, 30),
        '/** A day, such as `2026-03-09`. */',
      );
      assert.ok(await vscode.workspace.applyEdit(edit));
    },
  },
  { tool: 'save', input: { path: at('src/format.ts') } },
  {
    tool: 'edit',
    input: {
      edits: [
        {
          path: at('src/report.ts'),
          old: 'const total: number = showMoney',
          new: 'const total = showMoney',
        },
      ],
    },
  },
  { tool: 'rename', input: { path: at('src/cart.ts'), symbol: 'itemsIn', to: 'countItems' } },
  { tool: 'move', input: { from: at('src/format.ts'), to: at('src/text.ts') } },
  { tool: 'actions', input: { path: at('src/pricing.ts'), apply: 'organizeImports' } },
  { tool: 'cells', input: { path: at('totals.ipynb') } },
  {
    tool: 'edit_cell',
    input: { path: at('totals.ipynb'), cell: 2, action: 'replace', text: 'sum(cents)' },
  },
  {
    tool: 'run_cell',
    input: { path: at('totals.ipynb'), cell: 2 },
    before: (running) => running.chooseKernel(`totals.ipynb`),
  },
  { tool: 'breakpoints', input: { action: 'set', path: at('src/stock.cjs'), line: 5 } },
  { tool: 'start', input: { path: at('src/stock.cjs'), wait: 50 } },
  { tool: 'step', input: { action: 'over' } },
  { tool: 'evaluate', input: { expression: 'shelf.cups + sum' } },
  { tool: 'state', input: { variable: 'shelf' } },
  { tool: 'stop', input: { session: `Debug ${at('src/stock.cjs')}` } },
  { tool: 'tasks', input: { action: 'run', name: 'check prices' }, until: /prices are right$/ },
  {
    tool: 'tests',
    input: { action: 'run', path: at('src/pricing.ts') },
    until: /^1 failed test/,
  },
  {
    tool: 'terminal',
    input: {},
    before: (running) => running.type('sleep 1; echo 4 prices'),
    until: /echo 4 prices: exit 0[^]*\noutput of \d+:\n4 prices$/,
    again: (running) => running.type('sleep 1; echo 4 prices'),
  },
];

/** What differs from run to run, and from machine to machine. */
function tidy(answer: string): string {
  const plain = answer
    .replaceAll(`${SHOP}/`, '')
    // Blanks at the end of a line do not last in a Markdown file.
    .replace(/ +$/gm, '')
    .replace(/\d+(?:\.\d+)? s\b/g, '1 s')
    // How Node was started, and how deep it is within itself.
    .replace(/^\/\S*node .*\n?/gm, '')
    .replace(/\noutput:\n*$/, '')
    .replace(/\d+ frames \(\d+ internal/g, '9 frames (8 internal')
    // What other suites have left.
    .replace(/^problems: no change.*$/m, 'problems: no change');
  return / commands? seen, newest first/.test(plain) ? tidyCommands(plain) : plain;
}

/**
 * The editor loses the output of a command at times, and it is run once more: then it counts once.
 * That of the task, which it does not always report, is left out.
 */
function tidyCommands(answer: string): string {
  const [, ...rows] = answer.split('\n');
  const told = new Map<string, string>();
  for (const row of rows) {
    const [, command] = /^ \d+ (.*)$/.exec(row) ?? [];
    if (command?.startsWith('[bash]') === true)
      told.set(command.slice(0, command.indexOf(']')), command);
  }
  const commands = [...told.values()];
  const output = rows.slice(rows.findIndex((row) => row.startsWith('output of')) + 1);
  return [
    `${commands.length} command${commands.length === 1 ? '' : 's'} seen, newest first, 0 running`,
    ...commands.map((command, index) => ` ${commands.length - index} ${command}`),
    `output of ${commands.length}:`,
    ...output,
  ].join('\n');
}

describe('docs/editor-tools.md', () => {
  let room: EditorRoom;
  let watch: EditorWatch;
  let running: RunningExamples;
  const imports = vscode.workspace.getConfiguration('typescript.updateImportsOnFileMove');

  before(async () => {
    await closeAll();
    await endAllDebugging();
    await vscode.workspace
      .getConfiguration('files')
      .update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    await imports.update('enabled', 'always', vscode.ConfigurationTarget.Global);
    await copyShop();
    await writeFile(shopFile('totals.ipynb'), JSON.stringify(NOTEBOOK));
    running = await runningExamples(SHOP);
    const { watch: watching, more } = await runningServers();
    watch = watching;
    room = createEditorRoom({ more });
    await show('src/report.ts');
    await until('TypeScript knows the error', async () =>
      (await room.call('diagnostics', { path: at('src/report.ts'), full: true })).text.includes(
        '12:9 error',
      ),
    );
    await until('TypeScript knows the names', async () =>
      (await room.call('references', { symbol: 'linePrice' })).text.includes('pricing.ts'),
    );
    await closeAll();
    room.newConversation();
  });

  after(async () => {
    await imports.update('enabled', undefined, vscode.ConfigurationTarget.Global);
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    running.dispose();
    watch.dispose();
    room.dispose();
    await closeAll();
    await rm(shopFile(''), { recursive: true, force: true });
  });

  it('has for each tool the exact answer to an example call', async () => {
    const documented = await readFile(DOC, 'utf8');
    let text = documented;
    for (const example of EXAMPLES) {
      await example.before?.(running);
      const told = await answerTo(example);
      const named = [...told.matchAll(/(?<![\w"/ ]Debug )shop\/[\w/]+\.\w+/g)].map(
        ([file]) => file,
      );
      const ledger = new Set(room.files.map((file) => file.path));
      assert.deepEqual(
        named.filter((file) => !ledger.has(file)),
        [],
        `${example.tool} tells the record of each file that it names`,
      );
      text = withAnswer(text, example, tidy(told));
    }
    if (WRITES && text !== documented) await writeFile(DOC, text);
    if (!WRITES) {
      assert.equal(
        documented,
        text,
        `PATCHBAY_WRITE_DOCS=1 writes the answers anew:\n${otherLines(documented, text)}`,
      );
    }
  });

  async function answerTo({ tool, input, until: wanted, again }: Example): Promise<string> {
    let answer = await room.call(tool, input);
    for (let looked = 1; wanted?.test(answer.text) === false; looked += 1) {
      assert.ok(looked < LOOKS, `${tool}: ${answer.text}`);
      if (looked % AGAIN_AFTER === 0) await again?.(running);
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await room.call(tool, input);
    }
    assert.equal(answer.isError, false, `${tool}: ${answer.text}`);
    return answer.text;
  }

  it('has a section for each tool', async () => {
    const documented = await readFile(DOC, 'utf8');
    for (const { server, tool } of allTools(room)) {
      assert.match(documented, new RegExp(`^#+ \`mcp__${server}__${tool.name}\``, 'm'));
    }
  });
});

/** The sample with names of its own: the window shows the sample itself as well. */
async function copyShop(): Promise<void> {
  await cp(inRoot('test/fixtures/sample'), shopFile(''), { recursive: true });
  for (const name of await readdir(shopFile('src'))) {
    let text = await readFile(shopFile(`src/${name}`), 'utf8');
    for (const [old, fresh] of Object.entries(NAMES)) text = text.replaceAll(old, fresh);
    await writeFile(shopFile(`src/${name}`), text);
  }
}
const NAMES = {
  calcTotal: 'payTotal',
  lineCents: 'linePrice',
  itemCount: 'itemsIn',
  formatMoney: 'showMoney',
};

/** The block of the example, which stands in the file already, with its call and this answer. */
function withAnswer(text: string, { tool, name = tool, input }: Example, answer: string): string {
  const begin = `<!-- real: ${name} -->`;
  const end = '<!-- /real -->';
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  assert.ok(from >= 0 && to > from, `the file has a place for ${name}`);
  const call = JSON.stringify(input).replaceAll(`${SHOP}/`, '');
  const block = [begin, '', '```text', `> ${tool} ${call}`, answer, '```', '', ''].join('\n');
  return `${text.slice(0, from)}${block}${text.slice(to)}`;
}

/** The first lines that differ, of both. */
function otherLines(documented: string, told: string): string {
  const [before, now] = [documented.split('\n'), told.split('\n')];
  const at = before.findIndex((line, index) => line !== now[index]);
  const lines = (all: readonly string[]): string => all.slice(at, at + 4).join('\n  ');
  return `documented:\n  ${lines(before)}\nnow:\n  ${lines(now)}`;
}
