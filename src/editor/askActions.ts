import * as vscode from 'vscode';
import { isRecord } from '../mcp/wire';
import { boundedCall } from './boundedCall';
import type { AskBounds } from './documentOutline';
import { nameEdit } from './nameEdit';
import { ToolProblem } from './toolProblem';
import { readWorkspaceEdit, type EditParts } from './workspaceEditParts';

/** Something that a language server or linter offers to do at a place. */
export interface OfferedAction {
  readonly title: string;
  /** Such as `quickfix` or `source.organizeImports`; empty where none is told. */
  readonly kind: string;
  readonly isPreferred: boolean;
  readonly edit: vscode.WorkspaceEdit | undefined;
  /** Run after the edit; alone where there is none: then nobody knows beforehand what it changes. */
  readonly command: vscode.Command | undefined;
}

/** More are not asked for their edits before one is chosen. */
const RESOLVED = 60;
/** The person may be typing. */
const TRIES = 3;

/**
 * What is offered for a range; the edits come with it.
 * @param kind narrows: `source.fixAll` is offered only where it is asked for
 */
export async function askActions(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: string | undefined,
  bounds: AskBounds,
): Promise<readonly OfferedAction[]> {
  const command = 'vscode.executeCodeActionProvider';
  const { uri } = document;
  for (let round = 0; round < TRIES; round += 1) {
    const { version } = document;
    try {
      const answer = await boundedCall<unknown>(
        () => vscode.commands.executeCommand(command, uri, range, kind, RESOLVED),
        { ...bounds, who: 'The language server' },
      );
      const found: readonly unknown[] = Array.isArray(answer) ? answer : [];
      return await Promise.all(found.flatMap((one) => toAction(one) ?? []).map(named));
    } catch (error) {
      // The editor gives the question up where the text is changed meanwhile.
      if (document.version === version || bounds.signal.aborted) throw error;
    }
  }
  throw new ToolProblem('Nothing was changed: a text was changed meanwhile. Try again');
}

/** What the formatter of a document would change; nothing where there is none. */
export async function askFormat(
  document: vscode.TextDocument,
  bounds: AskBounds,
): Promise<OfferedAction> {
  const command = 'vscode.executeFormatDocumentProvider';
  // Without options the editor takes those of the text, its own indentation as it has found it.
  const answer = await boundedCall<unknown>(
    () => vscode.commands.executeCommand(command, document.uri),
    { ...bounds, who: 'The formatter' },
  );
  const edit = new vscode.WorkspaceEdit();
  const found: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const edits = found.filter((one) => one instanceof vscode.TextEdit);
  if (edits.length > 0) edit.set(document.uri, edits);
  // The editor answers alike where there is no formatter.
  const title =
    edits.length > 0
      ? `format${otherFormatter(document)}`
      : `format (done already, or no formatter for '${document.languageId}')`;
  return { title, kind: 'format', isPreferred: false, edit, command: undefined };
}

/** The editor's command takes the first formatter that answers, whichever the person has chosen. */
function otherFormatter({ uri, languageId }: vscode.TextDocument): string {
  const config = vscode.workspace.getConfiguration('editor', { uri, languageId });
  const chosen = config.get<unknown>('defaultFormatter');
  return typeof chosen === 'string'
    ? ` (by the first that answers; the person has chosen ${chosen})`
    : '';
}

/** What an action would change; undefined where only running it would tell. */
export function partsOf({ edit }: OfferedAction): EditParts | undefined {
  return edit && readWorkspaceEdit(edit);
}

/** With its edit by the names of the workspace; one that cannot be looked into stays as it is. */
async function named(action: OfferedAction): Promise<OfferedAction> {
  if (action.edit === undefined) return action;
  try {
    return { ...action, edit: await nameEdit(action.edit) };
  } catch (error) {
    if (error instanceof ToolProblem) return action;
    throw error;
  }
}

function toAction(value: unknown): OfferedAction | undefined {
  if (!isRecord(value) || typeof value.title !== 'string') return undefined;
  const { title, edit, command, kind, isPreferred } = value;
  // A bare command is an action of an old kind.
  if (typeof command === 'string') {
    return { title, kind: '', isPreferred: false, edit: undefined, command: commandOf(value) };
  }
  return {
    title,
    kind: kind instanceof vscode.CodeActionKind ? kind.value : '',
    isPreferred: isPreferred === true,
    edit: edit instanceof vscode.WorkspaceEdit ? edit : undefined,
    command: isRecord(command) ? commandOf(command) : undefined,
  };
}

function commandOf(value: Record<string, unknown>): vscode.Command | undefined {
  const { title, command, arguments: given } = value;
  if (typeof command !== 'string') return undefined;
  const words = typeof title === 'string' ? title : command;
  return { title: words, command, ...(Array.isArray(given) ? { arguments: given } : {}) };
}
