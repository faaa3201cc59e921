import * as vscode from 'vscode';
import { boundedCall, pause } from './boundedCall';
import { type AskBounds, RETRY_MS } from './documentOutline';
import { type PlacesOfFile, placesByFile } from './placesByFile';

/** Commands of the editor that answer with places. */
export type LocationCommand =
  | 'vscode.executeReferenceProvider'
  | 'vscode.executeDefinitionProvider'
  | 'vscode.executeTypeDefinitionProvider'
  | 'vscode.executeImplementationProvider'
  | 'vscode.executeDeclarationProvider';

/** Commands and languages that have answered with something, or with nothing through all tries. */
const known = new Set<string>();

/**
 * Asks a provider for places; what is no place in its answer is dropped. An empty answer is asked
 * for again, bounded, the first time, since the language server may be starting. Of thousands of
 * places the objects are let go of at once: the engine would copy all of them with each collection.
 * @throws ToolProblem when the provider fails or does not answer, and on Stop
 */
export async function askLocations(
  command: LocationCommand,
  document: vscode.TextDocument,
  position: vscode.Position,
  bounds: AskBounds,
): Promise<readonly PlacesOfFile[]> {
  const key = `${command} ${document.languageId}`;
  const ask = async (): Promise<readonly PlacesOfFile[]> => {
    const answer = await boundedCall<unknown>(
      () => vscode.commands.executeCommand(command, document.uri, position),
      { ...bounds, who: `The language server for '${document.languageId}'` },
    );
    return Array.isArray(answer) ? placesByFile(answer) : [];
  };
  let found = await ask();
  for (const ms of RETRY_MS) {
    if (found.length > 0 || known.has(key) || bounds.signal.aborted) break;
    await pause(ms, bounds.signal);
    found = await ask();
  }
  known.add(key);
  return found;
}
