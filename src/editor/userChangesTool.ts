import * as l10n from '@vscode/l10n';
import { describe, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { findFile } from './findFile';
import { formatUserChanges, type Told } from './formatUserChanges';
import { leftByRules, lookAtRules, type ReadGuard, refuseDenied } from './readGuard';
import { holderOf, shownPath } from './servedFiles';
import { answer } from './toolProblem';
import type { UserChanges } from './userChanges';

export interface UserChangesDeps {
  readonly userChanges: Pick<UserChanges, 'since'>;
  readonly readGuard?: ReadGuard;
}

const input = object({
  path: optional(string().check(describe('only this file, at full length'))),
});

export function createUserChangesTool(deps: UserChangesDeps): ToolDefinition {
  return defineTool({
    name: 'user_changes',
    title: l10n.t('Your changes'),
    description:
      'What the person edited in the editor since the last turn, as a small diff; unsaved edits included, those of tools not.',
    input,
    annotations: { readOnlyHint: true },
    searchHint: 'what the user edited by hand since the last turn',
    run: ({ path }, { lastTurnStart, turnStart, tellFile }) =>
      answer(async () => {
        const file = path === undefined ? undefined : await findFile(path, deps.readGuard);
        if (file) await refuseDenied(deps.readGuard, file);
        const since = lastTurnStart ?? turnStart ?? 0;
        const { text, told } = await describeUserChanges(deps, since, file?.uri.toString());
        for (const one of told) tellFile(one.path, one.bytes);
        return text;
      }),
  });
}

/**
 * What the person typed after that moment, without what a rule keeps back. `told` is empty where
 * there is nothing to tell.
 * @param only the URI of the one file that is wanted
 */
export async function describeUserChanges(
  { userChanges, readGuard }: UserChangesDeps,
  since: number,
  only?: string,
): Promise<{ readonly text: string; readonly told: readonly Told[] }> {
  const all = (await userChanges.since(since)).filter(
    ({ uri }) => only === undefined || placeOf(uri).uri.toString() === only,
  );
  const denied = await lookAtRules(
    readGuard,
    all.map(({ uri }) => uri),
  );
  const given = all.filter(({ uri }) => denied(uri) === undefined);
  const files = given.map(({ uri, ...rest }) => {
    const { uri: file, part } = placeOf(uri);
    return { path: shownPath(file), part, ...rest };
  });
  return formatUserChanges(files, {
    full: only !== undefined,
    notes: leftByRules(all.length - given.length),
  });
}

/** The file of a document: of a notebook's cell the notebook. */
function placeOf(uri: vscode.Uri): { readonly uri: vscode.Uri; readonly part?: string } {
  if (uri.scheme !== 'vscode-notebook-cell') return { uri };
  const key = uri.toString();
  for (const notebook of vscode.workspace.notebookDocuments) {
    const cell = notebook.getCells().find(({ document }) => document.uri.toString() === key);
    if (cell) return { uri: notebook.uri, part: `cell ${cell.index + 1}` };
  }
  return { uri: holderOf(uri), part: 'a cell' };
}
