import * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import type { AskBounds } from './documentOutline';
import type { Place } from './place';
import { ToolProblem } from './toolProblem';
import { type EditParts, readWorkspaceEdit } from './workspaceEditParts';

export interface RenameAnswer {
  readonly edit: vscode.WorkspaceEdit;
  readonly parts: EditParts;
}

/**
 * What the language server would change for a new name; nothing is changed yet.
 * @throws ToolProblem where nobody can rename there, with the server's reason
 */
export async function askRename(
  { document, position, name = 'it' }: Place,
  to: string,
  bounds: AskBounds,
): Promise<RenameAnswer> {
  const edit = await ask(document.uri, position, to, bounds);
  const parts = edit instanceof vscode.WorkspaceEdit ? readWorkspaceEdit(edit) : undefined;
  if (!(edit instanceof vscode.WorkspaceEdit) || parts === undefined || isEmpty(parts)) {
    throw new ToolProblem(
      `Nothing was changed: no language server for '${document.languageId}' renames ${name}. Use edit`,
    );
  }
  return { edit, parts };
}

/** Undefined where nobody has an answer, which VS Code tells by an error of its own. */
async function ask(
  uri: vscode.Uri,
  position: vscode.Position,
  to: string,
  bounds: AskBounds,
): Promise<unknown> {
  const command = 'vscode.executeDocumentRenameProvider';
  try {
    return await boundedCall<unknown>(
      () => vscode.commands.executeCommand(command, uri, position, to),
      { ...bounds, who: 'The language server' },
    );
  } catch (error) {
    if (error instanceof ToolProblem && error.message.includes('No result')) return undefined;
    throw error;
  }
}

function isEmpty({ texts, operations }: EditParts): boolean {
  return texts.length + operations.length === 0;
}
