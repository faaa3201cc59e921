import * as l10n from '@vscode/l10n';
import { describe, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { fileId } from './fileBytes';
import { findServed } from './findFile';
import { formatUserChanges, type Told } from './formatUserChanges';
import { leftByRules, lookAtRules, type ReadGuard } from './readGuard';
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
        const file = path === undefined ? undefined : await findServed(path, deps.readGuard);
        const since = lastTurnStart ?? turnStart ?? 0;
        const { text, told } = await describeUserChanges(deps, since, file?.uri);
        for (const one of told) tellFile(one.path, one.bytes);
        return text;
      }),
  });
}

/**
 * What the person typed after that moment, without what a rule keeps back. `told` is empty where
 * there is nothing to tell.
 * @param only the one file that is wanted, by whichever of its names
 */
export async function describeUserChanges(
  { userChanges, readGuard }: UserChangesDeps,
  since: number,
  only?: vscode.Uri,
): Promise<{ readonly text: string; readonly told: readonly Told[] }> {
  const whole = await userChanges.since(since);
  const all = only === undefined ? whole : await ofFile(whole, only);
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

async function ofFile<T extends { readonly uri: vscode.Uri }>(
  all: readonly T[],
  only: vscode.Uri,
): Promise<readonly T[]> {
  const key = only.toString();
  const id = await fileId(only);
  const isOf = await Promise.all(
    all.map(async (one) => {
      const { uri } = placeOf(one.uri);
      if (uri.toString() === key) return true;
      return id !== undefined && uri.scheme === 'file' && (await fileId(uri)) === id;
    }),
  );
  return all.filter((_, index) => isOf[index]);
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
