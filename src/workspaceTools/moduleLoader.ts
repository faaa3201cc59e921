import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { errorMessage } from '../base/errors';
import { type Compiler, SourceError } from './compiler';
import { importPackage, requirePackage, resolvePackage } from './packages';
import type { SourceMode } from './sourceCompiler';
import type { FaultKind } from './toolFile';
import { type LoadRequest, ToolFileError } from './toolFileHost';
import { absolutePath, PATCHBAY_FOLDER, relativePath } from './toolFilePaths';

export interface ModuleLoaderOptions extends Pick<LoadRequest, 'folder' | 'sources'> {
  readonly compiler: Compiler;
  /** Modules of ours by their name, such as `patchbay`: whatever the workspace has installed. */
  readonly virtual: ReadonlyMap<string, object>;
  /** Seen by the files in place of the globals of the same name. */
  readonly globals: { readonly console: object; readonly process: object };
}

interface Module {
  readonly file: string;
  exports: unknown;
  /** Undefined for what was loaded without waiting. */
  done: Promise<unknown> | undefined;
  readonly waitsFor: Set<Module>;
}

const PARAMETERS =
  'exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve, console, process';
/** As the compilers of TypeScript look for what a path without its ending, or with another, means. */
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json'];
const WRITTEN_AS: Readonly<Record<string, string>> = {
  '.js': '.ts',
  '.mjs': '.mts',
  '.cjs': '.cts',
};

/**
 * Runs one tool file and what it imports. Files of `.patchbay` are taken from the texts it was given
 * and never from the disk: between check and use nothing can change. Each loader has modules of its
 * own, so that nothing of an earlier version is left.
 */
export class ModuleLoader {
  readonly #options: ModuleLoaderOptions;
  readonly #modules = new Map<string, Module>();

  constructor(options: ModuleLoaderOptions) {
    this.#options = options;
  }

  /** Files of `.patchbay` that were loaded so far, by their path below the folder. */
  get loaded(): readonly string[] {
    return [...this.#modules.keys()];
  }

  /** @returns what the file exports. @throws what it throws, or a ToolFileError */
  async load(file: string): Promise<unknown> {
    return this.#start(file, undefined);
  }

  async #import(specifier: string, from: Module): Promise<unknown> {
    const target = this.#target(specifier, from.file);
    if (target.kind === 'file') return this.#start(target.file, from);
    if (target.kind === 'own') return target.exports;
    if (isProcess(target.name)) return namespaceOf(this.#options.globals.process);
    try {
      return await importPackage(target.name, this.#options.folder);
    } catch (error) {
      throw this.#packageFault(error, target.name, specifier, from.file);
    }
  }

  #require(specifier: string, from: Module): unknown {
    const target = this.#target(specifier, from.file);
    if (target.kind === 'file') return this.#startNow(target.file);
    if (target.kind === 'own') return target.exports;
    if (isProcess(target.name)) return this.#options.globals.process;
    try {
      return requirePackage(target.name, this.#options.folder);
    } catch (error) {
      throw this.#packageFault(error, target.name, specifier, from.file);
    }
  }

  async #start(file: string, from: Module | undefined): Promise<unknown> {
    const known = this.#modules.get(file);
    if (known !== undefined) return this.#wait(known, from);
    const module = this.#add(file);
    if (!file.endsWith('.json')) {
      module.done = this.#runLater(module);
      // Whoever waits for it is told; that nobody does is no fault of its own.
      module.done.catch(() => undefined);
    }
    return this.#wait(module, from);
  }

  /** In a ring of imports the one that closes it gets what is there so far, as with ES modules. */
  async #wait(module: Module, from: Module | undefined): Promise<unknown> {
    if (from === undefined || !reaches(module, from)) {
      from?.waitsFor.add(module);
      try {
        await module.done;
      } finally {
        from?.waitsFor.delete(module);
      }
    }
    return namespaceOf(module.exports);
  }

