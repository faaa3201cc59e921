import * as l10n from '@vscode/l10n';
import { oneLine } from './boundedText';
import { ToolFields } from './toolFields';
import type { TodoEntry, TodoPart, TodoState } from './toolPartsProtocol';
import { visibleText } from './visibleText';

/** So many entries are shown of one list. */
const MAX_ENTRIES = 100;

const STATES = new Map<string, TodoState>([
  ['pending', 'pending'],
  ['in_progress', 'active'],
  ['completed', 'done'],
]);

interface Todo extends TodoEntry {
  /** What the agent calls it; of a list that is written as a whole its place. */
  readonly id: string;
}

/** A list after a call, and what the call's row says of it. */
export interface TodoStep {
  readonly part: Omit<TodoPart, 'isLatest'>;
  readonly summary: string;
  readonly figure: string;
}

/**
 * The lists of what the agents of one conversation have to do, one for each agent. `TodoWrite` writes
 * a list as a whole; of its followers `TaskCreate`, `TaskUpdate` and `TaskList` each tells a part.
 */
export class TodoBook {
  readonly #lists = new Map<string | undefined, Map<string, Todo>>();

  /** What the call says before it has run; undefined for one that is about no list. */
  begun(agent: string | undefined, name: string, input: unknown): TodoStep | undefined {
    if (name !== 'TodoWrite') return undefined;
    const list = new ToolFields(input).list('todos');
    if (list.length === 0) return undefined;
    const entries = list.map((entry, index) => todo(String(index), entry));
    this.#lists.set(agent, new Map(entries.map((entry) => [entry.id, entry])));
    return this.#step(agent, undefined);
  }

  /** What a call that went well came to; undefined for one that is about no list. */
  ended(
    agent: string | undefined,
    name: string,
    input: unknown,
    data: unknown,
  ): TodoStep | undefined {
    switch (name) {
      case 'TodoWrite':
        return this.#lists.has(agent) ? this.#step(agent, undefined) : undefined;
      case 'TaskCreate':
        return this.#created(agent, input, data);
      case 'TaskUpdate':
        return this.#updated(agent, input);
      case 'TaskList':
        return this.#listed(agent, data);
      default:
        return undefined;
    }
  }

  /** Whether the input of such a call counts at its end as well. */
  needs(name: string): boolean {
    return name === 'TaskCreate' || name === 'TaskUpdate';
  }

  clear(): void {
    this.#lists.clear();
  }

  #created(agent: string | undefined, input: unknown, data: unknown): TodoStep {
    const task = new ToolFields(data).inner('task');
    const list = this.#list(agent);
    const id = task.text('id') || `#${list.size}`;
    const subject = task.text('subject') || new ToolFields(input).text('subject');
    list.set(id, { id, text: words(subject), state: 'pending' });
    return this.#step(agent, list.get(id));
  }

  #updated(agent: string | undefined, input: unknown): TodoStep | undefined {
    const change = new ToolFields(input);
    const id = change.text('taskId');
    const list = this.#list(agent);
    const known = list.get(id);
    // One that was made before what is known here: without its words there is nothing to show.
    if (!known && change.text('subject') === '') return undefined;
    if (change.text('status') === 'deleted') {
      list.delete(id);
      return this.#step(agent, known);
    }
    const state = STATES.get(change.text('status')) ?? known?.state ?? 'pending';
    const text =
      change.text('subject') === '' ? (known?.text ?? '') : words(change.text('subject'));
    list.set(id, { id, text, state });
    return this.#step(agent, list.get(id));
  }

  #listed(agent: string | undefined, data: unknown): TodoStep | undefined {
    if (!Array.isArray(new ToolFields(data).value('tasks'))) return undefined;
    const entries = new ToolFields(data)
      .list('tasks')
      .map((entry, index) => todo(entry.text('id') || String(index), entry));
    this.#lists.set(agent, new Map(entries.map((entry) => [entry.id, entry])));
    return this.#step(agent, undefined);
  }

  #list(agent: string | undefined): Map<string, Todo> {
    const known = this.#lists.get(agent);
    if (known) return known;
    const list = new Map<string, Todo>();
    this.#lists.set(agent, list);
    return list;
  }

  /** @param about the one that the call was about; without it the one that is being worked on */
  #step(agent: string | undefined, about: Todo | undefined): TodoStep {
    const all = [...this.#list(agent).values()];
    const done = all.filter(({ state }) => state === 'done').length;
    const active = about ?? all.find(({ state }) => state === 'active');
    const more = all.length - MAX_ENTRIES;
    return {
      part: {
        entries: all.slice(0, MAX_ENTRIES).map(({ text, state }) => ({ text, state })),
        ...(more > 0 ? { more } : {}),
      },
      summary: oneLine(active?.text ?? ''),
      figure: l10n.t('{0} of {1} done', done, all.length),
    };
  }
}

function todo(id: string, entry: ToolFields): Todo {
  const state = STATES.get(entry.text('status')) ?? 'pending';
  const active = entry.text('activeForm');
  const subject = entry.text('content') || entry.text('subject');
  return { id, state, text: words(state === 'active' && active !== '' ? active : subject) };
}

function words(text: string): string {
  return visibleText(oneLine(text, 200));
}
