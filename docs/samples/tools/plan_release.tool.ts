import { defineTool, z } from 'patchbay';

const form = {
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .describe('Version, such as 1.4.0'),
  kind: z.enum(['patch', 'minor', 'major']).default('minor').describe('How much changes'),
  targets: z
    .array(z.enum(['registry', 'website', 'container']))
    .min(1)
    .describe('Where it goes'),
  announce: z.boolean().default(false).describe('Write to the mailing list'),
};

export default defineTool({
  isolation: 'worker',
  description: 'Asks the person what the next release is to be. Nothing is released by it.',
  input: { changes: z.array(z.string()).min(1).describe('what has changed, one line each') },
  async run({ changes }, ctx) {
    const answer = await ctx.ask(form, `Next release, with ${changes.length} changes:`);
    if (answer.action !== 'accept') return new Error(`The person gave no answer: ${answer.action}`);
    const { version, kind, targets, announce } = answer.content;
    ctx.state.set('version', version);
    const where = targets.join(', ');
    return `Release ${version} (${kind}) to ${where}${announce ? ', with a word to the list' : ''}.`;
  },
});