  #startNow(file: string): unknown {
    const known = this.#modules.get(file);
    if (known !== undefined) return known.exports;
    const module = this.#add(file);
    if (!file.endsWith('.json')) {
      try {
        void this.#run(module, 'require');
      } catch (error) {
        this.#modules.delete(file);
        throw error;
      }
    }
    return module.exports;
  }

  /** What cannot be compiled rejects as what throws does. */
  async #runLater(module: Module): Promise<unknown> {
    return this.#run(module, 'import');
  }

  #add(file: string): Module {
    const exports: unknown = file.endsWith('.json') ? this.#json(file) : Object.create(null);
    const module: Module = { file, exports, done: undefined, waitsFor: new Set() };
    this.#modules.set(file, module);
    return module;
  }

  /** Not async itself: what `require` runs has to throw at once. */
  #run(module: Module, mode: SourceMode): Promise<unknown> {
    const filename = absolutePath(this.#options.folder, module.file);
    const run = this.#compile(module.file, filename, mode);
    const own = {
      get exports(): unknown {
        return module.exports;
      },
      set exports(value: unknown) {
        module.exports = value;
      },
      id: filename,
      filename,
      loaded: false,
    };
    const require = Object.assign((id: string) => this.#require(id, module), {
      resolve: (id: string) => this.#resolve(id, module.file),
    });
    const { console, process } = this.#options.globals;
    const returned: unknown = Reflect.apply(run, mode === 'require' ? module.exports : undefined, [
      module.exports,
      require,
      own,
      filename,
      path.dirname(filename),
      (id: string) => this.#import(id, module),
      (id: string) => pathToFileURL(this.#resolve(id, module.file)).href,
      console,
      process,
    ]);
    return Promise.resolve(returned);
  }

  #compile(file: string, filename: string, mode: SourceMode): (...given: unknown[]) => unknown {
    const text = this.#options.sources.get(file);
    if (text === undefined) throw new Error(`${file} is not there`);
    const head = `(${mode === 'import' ? 'async ' : ''}function (${PARAMETERS}) {`;
    try {
      const { code } = this.#options.compiler.compile(filename, text, mode);
      const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
      // What such a text makes is a function.
      return script.runInThisContext() as (...given: unknown[]) => unknown;
    } catch (error) {
      if (error instanceof SourceError) {
        const { line, column } = error;
        throw this.#fault('syntax', file, error.message, { line, column }, error);
      }
      if (error instanceof SyntaxError) {
        throw this.#fault('syntax', file, error.message, undefined, error);
      }
      throw error;
    }
  }

  #json(file: string): unknown {
    try {
      const text = this.#options.sources.get(file) ?? '';
      const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
      return value;
    } catch (error) {
      throw this.#fault(
        'syntax',
        file,
        l10n.t('This is no JSON: {0}', errorMessage(error)),
        { line: 1 },
        error,
      );
    }
  }

  #target(specifier: string, from: string): Target {
    const own = this.#options.virtual.get(specifier);
    if (own !== undefined) return { kind: 'own', exports: own };
    if (!isPath(specifier)) return { kind: 'package', name: specifier };
    const file = this.#find(specifier, from);
    if (file !== undefined) return { kind: 'file', file };
    throw this.#importFault(
      from,
      specifier,
      this.#below(specifier, from) === undefined
        ? l10n.t(
            "'{0}' leads out of .patchbay. A tool file may import files below it, and packages by their name.",
            specifier,
          )
        : l10n.t("'{0}' is not there, or not approved.", specifier),
    );
  }

  #find(specifier: string, from: string): string | undefined {
    const below = this.#below(specifier, from);
    return below === undefined ? undefined : findSource(below, this.#options.sources);
  }

  #below(specifier: string, from: string): string | undefined {
    return specifierPath(specifier, from, this.#options.folder);
  }

  #resolve(specifier: string, from: string): string {
    const target = this.#target(specifier, from);
    if (target.kind === 'file') return absolutePath(this.#options.folder, target.file);
    if (target.kind === 'own') return specifier;
    return resolvePackage(target.name, this.#options.folder);
  }

  #packageFault(error: unknown, name: string, specifier: string, from: string): unknown {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return error;
    if (error instanceof Error && !error.message.includes(name)) return error;
    return this.#importFault(
      from,
      specifier,
      l10n.t(
        "The package '{0}' is not in the node_modules of this workspace folder. Install it there.",
        name,
      ),
      error,
    );
  }

  #importFault(from: string, specifier: string, message: string, cause?: unknown): ToolFileError {
    const text = this.#options.sources.get(from) ?? '';
    const whole = absolutePath(this.#options.folder, from);
    const at = this.#options.compiler
      .compile(whole, text)
      .scan.imports.find((one) => one.specifier === specifier);
    return this.#fault('import', from, message, at, cause);
  }

  #fault(
    kind: FaultKind,
    file: string,
    message: string,
    at: { readonly line?: number | undefined; readonly column?: number | undefined } = {},
    cause?: unknown,
  ): ToolFileError {
    const { line, column } = at;
    const whole = absolutePath(this.#options.folder, file);
    return new ToolFileError({ kind, path: whole, line, column, message }, { cause });
  }
}

type Target =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'own'; readonly exports: object }
  | { readonly kind: 'package'; readonly name: string };

/** Whether the module waits, over any others, for the one that asks. */
function reaches(module: Module, asking: Module): boolean {
  const seen = new Set<Module>();
  const waiting = [module];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === asking) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...next.waitsFor);
  }
  return false;
}

/** A path, and no package's name. */
export function isPath(specifier: string): boolean {
  return /^(?:\.{0,2}[/\\]|\.{1,2}$|file:|[A-Za-z]:[/\\])/.test(specifier);
}

/** Where a relative or absolute import leads, below the workspace folder with `/`; undefined outside of `.patchbay`. */
export function specifierPath(specifier: string, from: string, folder: string): string | undefined {
  try {
    const whole = specifier.startsWith('file:')
      ? fileURLToPath(specifier)
      : path.resolve(path.dirname(absolutePath(folder, from)), specifier);
    const below = relativePath(folder, whole);
    return below === PATCHBAY_FOLDER ? undefined : below;
  } catch {
    return undefined;
  }
}

/** The file that such a path means; undefined when there is none. */
export function findSource(
  below: string,
  sources: { has(file: string): boolean },
): string | undefined {
  const ending = path.posix.extname(below);
  const written = WRITTEN_AS[ending];
  const stem = below.slice(0, below.length - ending.length);
  return [
    below,
    ...(written === undefined ? [] : [stem + written]),
    ...ENDINGS.map((end) => below + end),
    ...ENDINGS.map((end) => `${below}/index${end}`),
  ].find((file) => sources.has(file) && isLoadable(file));
}

function isLoadable(file: string): boolean {
  return /\.(?:[cm]?[jt]s|json)$/.test(file);
}

function isProcess(name: string): boolean {
  return name === 'process' || name === 'node:process';
}

/** What `import` gives of a module that is no ES module: its exports as `default`, and their names. */
function namespaceOf(exports: unknown): unknown {
  if ((typeof exports !== 'object' && typeof exports !== 'function') || exports === null) {
    return { default: exports };
  }
  if (Reflect.get(exports, '__esModule') === true) return exports;
  const space: Record<string, unknown> = {};
  Object.setPrototypeOf(space, null);
  for (const key of Object.keys(exports)) space[key] = Reflect.get(exports, key);
  space.default = exports;
  return space;
}
