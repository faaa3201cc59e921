import * as l10n from '@vscode/l10n';
import { UserFacingError } from '../base/errors';
import type { CliSession } from '../cli/cliSession';

/** What the person does with the work in the background. */
export interface TasksPort {
  /** Ends it; one that has ended already is no fault. */
  stop(taskId: string): Promise<void>;
  /** What it has printed so far. */
  output(taskId: string): Promise<string>;
}

/** @param live the CLI that runs */
export function createTasks(live: () => CliSession | undefined): TasksPort {
  const session = (): CliSession => {
    const running = live();
    if (!running) throw new UserFacingError(l10n.t('This task has ended with its agent.'));
    return running;
  };
  return {
    async stop(taskId) {
      await session().request('stop_task', { task_id: taskId });
    },
    async output(taskId) {
      const { output } = await session().request('get_task_output', { task_id: taskId });
      return typeof output === 'string' ? output : '';
    },
  };
}
