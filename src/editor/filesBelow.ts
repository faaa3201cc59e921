import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { count } from './resultBudget';
import { ToolProblem } from './toolProblem';

/** More cannot be judged one by one. */
const MOST = 5_000;

/**
 * Absolute paths of all that lies in a folder, links not followed.
 * @throws ToolProblem for a folder with too much in it to be looked at
 */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const rest = [folder];
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      found.push(file);
      if (entry.isDirectory()) rest.push(file);
      if (found.length > MOST) {
        throw new ToolProblem(
          `Nothing was moved: more than ${count(MOST, 'file')} lie in it. Move parts of it`,
        );
      }
    }
  }
  return found;
}
