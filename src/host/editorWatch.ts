import { debug, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import type { DebugSessions } from '../editor/debugSessions';
import type { TaskRuns } from '../editor/taskRuns';
import type { TerminalLog } from '../editor/terminalLog';
import { LazyLoad } from './activation';

/** What remembers the things that ran in this window. */
export interface WatchedRuns {
  readonly debugSessions: DebugSessions;
  readonly tasks: TaskRuns;
  readonly terminals: TerminalLog;
}

/** Listens since activation; what remembers is loaded with the first thing to remember. */
export interface EditorWatch extends Disposable {
  load(): Promise<WatchedRuns>;
}

/** Thin from the start, since what nobody saw cannot be asked for later. */
export function watchEditor(log: Logger): EditorWatch {
  const store = new DisposableStore();
  const runs = new LazyLoad(() => loadRuns(store));
  const tell = (work: (loaded: WatchedRuns) => unknown): void => {
    runs
      .get()
      .then(work)
      .catch((error: unknown) => {
        log.error('A command of a terminal could not be remembered', error);
      });
  };
  const listeners: Disposable[] = [
    debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: async (session) => (await runs.get()).debugSessions.track(session),
    }),
    window.onDidStartTerminalShellExecution((event) => {
      // At once: the editor keeps nothing of it for later.
      const output = event.execution.read();
      tell(({ terminals }) => {
        terminals.started(event, output);
      });
    }),
    window.onDidEndTerminalShellExecution((event) => {
      tell(({ terminals }) => terminals.ended(event));
    }),
  ];
  for (const listener of listeners) store.add(listener);
  return { load: () => runs.get(), dispose: () => store.dispose() };
}

async function loadRuns(store: DisposableStore): Promise<WatchedRuns> {
  const [{ DebugSessions }, { TaskRuns }, { TerminalLog }] = await Promise.all([
    import('../editor/debugSessions'),
    import('../editor/taskRuns'),
    import('../editor/terminalLog'),
  ]);
  return {
    debugSessions: store.add(new DebugSessions()),
    tasks: store.add(new TaskRuns()),
    terminals: new TerminalLog(),
  };
}
