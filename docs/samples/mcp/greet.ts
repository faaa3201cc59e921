import { z } from 'zod';
import { defineTool } from '../../../src/mcp/defineTool';

export const greet = defineTool({
  name: 'greet',
  title: 'Greet somebody',
  description: 'Greets somebody by name.',
  input: {
    name: z.string().describe('Whom to greet'),
    formal: z.boolean().optional().describe('With title'),
  },
  annotations: { readOnlyHint: true },
  run: ({ name, formal }) => (formal === true ? `Good day, ${name}.` : `Hi ${name}!`),
});
