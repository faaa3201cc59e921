// @ts-check

/**
 * @typedef {object} Task
 * @property {string} name
 * @property {readonly string[]} [needs] Names of tasks that must have ended before.
 * @property {readonly string[]} [after] The same; that they failed does not matter to it.
 * @property {string} [alone] Of the tasks with the same word, one runs at a time.
 * @property {boolean} [last] It starts when all that are not `last` have ended.
 */

/**
 * Runs tasks, `slots` at once; a free slot takes the first in the order that may start. A need that
 * is not among the tasks does not count.
 *
 * @template {Task} T
 * @param {readonly T[]} tasks
 * @param {number} slots
 * @param {(task: T) => Promise<void>} run Never rejects.
 */
export async function runScheduled(tasks, slots, run) {
  const waiting = [...tasks];
  /** @type {Map<T, Promise<void>>} */
  const running = new Map();
  /** @param {T} task */
  const mayStart = (task) => {
    const open = [...waiting, ...running.keys()].filter((other) => other !== task);
    const before = [...(task.needs ?? []), ...(task.after ?? [])];
    if (open.some((other) => before.includes(other.name))) return false;
    if (task.last === true && open.some((other) => other.last !== true)) return false;
    return ![...running.keys()].some(({ alone }) => alone !== undefined && alone === task.alone);
  };
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < slots ? waiting.find(mayStart) : undefined;
    if (next !== undefined) {
      waiting.splice(waiting.indexOf(next), 1);
      running.set(
        next,
        run(next).then(() => void running.delete(next)),
      );
      continue;
    }
    if (running.size === 0) throw new Error(`They wait for each other: ${names(waiting)}`);
    await Promise.race(running.values());
  }
}

/** @param {readonly Task[]} tasks */
function names(tasks) {
  return tasks.map(({ name }) => name).join(', ');
}
