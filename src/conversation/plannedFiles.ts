import path from 'node:path';
import { displayPath } from '../chat/displayPath';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { PlannedFile } from '../chat/plannedWrites';
import type { ConversationPorts } from './conversationPorts';
import { findOwnTool } from './knownTools';

/** What a call of a tool of this process would write, by what the tool says itself; none where it does not say. */
export async function plannedFiles(
  { registry, folder }: Pick<ConversationPorts, 'registry' | 'folder'>,
  { tool_name: name, input }: PermissionRequest,
): Promise<readonly PlannedFile[]> {
  const tool = findOwnTool(registry, name)?.tool;
  if (tool?.edits === undefined) return [];
  const parsed = await tool.parseInput(input);
  if (!parsed.ok) return [];
  const paths: unknown = await tool.edits(parsed.value);
  return Array.isArray(paths) ? countPlaces(paths.map(String), folder?.path) : [];
}

/** A path may stand once for each place. */
function countPlaces(paths: readonly string[], folder: string | undefined): readonly PlannedFile[] {
  const places = new Map<string, number>();
  for (const each of paths) {
    const file = path.resolve(folder ?? '.', each);
    places.set(file, (places.get(file) ?? 0) + 1);
  }
  return [...places].map(([file, count]) => ({ path: displayPath(file, folder), places: count }));
}
