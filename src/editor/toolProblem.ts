import { oneLine } from './resultBudget';

const ERROR_LIMIT = 240;

/**
 * A fault that the model can do something about. The message says what failed and the next step,
 * at most 240 characters, the failure first because the tail is cut.
 */
export class ToolProblem extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(oneLine(message, ERROR_LIMIT), options);
    this.name = 'ToolProblem';
  }
}

/** Runs a tool; a {@link ToolProblem} is returned, so that its text goes over the wire as it is. */
export async function answer(run: () => Promise<string>): Promise<string | ToolProblem> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ToolProblem) return error;
    throw error;
  }
}
