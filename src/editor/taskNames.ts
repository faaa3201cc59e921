import * as vscode from 'vscode';
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

/** @throws ToolProblem with candidates, or with the nearest names */
export function findTask(tasks: readonly vscode.Task[], wanted: string): vscode.Task {
  const name = wanted.trim();
  const exact = tasks.filter((task) => taskName(task) === name);
  const bare = tasks.filter((task) => task.name === name);
  const loose = tasks.filter((task) => taskName(task).toLowerCase() === name.toLowerCase());
  const found = [exact, bare, loose].find((list) => list.length > 0) ?? [];
  const [first, second] = found;
  if (first !== undefined && (second === undefined || found === exact)) return first;
  if (second !== undefined) {
    const names = [...new Set(found.map(taskName))].slice(0, 10).map((each) => `"${each}"`);
    throw new ToolProblem(`Several tasks are called so: ${names.join(', ')}`);
  }
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
