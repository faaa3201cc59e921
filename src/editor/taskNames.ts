import * as vscode from 'vscode';
import { isToldAs } from './meantWords';
import { nearestNames } from './pathDisplay';
import { oneLine } from './resultBudget';
import { shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';

/** As the editor's own list shows it, `npm: test`; in a window with several folders with the folder's name as paths have it. */
export function taskName({ name, source, scope }: vscode.Task): string {
  const isPlain = source === '' || source === 'Workspace' || name.startsWith(`${source}: `);
  const shown = isPlain ? name : `${source}: ${name}`;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = typeof scope === 'object' ? shownPath(scope.uri) : undefined;
  return folders.length > 1 && folder !== undefined ? `${folder}/${shown}` : shown;
}

/** Those that a name means: as it is, without its folder and source, or as a result has told it. */
export function tasksCalled<T>(
  all: readonly T[],
  wanted: string,
  taskOf: (one: T) => vscode.Task,
): readonly T[] {
  const name = wanted.trim();
  const ways: readonly ((task: vscode.Task) => boolean)[] = [
    (task) => taskName(task) === name,
    (task) => task.name === name,
    (task) => isToldAs(taskName(task), name),
    (task) => isToldAs(task.name, name),
  ];
  const lists = ways.map((isMeant) => all.filter((one) => isMeant(taskOf(one))));
  return lists.find((list) => list.length > 0) ?? [];
}

/** @throws ToolProblem where they are tasks of several names */
export function refuseSeveralNames(found: readonly vscode.Task[]): void {
  const names = [...new Set(found.map(taskName))].slice(0, 10).map((each) => `"${each}"`);
  if (names.length > 1) {
    throw new ToolProblem(`Several tasks are called so: ${names.join(', ')}`);
  }
}

/** @throws ToolProblem with candidates, or with the nearest names */
export function findTask(tasks: readonly vscode.Task[], wanted: string): vscode.Task {
  const name = wanted.trim();
  const found = tasksCalled(tasks, name, (task) => task);
  refuseSeveralNames(found);
  const [first] = found;
  if (first !== undefined) return first;
  const nearest = nearestNames(name, tasks.map(taskName)).map((each) => `"${each}"`);
  throw new ToolProblem(
    `No task "${oneLine(name, 60)}". ${nearest.length > 0 ? `Nearest: ${nearest.join(', ')}` : 'The workspace has none'}`,
  );
}

/** What is worth knowing of a task besides its name. */
export function taskMarks(task: vscode.Task, isRunning: boolean): string {
  const marks = [
    isRunning ? 'running' : undefined,
    task.group === undefined
      ? undefined
      : `${task.group.id}${task.group.isDefault === true ? ', default' : ''}`,
    task.isBackground ? 'background' : undefined,
  ].filter((mark) => mark !== undefined);
  return marks.length === 0 ? '' : ` (${marks.join(', ')})`;
}
