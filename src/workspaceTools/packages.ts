import { existsSync, readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '../mcp/wire';

/** Conditions of `exports` that hold for an `import` here. */
const CONDITIONS = new Set(['node', 'import', 'module-sync', 'default']);

export function isBuiltIn(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}

/** `@scope/name` of `@scope/name/sub/path`. */
export function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Loads what a tool file imports by name: what is built into Node, or a package of the workspace
 * folder's own `node_modules`. Those above the folder are not looked at: anyone may have put them there.
 * @throws an Error with the code `MODULE_NOT_FOUND` where it is not installed
 */
export async function importPackage(specifier: string, folder: string): Promise<unknown> {
  if (isBuiltIn(specifier)) return import(specifier);
  const file = resolvePackage(specifier, folder);
  if (file.endsWith('.json')) return { default: readJson(file) };
  return import(pathToFileURL(file).href);
}

export function requirePackage(specifier: string, folder: string): unknown {
  if (!isBuiltIn(specifier)) packageFolder(specifier, folder);
  const required: unknown = requireOf(folder)(specifier);
  return required;
}

/** The file that an `import` of the package means. */
export function resolvePackage(specifier: string, folder: string): string {
  if (isBuiltIn(specifier)) return specifier;
  const home = packageFolder(specifier, folder);
  const manifest = readJson(path.join(home, 'package.json'));
  const exports = isRecord(manifest) ? manifest.exports : undefined;
  if (exports === undefined || exports === null) return requireOf(folder).resolve(specifier);
  const subpath = `.${specifier.slice(packageName(specifier).length)}`;
  const target = exportedAs(exports, subpath);
  if (target === undefined) throw missing(`${specifier} is not exported by its package`);
  return path.join(home, target);
}

function packageFolder(specifier: string, folder: string): string {
  const home = path.join(folder, 'node_modules', ...packageName(specifier).split('/'));
  // The card names the package: what is loaded by its name must lie in it.
  const leadsOut = specifier.split(/[/\\]/).includes('..');
  if (leadsOut || !/^(?:@[^/]+\/)?[^./@#][^/]*/.test(specifier) || !existsSync(home)) {
    throw missing(`Cannot find package ${specifier}`);
  }
  return home;
}

function requireOf(folder: string): NodeJS.Require {
  return createRequire(path.join(folder, 'package.json'));
}

function readJson(file: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return value;
  } catch {
    return undefined;
  }
}

/** The `exports` of a package for one path: texts, conditions, lists, and patterns with one `*`. */
function exportedAs(exports: unknown, subpath: string): string | undefined {
  const isMap = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  if (!isMap) return subpath === '.' ? chosen(exports) : undefined;
  if (Object.hasOwn(exports, subpath)) return chosen(exports[subpath]);
  const patterns = Object.keys(exports)
    .filter((key) => key.includes('*'))
    .sort((a, b) => b.indexOf('*') - a.indexOf('*'));
  for (const pattern of patterns) {
    const [before = '', after = ''] = pattern.split('*');
    if (!subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    if (subpath.length < before.length + after.length) continue;
    const middle = subpath.slice(before.length, subpath.length - after.length);
    return chosen(exports[pattern])?.replaceAll('*', middle);
  }
  return undefined;
}

function chosen(target: unknown): string | undefined {
  if (typeof target === 'string') return target.startsWith('./') ? target : undefined;
  if (Array.isArray(target)) {
    return (target as unknown[]).map(chosen).find((one) => one !== undefined);
  }
  if (!isRecord(target)) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (!CONDITIONS.has(condition)) continue;
    const found = chosen(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function missing(message: string): Error {
  return Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND' });
}
