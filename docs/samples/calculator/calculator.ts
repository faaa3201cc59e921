import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../../src/mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';

const input = {
  a: z.number().describe('First number'),
  b: z.number().describe('Second number'),
};

function operation(
  name: string,
  title: string,
  description: string,
  compute: (a: number, b: number) => number | Error,
): ToolDefinition {
  return defineTool({
    name,
    title,
    description,
    input,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    alwaysLoad: true,
    run: ({ a, b }) => compute(a, b),
  });
}

/** A server with four tools; a returned `Error` is what the model gets as a failed call. */
export function createCalculator(): McpServerDefinition {
  return createServer({
    name: 'calculator',
    tools: [
      operation('add', 'Add', 'Adds two numbers.', (a, b) => a + b),
      operation(
        'subtract',
        'Subtract',
        'Subtracts the second number from the first.',
        (a, b) => a - b,
      ),
      operation('multiply', 'Multiply', 'Multiplies two numbers.', (a, b) => a * b),
      operation('divide', 'Divide', 'Divides the first number by the second.', (a, b) =>
        b === 0 ? new Error('Error: Division by zero') : a / b,
      ),
    ],
  });
}
