import type { ToolDefinition } from './defineTool';
import { copyJson, errorResult, isResultLike, toJson, toResult } from './results';
import type { ParsedInput } from './toolInput';
import { type CallToolResult, isRecord, type JsonObject } from './wire';

/**
 * The result of a tool that has an output schema: the object is checked and sent as
 * `structuredContent`, with its JSON as text for clients that know only that. What is an error
 * anyway is not checked. Never throws; a promise only where the schema is asynchronous.
 */
export function toStructuredResult(
  tool: ToolDefinition,
  parse: NonNullable<ToolDefinition['parseOutput']>,
  value: unknown,
): CallToolResult | Promise<CallToolResult> {
  const plain = toResult(value);
  if (plain.isError === true) return plain;
  try {
    const ownBlocks = isRecord(value) && isResultLike(value);
    const given: unknown = ownBlocks ? value.structuredContent : value;
    if (given === undefined) return misfit(tool, ['arguments: expected object, received nothing']);
    const parsed = parse(copyJson(given));
    const finish = (late: ParsedInput<JsonObject>): CallToolResult =>
      late.ok ? withObject(late.value, ownBlocks ? plain : undefined) : misfit(tool, late.problems);
    return parsed instanceof Promise
      ? parsed.then(finish).catch((error: unknown) => misfit(tool, [String(error)]))
      : finish(parsed);
  } catch (error) {
    return misfit(tool, [error instanceof Error ? error.message : String(error)]);
  }
}

function withObject(value: JsonObject, given: CallToolResult | undefined): CallToolResult {
  const structuredContent = copyJson(value) as JsonObject;
  if (given !== undefined) return { ...given, structuredContent };
  const text = toJson(structuredContent) ?? '{}';
  return { content: [{ type: 'text', text }], structuredContent };
}

function misfit(tool: ToolDefinition, problems: readonly string[]): CallToolResult {
  // The root is called what it is here.
  const lines = problems.map((line) => line.replace(/^arguments:/u, 'result:'));
  return errorResult(
    `Tool error: the result of '${tool.name}' does not fit its output schema:\n${lines.join('\n')}`,
  );
}
