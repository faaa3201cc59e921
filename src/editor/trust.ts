import * as vscode from 'vscode';
import { ToolProblem } from './toolProblem';

/** @throws ToolProblem before the workspace is trusted: VS Code would put its own question instead */
export function requireTrust(what: string): void {
  if (vscode.workspace.isTrusted) return;
  throw new ToolProblem(
    `${what} is off: the person has not trusted this workspace. Ask them (Manage Workspace Trust)`,
  );
}
