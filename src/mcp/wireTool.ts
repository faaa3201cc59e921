import type { ToolDefinition } from './defineTool';
import type { JsonObject, ToolAnnotations, WireTool } from './wire';

const wireTools = new WeakMap<ToolDefinition, WireTool>();

/** A tool as it is listed; made once a tool. */
export function wireTool(tool: ToolDefinition): WireTool {
  const listed = wireTools.get(tool);
  if (listed !== undefined) return listed;
  const meta = metaOf(tool);
  const output = tool.outputSchema;
  const made: WireTool = {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(output === undefined ? {} : { outputSchema: output }),
    ...(tool.annotations === undefined ? {} : { annotations: known(tool.annotations) }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
  wireTools.set(tool, made);
  return made;
}

/** From plain JavaScript more may come with it, which could not be written as JSON. */
function known(annotations: ToolAnnotations): ToolAnnotations {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const all = { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function metaOf(tool: ToolDefinition): JsonObject {
  return {
    ...tool.meta,
    // A text `"true"` would be ignored by the CLI.
    ...(tool.alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}),
    ...(tool.searchHint === undefined ? {} : { 'anthropic/searchHint': tool.searchHint }),
    ...(tool.maxResultChars === undefined
      ? {}
      : { 'anthropic/maxResultSizeChars': tool.maxResultChars }),
    ...(tool.requiresUserInteraction === true ? { 'anthropic/requiresUserInteraction': true } : {}),
  };
}
