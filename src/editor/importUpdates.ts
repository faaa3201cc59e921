import * as vscode from 'vscode';
import { changedLines } from './changedLines';
import { readSmall } from './fileBytes';
import type { IsExpected } from './ownEdits';
import { lookAtRules, type ReadGuard } from './readGuard';

/** What the person has set for the case that a file is moved. `unknown`: a language without such a setting. */
export type UpdateSetting = 'prompt' | 'always' | 'never' | 'unknown';

const SCRIPTS = /\.(?:[cm]?[jt]sx?|vue|svelte)$/iu;
const SEARCHED = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,md}';
const SEARCH_MS = 1_500;
const SEARCHED_FILES = 2_000;
const SEARCHED_BYTES = 300_000;

/** Whether imports of a moved file follow; a folder is taken for one of scripts. */
export function updateSetting(moved: vscode.Uri, isFolder: boolean): UpdateSetting {
  if (/\.(?:md|markdown)$/iu.test(moved.path)) {
    return readSetting('markdown', 'updateLinksOnFileMove.enabled', moved) ?? 'never';
  }
  if (!isFolder && !SCRIPTS.test(moved.path)) return 'unknown';
  if (!isFolder)
    return scriptSetting(moved, /\.[cm]?jsx?$/iu.test(moved.path) ? 'javascript' : 'typescript');
  // Which of the two counts for a folder depends on what lies in it.
  const both = [scriptSetting(moved, 'typescript'), scriptSetting(moved, 'javascript')];
  return both[0] === both[1] ? (both[0] ?? 'prompt') : 'prompt';
}

/** Newer versions have one setting for both languages, and take the old ones where it is not set. */
function scriptSetting(moved: vscode.Uri, section: 'javascript' | 'typescript'): UpdateSetting {
  const name = 'updateImportsOnFileMove.enabled';
  return readSetting('js/ts', name, moved, true) ?? readSetting(section, name, moved) ?? 'prompt';
}

function readSetting(
  section: string,
  name: string,
  scope: vscode.Uri,
  onlySet = false,
): UpdateSetting | undefined {
  const config = vscode.workspace.getConfiguration(section, scope);
  const set = config.inspect<unknown>(name);
  const value = set?.workspaceFolderValue ?? set?.workspaceValue ?? set?.globalValue;
  const found = value ?? (onlySet ? undefined : set?.defaultValue);
  return found === 'prompt' || found === 'always' || found === 'never' ? found : undefined;
}

/**
 * Files whose text seems to import a file of this name, bounded; asked before it is moved. Those that
 * a rule forbids reading are left out.
 */
export async function seemingImporters(
  moved: vscode.Uri,
  guard: ReadGuard | undefined,
): Promise<readonly vscode.Uri[]> {
  const deadline = Date.now() + SEARCH_MS;
  const excluded = '**/{node_modules,.git,dist,out}/**';
  const uris = await vscode.workspace.findFiles(SEARCHED, excluded, SEARCHED_FILES);
  const denied = await lookAtRules(guard, uris);
  const pattern = importPattern(moved.path);
  const own = moved.toString();
  const found: vscode.Uri[] = [];
  for (const uri of uris) {
    if (Date.now() > deadline) break;
    if (denied(uri) !== undefined || uri.toString() === own) continue;
    if (pattern.test(await readText(uri))) found.push(uri);
  }
  return found;
}

/** A line that imports something, in the words of most languages. */
const IMPORT =
  /^\s*(?:import|from|include|use|using|package|namespace|mod)\b|\bfrom\s*['"]|\brequire\s*\(|['"`(<]\.{1,2}(?:\/|['"`)>])|^\s*\[[^\]]*\]:/u;

/**
 * Tells what follows a move from what the person types meanwhile: of the changed lines one has to name
 * the new place. In a file that imported it, and in the moved one itself, any import will do.
 */
export function followsMove(
  from: vscode.Uri,
  to: vscode.Uri,
  importers: readonly vscode.Uri[],
  setting: UpdateSetting,
): IsExpected {
  const keys = new Set(importers.map((uri) => uri.toString()));
  const ending = endingOf(from.path);
  const isPlain = setting === 'unknown';
  const names = isPlain ? wordPattern(to.path) : importPattern(to.path);
  return ({ document, contentChanges }) => {
    const { uri } = document;
    const isKnown = keys.has(uri.toString()) || isBelow(uri, to);
    // What other languages write around a name is not known.
    const mayName = !isPlain || endingOf(uri.path) === ending;
    return changedLines(document, contentChanges).some(
      (line) => (mayName && names.test(line)) || (isKnown && IMPORT.test(line)),
    );
  };
}

export function isBelow(uri: vscode.Uri, root: vscode.Uri): boolean {
  return uri.path === root.path || uri.path.startsWith(`${root.path}/`);
}

/** A path in quotes or parentheses that ends with the name; of an `index` file, with its folder's. */
function importPattern(path: string): RegExp {
  const plain = plainName(path);
  return new RegExp(
    String.raw`['"\x60(](?:[^'"\x60()\n]*/)?${plain}(?:/[^'"\x60()\n]*|\.\w+)?['"\x60)#]`,
    'u',
  );
}

function wordPattern(path: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${plainName(path)}(?![\p{L}\p{N}_])`, 'u');
}

/** The name as imports have it, for a pattern. */
function plainName(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/(?:\.d)?\.[^.]+$/u, '');
  const name = /^(?:index|__init__|mod)$/u.test(stem) ? (parts.at(-2) ?? stem) : stem;
  return name.replace(/[.*+?^$()|[\]{}\\]/gu, String.raw`\$&`);
}

function endingOf(path: string): string {
  return /\.[^./]+$/u.exec(path)?.[0].toLowerCase() ?? '';
}

async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return (await readSmall(uri, SEARCHED_BYTES))?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}
