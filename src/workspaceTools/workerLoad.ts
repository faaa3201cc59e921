import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Definition } from '../mcp/mcpServer';
import type { ToolContext } from '../mcp/toolContext';
import { CallScope } from './callScope';
import { Compiler, SourceError } from './compiler';
import { compilerProgram } from './compilerProgram';
import { guardedConsole } from './guardedGlobals';
import { ModuleLoader } from './moduleLoader';
import * as patchbay from './patchbayModule';
import { readExports } from './readExports';
import { stackPlace } from './stackPlace';
import type { ToolFileFault } from './toolFile';
import { type LoadedDefinition, ToolFileError } from './toolFileHost';
import { absolutePath } from './toolFilePaths';
import { dataOf } from './workerDefinitions';
import type { DefinitionData, FromWorker, ToWorker } from './workerMessages';

type LoadMessage = Extract<ToWorker, { readonly kind: 'load' }>;

interface LoadOutcome {
  /** Their places are the numbers that the extension host names them by. */
  readonly definitions: readonly Definition[];
  readonly message: FromWorker;
}

/** Runs the file that a worker is for, and tells what it offers. */
export async function loadInWorker(request: LoadMessage, log: Logger): Promise<LoadOutcome> {
  const { folder, folderName, file, sources, compiled, compilerFile } = request;
  const path = absolutePath(folder, file);
  try {
    const compiler = new Compiler(compilerProgram(compilerFile));
    for (const [one, made] of compiled) {
      const text = sources.get(one);
      if (text !== undefined) compiler.give(absolutePath(folder, one), text, 'import', made);
    }
    const loader = new ModuleLoader({
      folder,
      sources,
      compiler,
      virtual: new Map<string, object>([['patchbay', patchbay]]),
      // Its own process: what it ends by `process.exit` is this worker.
      globals: { console: guardedConsole(file, log), process },
    });
    const { scan } = compiler.compile(path, sources.get(file) ?? '');
    const editor = scan.imports.find(({ specifier }) => specifier === 'vscode');
    if (editor !== undefined) {
      const { line, column } = editor;
      throw new ToolFileError({ kind: 'import', path, line, column, message: noEditor() });
    }
    const exports = await loader.load(file);
    const workspaceFolder = { name: folderName, path: folder };
    const read = readExports(exports, {
      file,
      path,
      lines: scan.exports,
      isolation: scan.isolation,
      context: (ctx) => new WorkerScope(ctx, workspaceFolder),
    });
    const { offered, data, faults } = described(read.definitions, path);
    return {
      definitions: offered,
      message: {
        kind: 'loaded',
        definitions: data,
        faults: [...read.faults, ...faults],
        loaded: loader.loaded,
      },
    };
  } catch (error) {
    return { definitions: [], message: { kind: 'notLoaded', fault: faultOf(error, path, folder) } };
  }
}

function noEditor(): string {
  return l10n.t(
    "In a worker there is no 'vscode'. Leave out isolation: 'worker' where a tool needs the editor.",
  );
}

/** The context of a handler in a worker: there is no `vscode` in it. */
class WorkerScope extends CallScope {
  constructor(
    ctx: ToolContext,
    readonly workspaceFolder: { readonly name: string; readonly path: string },
  ) {
    super(ctx);
  }
}

interface Described {
  readonly offered: readonly Definition[];
  readonly data: readonly DefinitionData[];
  readonly faults: readonly ToolFileFault[];
}

/** A schema that cannot be used keeps no other definition away. */
function described(loaded: readonly LoadedDefinition[], path: string): Described {
  const offered: Definition[] = [];
  const data: DefinitionData[] = [];
  const faults: ToolFileFault[] = [];
  for (const { definition, line } of loaded) {
    try {
      data.push({ ...dataOf(definition), line });
      offered.push(definition);
    } catch (error) {
      const message = l10n.t('This cannot be offered: {0}', errorMessage(error));
      faults.push({ kind: 'definition', path, line, message });
    }
  }
  return { offered, data, faults };
}

function faultOf(error: unknown, path: string, folder: string): ToolFileFault {
  if (error instanceof ToolFileError) return error.fault;
  if (error instanceof SourceError) {
    const { line, column, message } = error;
    return { kind: 'syntax', path, line, column, message };
  }
  const place = stackPlace(error, folder);
  const message = l10n.t('This file failed while it was loaded: {0}', errorMessage(error));
  return {
    kind: 'load',
    path: place?.path ?? path,
    line: place?.line,
    column: place?.column,
    message,
  };
}
