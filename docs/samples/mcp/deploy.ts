import { defineTool } from '../../../src/mcp/defineTool';

export const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys after the person has chosen where.',
  input: { type: 'object', properties: {}, additionalProperties: false },
  annotations: { destructiveHint: true },
  async run(_input, { ask, log, state }) {
    const answer = await ask(
      {
        type: 'object',
        properties: { target: { type: 'string', enum: ['staging', 'production'] } },
        required: ['target'],
      },
      'Deploy where?',
    );
    if (answer.action !== 'accept') return new Error(`Not deployed: ${answer.action}`);
    const count = Number(state.get('deployments') ?? 0) + 1;
    state.set('deployments', count);
    log('notice', { target: answer.content.target, count });
    return `Deployed to ${String(answer.content.target)}, number ${count} of this conversation`;
  },
});
