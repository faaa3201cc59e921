import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import { EditorScope } from './callScope';
import type { Compiler } from './compiler';
import { guardedConsole, guardedProcess } from './guardedGlobals';
import { ModuleLoader } from './moduleLoader';
import * as patchbay from './patchbayModule';
import { readExports } from './readExports';
import { stackPlace } from './stackPlace';
import {
  type LoadedFile,
  type LoadRequest,
  ToolFileError,
  type ToolFileHost,
} from './toolFileHost';
import { absolutePath } from './toolFilePaths';
import type { WorkspaceToolsPorts } from './workspaceToolsPorts';

/** How long a file may take to load, in milliseconds: it may wait for something at its top level. */
const LOADED_WITHIN_MS = 10_000;

/** Runs tool files in this process, with the editor's API. */
export class HostToolFiles implements ToolFileHost {
  readonly #ports: Pick<WorkspaceToolsPorts, 'log' | 'vscode' | 'workspaceFolder' | 'running'>;
  readonly #compiler: Compiler;

  constructor(
    ports: Pick<WorkspaceToolsPorts, 'log' | 'vscode' | 'workspaceFolder' | 'running'>,
    compiler: Compiler,
  ) {
    this.#ports = ports;
    this.#compiler = compiler;
  }

  async load(request: LoadRequest): Promise<LoadedFile> {
    const { folder, file, sources, signal } = request;
    const path = absolutePath(folder, file);
    const loader = new ModuleLoader({
      folder,
      sources,
      compiler: this.#compiler,
      virtual: new Map<string, object>([
        ['patchbay', patchbay],
        ['vscode', Object(this.#ports.vscode) as object],
      ]),
      globals: { console: guardedConsole(file, this.#ports.log), process: guardedProcess(file) },
    });
    const running = this.#ports.running?.(path);
    try {
      const exports = await within(loader.load(file), signal);
      const { scan } = this.#compiler.compile(path, sources.get(file) ?? '');
      const read = readExports(exports, {
        file,
        path,
        lines: scan.exports,
        isolation: scan.isolation,
        context: (ctx) =>
          new EditorScope(ctx, this.#ports.vscode, this.#ports.workspaceFolder(folder)),
      });
      return { ...read, loaded: loader.loaded, dispose: () => undefined };
    } catch (error) {
      throw loadError(error, path, folder);
    } finally {
      running?.dispose();
    }
  }
}

function loadError(error: unknown, path: string, folder: string): ToolFileError {
  if (error instanceof ToolFileError) return error;
  const place = stackPlace(error, folder);
  const message = l10n.t('This file failed while it was loaded: {0}', errorMessage(error));
  return new ToolFileError(
    { kind: 'load', path: place?.path ?? path, line: place?.line, column: place?.column, message },
    { cause: error },
  );
}

async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = LOADED_WITHIN_MS / 1_000;
      reject(new Error(l10n.t('it did not come to its end within {0} s', seconds)));
    }, LOADED_WITHIN_MS);
    stop = () => reject(new Error('It is not needed any more'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
