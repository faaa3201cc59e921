import { debug, tasks, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { DebugSessions } from '../editor/debugSessions';
import type { TaskRuns } from '../editor/taskRuns';
import type { TerminalLog } from '../editor/terminalLog';
import type * as testEnds from '../editor/testEnds';
import type { FailedTests, TestRuns } from '../editor/testRuns';
import { LazyLoad } from './activation';

/** What remembers the things that ran in this window. */
export interface WatchedRuns {
  readonly debugSessions: DebugSessions;
  readonly tasks: TaskRuns;
  readonly terminals: TerminalLog;
}

interface LoadedRuns extends WatchedRuns {
  readonly tests: TestRuns;
  readonly ends: typeof testEnds;
}

/** Listens since activation; what remembers is loaded with the first thing to remember. */
export interface EditorWatch extends Disposable {
  load(): Promise<WatchedRuns>;
  /** The last run of tests that failed in the folder, an absolute path, and did not pass since. */
  failedTests(folder: string): FailedTests | undefined;
  readonly onDidChangeFailedTests: Event<void>;
}

/** Thin from the start, since what nobody saw cannot be asked for later. */
export function watchEditor(log: Logger): EditorWatch {
  const store = new DisposableStore();
  const failedChanged = store.add(new Emitter<void>());
  let testRuns: TestRuns | undefined;
  const runs = new LazyLoad(async () => {
    const loaded = await loadRuns(store);
    testRuns = loaded.tests;
    store.add(testRuns.onDidChange(() => failedChanged.fire()));
    return loaded;
  });
  const tell: Tell = (work) => {
    runs
      .get()
      .then(work)
      .catch((error: unknown) => {
        log.error('What has run could not be remembered', error);
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
      tell(({ terminals, tests, ends }) => {
        tests.ended(ends.testOfCommand(event));
        return terminals.ended(event);
      });
    }),
    ...watchTasks(tell),
  ];
  for (const listener of listeners) store.add(listener);
  return {
    load: () => runs.get(),
    failedTests: (folder) => testRuns?.failedIn(folder),
    onDidChangeFailedTests: failedChanged.event,
    dispose: () => store.dispose(),
  };
}

type Tell = (work: (loaded: LoadedRuns) => unknown) => void;

/** When something happened is when it is told, not when there is somebody to remember it. */
function watchTasks(tell: Tell): readonly Disposable[] {
  return [
    tasks.onDidStartTask((event) => {
      const at = Date.now();
      tell((loaded) => loaded.tasks.started(event, at));
    }),
    tasks.onDidStartTaskProcess((event) => {
      tell((loaded) => loaded.tasks.processStarted(event));
    }),
    tasks.onDidEndTaskProcess((event) => {
      const at = Date.now();
      tell((loaded) => {
        loaded.tasks.processEnded(event, at);
        loaded.tests.ended(loaded.ends.testOfTask(event));
      });
    }),
    tasks.onDidEndTask((event) => {
      const at = Date.now();
      tell((loaded) => loaded.tasks.ended(event, at));
    }),
  ];
}

async function loadRuns(store: DisposableStore): Promise<LoadedRuns> {
  const [{ DebugSessions }, { TaskRuns }, { TerminalLog }, { TestRuns }, ends] = await Promise.all([
    import('../editor/debugSessions'),
    import('../editor/taskRuns'),
    import('../editor/terminalLog'),
    import('../editor/testRuns'),
    import('../editor/testEnds'),
  ]);
  return {
    debugSessions: store.add(new DebugSessions()),
    tasks: store.add(new TaskRuns()),
    terminals: new TerminalLog(),
    ...{ tests: new TestRuns(), ends },
  };
}
