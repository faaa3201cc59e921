import { z } from 'zod';
import { defineTool } from '../../../src/mcp/defineTool';

export const statistics = defineTool({
  name: 'statistics',
  description: 'Counts, adds and averages numbers.',
  input: { numbers: z.array(z.number()).min(1) },
  output: { count: z.int(), sum: z.number(), mean: z.number() },
  timeout: 5_000,
  async run({ numbers }, ctx) {
    let sum = 0;
    for (const [index, number] of numbers.entries()) {
      ctx.signal.throwIfAborted();
      sum += number;
      ctx.progress(index + 1, numbers.length);
      await Promise.resolve();
    }
    return { count: numbers.length, sum, mean: sum / numbers.length };
  },
});
