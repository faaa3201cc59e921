import type { AssistantMessage } from '../protocol/conversationMessages';
import type { ConversationMessage } from '../protocol/messages';
import type { SystemMessage } from '../protocol/systemMessages';
import { cleanName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';

/**
 * Tools of the CLI that leave something behind in its process: a clock that starts a turn later, a
 * command that is watched, another working folder.
 */
const LASTING_TOOLS = new Set([
  'CronCreate',
  'ScheduleWakeup',
  'Monitor',
  'EnterWorktree',
  'ExitWorktree',
]);

/** A task is over with any of these; what is not known counts as running. */
const ENDED = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled']);

/** What one process of the CLI does, or holds, beyond its turns. */
export class BackgroundWork {
  readonly #registry: Pick<ServerRegistry, 'all'>;
  readonly #tasks = new Set<string>();
  #isBound = false;

  /** @param registry our own servers: what they hold outlives the CLI's process */
  constructor(registry: Pick<ServerRegistry, 'all'>) {
    this.#registry = registry;
  }

  /** Tasks run, or may still start a turn by themselves. */
  get isRunning(): boolean {
    return this.#tasks.size > 0;
  }

  /** The process holds what a resumed one would not have. */
  get isBound(): boolean {
    return this.#isBound;
  }

  receive(message: ConversationMessage): void {
    if (message.type === 'system') this.#follow(message);
    else if (message.type === 'assistant') this.#look(message);
  }

  #follow(message: SystemMessage): void {
    if (message.subtype === 'background_tasks_changed') {
      // The whole list each time.
      this.#tasks.clear();
      for (const { task_id: id } of message.tasks) this.#tasks.add(id);
    } else if (message.subtype === 'task_started') {
      if (message.is_backgrounded === true) this.#tasks.add(message.task_id);
    } else if (message.subtype === 'task_updated') {
      if (message.patch.is_backgrounded === true) this.#tasks.add(message.task_id);
      if (ENDED.has(message.patch.status ?? '')) this.#tasks.delete(message.task_id);
    } else if (message.subtype === 'task_notification') {
      this.#tasks.delete(message.task_id);
    } else if (message.subtype === 'session_writes_lost') {
      // What was said is not on the disk: only this process still knows it.
      this.#isBound = true;
    }
  }

  #look({ message: { content } }: AssistantMessage): void {
    if (this.#isBound || typeof content === 'string') return;
    this.#isBound = content.some((block) => block.type === 'tool_use' && this.#binds(block.name));
  }

  /** A server that the CLI started itself ends with it, and with it what it holds. */
  #binds(tool: string): boolean {
    if (LASTING_TOOLS.has(tool)) return true;
    if (!tool.startsWith('mcp__')) return false;
    const isOurs = this.#registry
      .all()
      .some(({ name }) => tool.startsWith(`mcp__${cleanName(name)}__`));
    return !isOurs;
  }
}
