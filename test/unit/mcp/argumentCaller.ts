import assert from 'node:assert/strict';
import { defineTool } from '../../../src/mcp/defineTool';
import type { ToolInput } from '../../../src/mcp/inputTypes';
import { type Answer, createBench, serverWith } from './routerFixture';

/** Calls a tool of that input which gives back what it gets. */
export function callerFor(input: ToolInput): (args: unknown) => Promise<Answer> {
  const tool = defineTool({ name: 'find', description: '', input, run: (value) => value });
  const { call } = createBench([serverWith('x', tool)]);
  return (args) => call('x', 'find', args);
}

/** The lines under the headline, each about one field. */
export function lines(answer: Answer): string[] {
  assert.equal(answer.error?.code, -32602, JSON.stringify(answer).slice(0, 300));
  const [headline, ...rest] = answer.error.message.split('\n');
  assert.equal(headline, "Invalid arguments for tool 'find':");
  return rest;
}

/** What the tool got. */
export function value(answer: Answer): unknown {
  assert.equal(answer.error, undefined);
  return JSON.parse(answer.result?.content?.[0]?.text ?? 'null');
}
