import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { type ExtensionContext, l10n as l10nBundle, window, workspace } from 'vscode';
import type { DisposableStore } from '../base/disposable';
import { errorMessage } from '../base/errors';
import { type Logger, topicLogger } from '../base/logger';
import type { ServerRegistry } from '../mcp/registry';
import type { FoundLoop } from '../workspaceTools/loopRecord';
import { relativePath } from '../workspaceTools/toolFilePaths';
import type { EditorPorts, WorkspaceTools } from '../workspaceTools/workspaceToolsPorts';
import type { ApprovalCards } from './approvalCards';
import { ToolFiles } from './toolFiles';
import { approvalsFolder, toolFilesStorage } from './toolFilesStorage';
import { ruleFilesOf } from './windowRules';

/** The tool files of this window. What reads and runs them is loaded where there are any. */
export function createToolFiles(
  context: ExtensionContext,
  log: Logger,
  registry: ServerRegistry,
  cards: ApprovalCards,
): ToolFiles {
  return new ToolFiles({
    ...{ log, registry, cards },
    storageFolder: toolFilesStorage(context),
    approvalsFolder: approvalsFolder(context),
    where: () => ruleFilesOf(context, log),
    create: (ports, store) =>
      createRoom(
        {
          dist: path.join(context.extensionPath, 'dist'),
          // Of all windows: one that stands still holds the storage of its workspace.
          loops: path.join(context.globalStorageUri.fsPath, 'loops'),
          compiler: path.join(context.globalStorageUri.fsPath, 'sourceCompiler.cache'),
        },
        ports,
        store,
      ),
  });
}

interface RoomPlaces {
  readonly dist: string;
  /** A folder, see `LoopWatch`. */
  readonly loops: string;
  /** A file, see `ScriptCache`. */
  readonly compiler: string;
}

/** The room, with workers for the files that want one, and with an eye on the loops of the others. */
async function createRoom(
  { dist, loops: loopFolder, compiler: cacheFile }: RoomPlaces,
  ports: EditorPorts,
  store: DisposableStore,
): Promise<WorkspaceTools> {
  const [
    { createWorkspaceTools },
    { compilerProgram },
    { createWorkerHost },
    { WORKER_LIMITS },
    loops,
  ] = await Promise.all([
    import('../workspaceTools/workspaceTools'),
    import('../workspaceTools/compilerProgram'),
    import('../workspaceTools/workerHost'),
    import('../workspaceTools/workerOptions'),
    import('../workspaceTools/loopWatch'),
  ]);
  const log = topicLogger(ports.log, 'tool files');
  const watch = new loops.LoopWatch({
    ...loops.LOOP_LIMITS,
    watchFile: path.join(dist, 'loopWatch.cjs'),
    folder: loopFolder,
    workspace: ports.approvalsFolder,
    log,
  });
  store.add(watch);
  const compilerFile = path.join(dist, 'sourceCompiler.cjs');
  const worker = createWorkerHost({
    ...WORKER_LIMITS,
    workerFile: path.join(dist, 'toolWorker.js'),
    compilerFile,
    log,
    folderName,
    words: () => l10nBundle.bundle ?? {},
  });
  const tools = createWorkspaceTools({
    ...ports,
    compiler: compilerProgram(compilerFile, { cacheFile, failed: notKept(log) }),
    worker,
    running: (file) => watch.running(file),
  });
  // Before anything runs: what looped once would loop again.
  const looped = watch.takeLooped((file) =>
    ports.folders().some(({ path: folder }) => relativePath(folder, file) !== undefined),
  );
  for (const one of looped) {
    log.error(loopText(one));
    if (one.isRunning) void offerEnd(one, () => watch.endStanding(one.pid), log);
  }
  await Promise.all(looped.flatMap(({ files }) => files).map((file) => tools.looped(file)));
  store.add(
    tools.onDidChange(() => {
      if (!hasLoaded(tools)) watch.stop();
    }),
  );
  return tools;
}

function notKept(log: Logger): (error: unknown) => void {
  return (error) =>
    log.warn(`What loads the compiler faster cannot be kept: ${errorMessage(error)}`);
}

function folderName(folder: string): string {
  const found = workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === folder);
  return found?.name ?? path.basename(folder);
}

/** Whether code of any file is loaded in this process. */
function hasLoaded(tools: WorkspaceTools): boolean {
  return tools
    .folders()
    .some(({ files }) =>
      files.some(
        ({ isolation, state }) =>
          isolation === 'host' && (state.kind === 'ready' || state.kind === 'loading'),
      ),
    );
}

function loopText({ files, stack, seconds, isRunning, pid }: FoundLoop): string {
  const what =
    files.length === 0
      ? l10n.t('something that is no tool file, or could not be named')
      : files.join(', ');
  const head = isRunning
    ? l10n.t('An earlier extension host, process {0}, stands still, at {1}', pid, what)
    : l10n.t('The extension host stood still for {0} s and then ended, at {1}', seconds, what);
  const after = files.length === 0 ? '' : l10n.t('This file asks for your approval again.');
  return [`${head}. ${after}`, ...stack.map((line) => `  at ${line}`)].join('\n');
}

/**
 * Fact: a window that is loaded anew leaves an extension host that stands still behind, where the
 * editor runs on another machine. It takes a processor and holds the
 * storage of the workspace.
 */
async function offerEnd({ files }: FoundLoop, end: () => void, log: Logger): Promise<void> {
  const endIt = l10n.t('End it');
  const names = files.map((file) => path.basename(file)).join(', ');
  const answer = await window.showWarningMessage(
    l10n.t(
      'An earlier extension host of this folder goes on for ever in {0}. It takes a processor.',
      names,
    ),
    endIt,
  );
  if (answer !== endIt) return;
  try {
    end();
  } catch (error) {
    log.error('The extension host that stands still could not be ended', error);
  }
}
