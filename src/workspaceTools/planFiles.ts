import type { Compiler } from './compiler';
import { SourceError } from './compiler';
import { findSource, isPath, specifierPath } from './moduleLoader';
import { isBuiltIn, packageName } from './packages';
import { shaOf, type Snapshot } from './snapshot';
import type { ToolFileFault } from './toolFile';
import { absolutePath, isToolFile } from './toolFilePaths';

/** A tool file and all that its sources say they import, before any of it has run. */
export interface FilePlan {
  /** Below the workspace folder, with `/`. */
  readonly file: string;
  readonly isolation: 'host' | 'worker';
  /** It and all files that it imports over any others. */
  readonly closure: readonly string[];
  readonly packages: readonly string[];
  /** It cannot be read as code. */
  readonly fault: ToolFileFault | undefined;
}

const OURS = new Set(['patchbay', 'vscode']);

/**
 * Looks at all tool files of a folder. Compiling takes some milliseconds a file, so the extension
 * host gets its turn in between.
 * @param mayGoOn asked with each file that takes time
 * @returns undefined where it was not to go on
 */
export async function planFiles(
  folder: string,
  snapshot: Snapshot,
  compiler: Compiler,
  mayGoOn: () => boolean,
): Promise<readonly FilePlan[] | undefined> {
  const plans: FilePlan[] = [];
  for (const [file, { text }] of snapshot.files) {
    if (!isToolFile(file) || text === undefined) continue;
    if (!compiler.knows(absolutePath(folder, file), text)) {
      await nextTurn();
      if (!mayGoOn()) return undefined;
    }
    plans.push(planFile(file, folder, snapshot, compiler));
  }
  return plans;
}

function planFile(file: string, folder: string, snapshot: Snapshot, compiler: Compiler): FilePlan {
  const closure = new Set([file]);
  const packages = new Set<string>();
  let fault: ToolFileFault | undefined;
  let isolation: 'host' | 'worker' = 'host';
  // A set that grows while it is walked: each file once, rings included.
  for (const one of closure) {
    const text = snapshot.files.get(one)?.text;
    if (text === undefined || one.endsWith('.json')) continue;
    try {
      const { scan } = compiler.compile(absolutePath(folder, one), text);
      if (one === file) isolation = scan.isolation;
      for (const { specifier } of scan.imports) {
        const target = targetOf(specifier, one, folder, snapshot);
        if (target !== undefined) closure.add(target);
        else if (isPackage(specifier)) packages.add(packageName(specifier));
      }
    } catch (error) {
      if (one === file) fault = faultOf(error, absolutePath(folder, one));
    }
  }
  return { file, isolation, closure: [...closure], packages: [...packages], fault };
}

function targetOf(
  specifier: string,
  from: string,
  folder: string,
  { files }: Snapshot,
): string | undefined {
  if (!isPath(specifier)) return undefined;
  const below = specifierPath(specifier, from, folder);
  return below === undefined ? undefined : findSource(below, files);
}

function isPackage(specifier: string): boolean {
  return !isPath(specifier) && !isBuiltIn(specifier) && !OURS.has(specifier);
}

function faultOf(error: unknown, path: string): ToolFileFault {
  if (!(error instanceof SourceError)) throw error;
  const { line, column, message } = error;
  return { kind: 'syntax', path, line, column, message };
}

/** Changes with any of these files. */
export function contentKey(files: Iterable<string>, { files: all }: Snapshot): string {
  const parts = [...new Set(files)].sort().map((file) => [file, all.get(file)?.sha ?? '']);
  return shaOf(JSON.stringify(parts));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
