import type { Approvals } from './approvals';
import type { CompiledSource, CompiledStore } from './compiledStore';
import type { Compiler } from './compiler';
import type { Snapshot } from './snapshot';
import type { Compiled } from './sourceCompiler';
import type { ToolFileHost } from './toolFileHost';
import { absolutePath, relativePath } from './toolFilePaths';

/** What compiles, and what runs in this process. */
export interface CompilingTools {
  readonly compiler: Compiler;
  /** See `CompilerProgram`. */
  readonly version: string | undefined;
  readonly host: ToolFileHost;
}

/** Gives the compiler what an earlier window compiled of these very texts. Never rejects. */
export async function takeCompiled(
  store: CompiledStore,
  folder: string,
  { files }: Snapshot,
  { compiler, version }: CompilingTools,
): Promise<void> {
  for (const { path, mode, sha, compiled } of await store.take(version)) {
    const file = relativePath(folder, path);
    const now = file === undefined ? undefined : files.get(file);
    if (now?.sha === sha && now.text !== undefined) compiler.give(path, now.text, mode, compiled);
  }
}

/** What is compiled of the texts that are approved. */
export function compiledSources(
  folder: string,
  { files }: Snapshot,
  approvals: Approvals,
  compiler: Compiler,
): readonly CompiledSource[] {
  const made: CompiledSource[] = [];
  for (const [file, { sha, text }] of files) {
    if (text === undefined || !approvals.isApproved(file, sha)) continue;
    const path = absolutePath(folder, file);
    for (const mode of ['import', 'require'] as const) {
      const compiled = compiler.known(path, text, mode);
      if (compiled !== undefined) made.push({ path, mode, sha, compiled });
    }
  }
  return made;
}

/** What is made of these files already, as modules. */
export function compiledModules(
  folder: string,
  files: Iterable<string>,
  sources: ReadonlyMap<string, string>,
  compiler: Compiler,
): ReadonlyMap<string, Compiled> {
  const made = new Map<string, Compiled>();
  for (const file of files) {
    const text = sources.get(file);
    if (text === undefined) continue;
    const compiled = compiler.known(absolutePath(folder, file), text, 'import');
    if (compiled !== undefined) made.set(file, compiled);
  }
  return made;
}
