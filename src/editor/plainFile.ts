import type { FileStatus } from './fileBytes';
import { ToolProblem } from './toolProblem';

/**
 * Whoever reads a pipe waits until somebody writes to it, and holds one of few threads meanwhile.
 * @throws ToolProblem for what is neither file nor folder
 */
export function refuseOdd(status: FileStatus | undefined, path: string): void {
  if (status === undefined || status.isFile || status.isFolder) return;
  throw new ToolProblem(
    `${path} is neither a file nor a folder: a pipe, a device, or a link to nothing`,
  );
}
