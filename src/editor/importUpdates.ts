import * as vscode from 'vscode';
import { readSmall } from './fileBytes';
import { lookAtRules, type ReadGuard } from './readGuard';
import { shownPath } from './servedFiles';

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
): Promise<readonly string[]> {
  const deadline = Date.now() + SEARCH_MS;
  const excluded = '**/{node_modules,.git,dist,out}/**';
  const uris = await vscode.workspace.findFiles(SEARCHED, excluded, SEARCHED_FILES);
  const denied = await lookAtRules(guard, uris);
  const pattern = importPattern(moved.path);
  const own = moved.toString();
  const found: string[] = [];
  for (const uri of uris) {
    if (Date.now() > deadline) break;
    if (denied(uri) !== undefined || uri.toString() === own) continue;
    if (pattern.test(await readText(uri))) found.push(shownPath(uri));
  }
  return found.sort();
}

/** A path in quotes or parentheses that ends with the name; of an `index` file, with its folder's. */
function importPattern(path: string): RegExp {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]+$/u, '');
  const name = stem === 'index' ? (parts.at(-2) ?? stem) : stem;
  const plain = name.replace(/[.*+?^$()|[\]{}\\]/gu, String.raw`\$&`);
  return new RegExp(
    String.raw`['"\x60(](?:[^'"\x60()\n]*/)?${plain}(?:/[^'"\x60()\n]*|\.\w+)?['"\x60)#]`,
    'u',
  );
}

async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return (await readSmall(uri, SEARCHED_BYTES))?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}
