import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { absolutePath, PATCHBAY_FOLDER } from './toolFilePaths';
import type { WrittenFile } from './workspaceToolsPorts';

export type ToolLanguage = 'typescript' | 'javascript';

export interface ScaffoldOptions {
  /** Absolute path of the workspace folder. */
  readonly folder: string;
  /** Of the file and so of the tool; see {@link toolNameFault}. */
  readonly name: string;
  readonly language: ToolLanguage;
  /** Where types and run time stand as the product brings them; absolute. */
  readonly libFolder: string;
}

export interface Scaffolded {
  /** The tool file, absolute. */
  readonly toolFile: string;
  /** What was written; what was there already was left as it is. */
  readonly written: readonly WrittenFile[];
}

/** The part of a whole name that is left for the tool: `mcp__workspace__`, and 64 in all. */
const MAX_NAME = 40;

export type ToolNameFault = 'empty' | 'illegal' | 'long';

/** What is wrong with the name of a new tool file; undefined when it is right. */
export function toolNameFault(name: string): ToolNameFault | undefined {
  if (name === '') return 'empty';
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return 'illegal';
  return name.length > MAX_NAME ? 'long' : undefined;
}

/** Where the tool file of this name will stand, below the workspace folder. */
export function toolFilePath(name: string, language: ToolLanguage): string {
  return `${PATCHBAY_FOLDER}/tools/${name}.tool.${endingOf(language)}`;
}

/** The files of `.patchbay` that a tool of this name is written to, below the workspace folder. */
export function testFilePath(name: string, language: ToolLanguage): string {
  return `${PATCHBAY_FOLDER}/tools/${name}.test.${endingOf(language)}`;
}

/**
 * Writes a tool file that works, a test beside it, and what both need for types and run time with
 * nothing installed. A file that is there is never changed.
 * @param willWrite is told what is about to be written, before anyone can see it
 * @throws Error with the code `EEXIST` where the tool file itself is there
 */
export async function scaffoldTool(
  options: ScaffoldOptions,
  willWrite: (files: readonly WrittenFile[]) => Promise<void> = () => Promise.resolve(),
): Promise<Scaffolded> {
  const { folder, name, language, libFolder } = options;
  const toolFile = toolFilePath(name, language);
  const lib = async (file: string): Promise<readonly [string, string]> => [
    `${PATCHBAY_FOLDER}/lib/${file}`,
    await readFile(path.join(libFolder, file), 'utf8'),
  ];
  const files: (readonly [file: string, text: string])[] = [
    [toolFile, toolText(language)],
    [testFilePath(name, language), testText(name, language)],
    [`${PATCHBAY_FOLDER}/package.json`, PACKAGE],
    [`${PATCHBAY_FOLDER}/tsconfig.json`, TSCONFIG],
    await lib('patchbay.d.ts'),
    await lib('patchbay.mjs'),
    await lib('node.d.ts'),
  ];
  const wholes = files.map(([file, text]) => ({ path: absolutePath(folder, file), text }));
  if (!existsSync(absolutePath(folder, toolFile)))
    await willWrite(wholes.filter(({ path: whole }) => !existsSync(whole)));
  const written: WrittenFile[] = [];
  for (const [file, text] of files) {
    const whole = absolutePath(folder, file);
    await mkdir(path.dirname(whole), { recursive: true });
    try {
      await writeFile(whole, text, { flag: 'wx' });
      written.push({ path: whole, text });
    } catch (error) {
      if (file === toolFile || !isThere(error)) throw error;
    }
  }
  return { toolFile: absolutePath(folder, toolFile), written };
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function endingOf(language: ToolLanguage): 'ts' | 'js' {
  return language === 'typescript' ? 'ts' : 'js';
}

/** A package may import itself by its own name: so Node and TypeScript find 'patchbay' with nothing installed. */
const PACKAGE = `${JSON.stringify(
  {
    name: 'patchbay',
    private: true,
    type: 'module',
    exports: { '.': { types: './lib/patchbay.d.ts', default: './lib/patchbay.mjs' } },
  },
  undefined,
  2,
)}\n`;

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023', 'DOM'],
      module: 'ESNext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      allowJs: true,
      checkJs: true,
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      resolveJsonModule: true,
      skipLibCheck: true,
    },
    include: ['**/*'],
    exclude: ['lib/patchbay.mjs'],
  },
  undefined,
  2,
)}\n`;

function toolText(language: ToolLanguage): string {
  const check = language === 'javascript' ? '// @ts-check\n' : '';
  return `${check}import { defineTool, z } from 'patchbay';

export default defineTool({
  // The agent reads this, and what is said of each input, to know when and how to call the tool.
  description: 'Counts how often a text stands in the file that is open in the editor.',
  input: {
    text: z.string().min(1).describe('the text to look for'),
    matchCase: z.boolean().default(true).describe('whether upper and lower case differ'),
  },
  annotations: { readOnlyHint: true },
  run({ text, matchCase }, ctx) {
    const { activeTextEditor, visibleTextEditors } = ctx.vscode.window;
    // While the focus is in a tab that is no text, such as a form, no editor is the active one.
    const editors = [activeTextEditor, ...visibleTextEditors];
    const document = editors.find((editor) => editor?.document.uri.scheme === 'file')?.document;
    // An Error, returned or thrown, is told to the agent as one: say what to do about it.
    if (document === undefined) return new Error('No file is open. Ask the person to open one.');
    const whole = document.getText();
    const parts = matchCase
      ? whole.split(text)
      : whole.toLowerCase().split(text.toLowerCase());
    return { file: document.fileName, count: parts.length - 1 };
  },
});
`;
}

function testText(name: string, language: ToolLanguage): string {
  const ending = endingOf(language);
  const node = language === 'typescript' ? '22.18' : '20';
  return `// Run it with Node ${node} or newer: node --test ${testFilePath(name, language)}
import assert from 'node:assert/strict';
import test from 'node:test';
import { callTool } from 'patchbay';
import tool from './${name}.tool.${ending}';

// The part of the editor that the tool looks at.
const uri = { scheme: 'file' };
const document = { uri, fileName: 'notes.txt', getText: () => 'One, two, one.' };
const vscode = { window: { activeTextEditor: { document }, visibleTextEditors: [] } };

test('counts what stands in the open file', async () => {
  assert.deepEqual(await callTool(tool, { text: 'one', matchCase: false }, { vscode }), {
    content: [{ type: 'text', text: '{"file":"notes.txt","count":2}' }],
  });
});

test('tells the agent what is wrong with its input', async () => {
  await assert.rejects(callTool(tool, { text: 1 }, { vscode }), /text: expected string/);
});

test('is an error where no file is open', async () => {
  const result = await callTool(tool, { text: 'one' }, { vscode: { window: { visibleTextEditors: [] } } });
  assert.equal(result.isError, true);
});
`;
}
