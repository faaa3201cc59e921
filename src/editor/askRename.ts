import * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import type { AskBounds } from './documentOutline';
import { nameEdit } from './nameEdit';
import type { Place } from './place';
import { ToolProblem } from './toolProblem';
import { type EditParts, readWorkspaceEdit } from './workspaceEditParts';

export interface RenameAnswer {
  readonly edit: vscode.WorkspaceEdit;
  readonly parts: EditParts;
  /** What is replaced at the place that was asked about, where that is plain. */
  readonly old: string | undefined;
  /** The new name, with the mark that belongs to it. */
  readonly to: string;
}

/** What a name begins with that is no letter of it, in stylesheets and some languages. */
const MARK = /^(--|@{1,2}|[.#%$])(?=[^\s./])\S*$/u;
const OWN_MARK = /^(?:--|[.#@%$])/u;
/** Where a dollar is a mark; elsewhere it is a letter like others. */
const DOLLAR_MARKS = new Set(['scss', 'sass', 'php']);
/** No part of a text that is replaced is a name as programs have them. */
export const PROSE = new Set(['markdown', 'restructuredtext', 'asciidoc', 'latex', 'tex']);
/** A longer one is more than a name. */
const LONGEST = 200;

/**
 * What the language server would change for a new name; nothing is changed yet. Servers of stylesheets
 * replace `.card` as a whole, and write what they are given: a name without its mark gets it.
 * @throws ToolProblem where nobody can rename there, with the server's reason
 */
export async function askRename(
  place: Place,
  to: string,
  bounds: AskBounds,
): Promise<RenameAnswer> {
  const answer = await askOnce(place, to, bounds);
  const old = replacedText(place, answer.parts);
  const mark = markOf(old, place.document);
  if (mark === '' || OWN_MARK.test(to)) return { ...answer, old, to };
  const marked = `${mark}${to}`;
  if (marked === old) throw new ToolProblem(`It is already called ${marked}`);
  return { ...(await askOnce(place, marked, bounds)), old, to: marked };
}

/** What stands in the place of the asked name, as the server sees it. */
function replacedText(
  { document, position, name }: Place,
  { texts }: EditParts,
): string | undefined {
  const key = document.uri.toString();
  const [, edits = []] = texts.find(([uri]) => uri.toString() === key) ?? [];
  const own = edits.find(({ range }) => range.contains(position) && range.isSingleLine);
  const old = own && document.getText(own.range);
  if (old === undefined || old.length > LONGEST || !old.includes(name ?? '')) return undefined;
  // Some servers replace the whole line.
  return PROSE.has(document.languageId) || !/\s/u.test(old) ? old : undefined;
}

function markOf(old: string | undefined, { languageId }: vscode.TextDocument): string {
  if (old === undefined || PROSE.has(languageId)) return '';
  const mark = MARK.exec(old)?.[1] ?? '';
  return mark === '$' && !DOLLAR_MARKS.has(languageId) ? '' : mark;
}

async function askOnce(
  { document, position, name = 'it' }: Place,
  to: string,
  bounds: AskBounds,
): Promise<Pick<RenameAnswer, 'edit' | 'parts'>> {
  const given = await ask(document.uri, position, to, bounds);
  const edit = given instanceof vscode.WorkspaceEdit ? await nameEdit(given) : undefined;
  const parts = edit && readWorkspaceEdit(edit);
  if (edit === undefined || parts === undefined || isEmpty(parts)) {
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
