import { z } from 'zod';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';

const notes = new Map([
  ['milk', 'Buy milk'],
  ['tax', 'Pay taxes'],
]);

export function createNotes(): McpServerDefinition {
  const server = createServer({
    name: 'notes',
    instructions: 'What the person has noted. Read note://{id} for one.',
    resources: [
      defineResource({
        uri: 'note://{id}',
        mimeType: 'text/plain',
        list: () => [...notes.keys()].map((id) => ({ uri: `note://${id}`, name: id })),
        // Undefined is answered with "not found".
        read: ({ id }) => notes.get(id),
        complete: { id: (value) => [...notes.keys()].filter((id) => id.startsWith(value)) },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'plan',
        description: 'Plans a day around one note.',
        arguments: { id: z.string(), hours: z.coerce.number().default(8) },
        run: ({ id, hours }) => `Plan ${hours} hours around: ${notes.get(id) ?? id}`,
      }),
    ],
    onInitialize: ({ state }) => {
      state.set('opened', Date.now());
    },
  });
  server.handle('notes/set', { id: z.string(), text: z.string() }, ({ id, text }) => {
    notes.set(id, text);
    server.notifyUpdated(`note://${id}`);
  });
  return server;
}
