import * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import type { AskBounds } from './documentOutline';
import { formatHover } from './formatHover';
import { ToolProblem } from './toolProblem';

/** Signature and doc at a place, on three lines at most; none where no provider gives one in time. */
export async function askHover(
  document: vscode.TextDocument,
  position: vscode.Position,
  bounds: AskBounds,
): Promise<readonly string[]> {
  try {
    const answer = await boundedCall<unknown>(
      () => vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, position),
      { ...bounds, who: 'The hover' },
    );
    return Array.isArray(answer) ? formatHover(answer.flatMap(partsOf)) : [];
  } catch (error) {
    // The places are worth giving without it.
    if (error instanceof ToolProblem) return [];
    throw error;
  }
}

function partsOf(hover: unknown): readonly string[] {
  if (typeof hover !== 'object' || hover === null) return [];
  const { contents } = hover as Partial<vscode.Hover>;
  if (!Array.isArray(contents)) return [];
  return contents.flatMap((part: unknown): readonly string[] => {
    if (typeof part === 'string') return [part];
    if (typeof part !== 'object' || part === null) return [];
    const { value, language } = part as { value?: unknown; language?: unknown };
    if (typeof value !== 'string') return [];
    // The older shape: code by itself.
    return [typeof language === 'string' ? `\`\`\`\n${value}\n\`\`\`` : value];
  });
}
