import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import type { SystemMessageOf } from '../protocol/systemMessages';
import { oneLine } from './boundedText';
import type { TranscriptStore } from './transcriptStore';
import type { BackgroundTask } from './viewStateProtocol';
import { visibleText } from './visibleText';

/** What the CLI tells of work beside the turn. */
export type TaskMessage = SystemMessageOf<
  | 'task_started'
  | 'task_progress'
  | 'task_updated'
  | 'task_notification'
  | 'background_tasks_changed'
>;

/** A task is over with any of these; what is not known counts as running. */
const ENDED = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled']);
/** So many are listed; nobody reads more. */
const MAX_TASKS = 50;

interface KnownTask {
  description: string;
  readonly isAgent: boolean;
  readonly toolUseId: string | undefined;
  readonly startedAt: number;
  progress: string;
}

/**
 * What runs in the background of one process. Fact: `background_tasks_changed` brings the whole list
 * each time; what a task is about and since when it runs is told by the messages around it.
 */
export class TaskBook {
  readonly #store: TranscriptStore;
  readonly #now: () => number;
  /** Also those in the foreground: one may go to the background later. */
  readonly #known = new Map<string, KnownTask>();
  #running: readonly string[] = [];

  constructor(store: TranscriptStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  receive(message: TaskMessage): void {
    switch (message.subtype) {
      case 'task_started':
        this.#learn(message.task_id, message.description, message.task_type, message.tool_use_id);
        if (message.is_backgrounded === true) this.#add(message.task_id);
        break;
      case 'task_progress': {
        const known = this.#known.get(message.task_id);
        if (known) known.progress = message.summary ?? message.description ?? '';
        break;
      }
      case 'task_updated':
        if (message.patch.is_backgrounded === true) this.#add(message.task_id);
        if (ENDED.has(message.patch.status ?? '')) this.#remove(message.task_id);
        break;
      case 'task_notification':
        this.#remove(message.task_id);
        break;
      case 'background_tasks_changed':
        for (const task of message.tasks) {
          this.#learn(task.task_id, task.description, task.task_type, undefined);
        }
        this.#running = message.tasks.map((task) => task.task_id);
        break;
      default:
        assertNever(message, 'task message');
    }
    this.#tell();
  }

  /** The process is gone, and with it what it ran. */
  clear(): void {
    this.#known.clear();
    this.#running = [];
    this.#tell();
  }

  #learn(
    id: string,
    description: string | undefined,
    type: string | undefined,
    toolUseId: string | undefined,
  ): void {
    const known = this.#known.get(id);
    this.#known.set(id, {
      description: description ?? known?.description ?? '',
      isAgent: type === undefined ? (known?.isAgent ?? false) : type.endsWith('agent'),
      toolUseId: toolUseId ?? known?.toolUseId,
      startedAt: known?.startedAt ?? this.#now(),
      progress: known?.progress ?? '',
    });
  }

  #add(id: string): void {
    if (!this.#running.includes(id)) this.#running = [...this.#running, id];
  }

  #remove(id: string): void {
    this.#running = this.#running.filter((one) => one !== id);
    this.#known.delete(id);
  }

  #tell(): void {
    const tasks = this.#running.slice(0, MAX_TASKS).map((id) => this.#task(id));
    const before = this.#store.state.tasks ?? [];
    if (JSON.stringify(tasks) !== JSON.stringify(before)) this.#store.setFields({ tasks });
  }

  #task(id: string): BackgroundTask {
    const known = this.#known.get(id);
    const title = visibleText(oneLine(known?.description ?? ''));
    const progress = visibleText(oneLine(known?.progress ?? ''));
    return {
      id,
      kind: known?.isAgent === true ? 'agent' : 'command',
      title: title === '' ? l10n.t('Background task') : title,
      ...(progress === '' || progress === title ? {} : { progress }),
      ...(known?.toolUseId === undefined ? {} : { toolUseId: known.toolUseId }),
      ...(known ? { startedAt: known.startedAt } : {}),
    };
  }
}
