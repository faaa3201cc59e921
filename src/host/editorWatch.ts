import { debug } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { DebugSessions } from '../editor/debugSessions';
import { LazyLoad } from './activation';

/** What remembers the things that ran in this window. */
export interface WatchedRuns {
  readonly debugSessions: DebugSessions;
}

/** Listens since activation; what remembers is loaded with the first thing to remember. */
export interface EditorWatch extends Disposable {
  load(): Promise<WatchedRuns>;
}

/** Thin from the start, since what nobody saw cannot be asked for later. */
export function watchEditor(): EditorWatch {
  const store = new DisposableStore();
  const runs = new LazyLoad(async (): Promise<WatchedRuns> => {
    const { DebugSessions } = await import('../editor/debugSessions');
    return { debugSessions: store.add(new DebugSessions()) };
  });
  store.add(
    debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: async (session) => (await runs.get()).debugSessions.track(session),
    }),
  );
  return { load: () => runs.get(), dispose: () => store.dispose() };
}
