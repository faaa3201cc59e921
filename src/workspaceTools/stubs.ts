import { definePrompt } from '../mcp/definePrompt';
import { defineTool } from '../mcp/defineTool';
import type { Definition } from '../mcp/mcpServer';
import { cleanName } from '../mcp/names';
import { stemOf } from './toolFilePaths';

/** Why a file that is listed does not run. */
export type StubReason = 'needsApproval' | 'refused';

/**
 * What stands in the list in place of a file that is not as it was approved. Nothing in it is from
 * the file as it is now: not its names, not its words.
 * @param known what an approved version of the file offered; empty where none was loaded
 */
export function stubsOf(
  file: string,
  reason: StubReason,
  known: readonly Definition[],
): readonly Definition[] {
  const text = words(file, reason);
  // Of a resource alone nothing stands there: nobody calls it.
  return known.length > 0
    ? known.flatMap((definition) => stubOf(definition, text))
    : [toolStub(cleanName(stemOf(file)), summary(file, reason), text)];
}

function stubOf(known: Definition, text: string): readonly Definition[] {
  if (known.kind === 'tool') return [toolStub(known.name, known.description, text)];
  if (known.kind === 'resource') return [];
  const { name, title, description } = known;
  const run = (): never => {
    throw new Error(text);
  };
  return [definePrompt({ name, title, description, run })];
}

function toolStub(name: string, description: string, text: string): Definition {
  const input = { type: 'object', properties: {}, additionalProperties: true } as const;
  return defineTool({ name, description, input, run: () => new Error(text) });
}

function summary(file: string, reason: StubReason): string {
  return reason === 'refused'
    ? `Not available: the person refused ${file} as it is now.`
    : `Not available yet: ${file} needs the person's approval.`;
}

function words(file: string, reason: StubReason): string {
  return reason === 'refused'
    ? `Not run: the person refused ${file} as it is now. It can run when it has been changed and approved.`
    : `Not run: ${file} is new or has changed and needs the person's approval. They are asked in the editor; the tool can be called again once they have approved it.`;
}
