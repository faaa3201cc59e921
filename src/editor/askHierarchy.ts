import * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import type { AskBounds } from './documentOutline';
import type { Direction } from './formatHierarchy';

/** An item of the editor's call or type hierarchy; it is handed back to ask for the next level. */
export type HierarchyItem = vscode.CallHierarchyItem | vscode.TypeHierarchyItem;

export interface HierarchyLink {
  readonly item: HierarchyItem;
  /** Where the calls stand, in the caller's file; none for types. */
  readonly ranges: readonly vscode.Range[];
}

const PREPARE: Readonly<Record<Direction, string>> = {
  callers: 'vscode.prepareCallHierarchy',
  callees: 'vscode.prepareCallHierarchy',
  supertypes: 'vscode.prepareTypeHierarchy',
  subtypes: 'vscode.prepareTypeHierarchy',
};
const FOLLOW: Readonly<Record<Direction, string>> = {
  callers: 'vscode.provideIncomingCalls',
  callees: 'vscode.provideOutgoingCalls',
  supertypes: 'vscode.provideSupertypes',
  subtypes: 'vscode.provideSubtypes',
};

/** @returns none where no provider of this kind knows the place @throws ToolProblem as `boundedCall` */
export async function prepareHierarchy(
  direction: Direction,
  uri: vscode.Uri,
  position: vscode.Position,
  bounds: AskBounds,
): Promise<readonly HierarchyItem[]> {
  const answer = await ask(PREPARE[direction], [uri, position], bounds);
  return answer.filter(isItem);
}

/** The next level of one item. @throws ToolProblem as `boundedCall` */
export async function followHierarchy(
  direction: Direction,
  item: HierarchyItem,
  bounds: AskBounds,
): Promise<readonly HierarchyLink[]> {
  const answer = await ask(FOLLOW[direction], [item], bounds);
  return answer.flatMap((value): readonly HierarchyLink[] => {
    if (isItem(value)) return [{ item: value, ranges: [] }];
    if (typeof value !== 'object' || value === null) return [];
    const { from, to, fromRanges } = value as Partial<
      vscode.CallHierarchyIncomingCall & vscode.CallHierarchyOutgoingCall
    >;
    const other = direction === 'callers' ? from : to;
    if (!isItem(other)) return [];
    const ranges = Array.isArray(fromRanges) ? fromRanges : [];
    return [{ item: other, ranges: ranges.filter((range) => range instanceof vscode.Range) }];
  });
}

async function ask(
  command: string,
  args: readonly unknown[],
  bounds: AskBounds,
): Promise<readonly unknown[]> {
  const answer = await boundedCall<unknown>(
    () => vscode.commands.executeCommand(command, ...args),
    {
      ...bounds,
      who: 'The language server',
    },
  );
  return Array.isArray(answer) ? (answer as readonly unknown[]) : [];
}

function isItem(value: unknown): value is HierarchyItem {
  if (typeof value !== 'object' || value === null) return false;
  const { name, uri, selectionRange } = value as Partial<HierarchyItem>;
  return (
    typeof name === 'string' && uri instanceof vscode.Uri && selectionRange instanceof vscode.Range
  );
}
