import { ellipsize } from '../base/cutText';

/** Characters that an error has at most. */
export const ERROR_LIMIT = 240;
/** Two of these and the words around them fit. */
const PATH_LIMIT = 70;
const LONG_PATH = new RegExp(`[^\\s/]*/\\S{${PATH_LIMIT},}`, 'gu');

/**
 * A fault that the model can do something about. The message says what failed and the next step,
 * at most 240 characters, the failure first because the tail is cut.
 */
export class ToolProblem extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(fit(message.replace(/[^\S ]+/gu, ' ').trim()), options);
    this.name = 'ToolProblem';
  }
}

/** Of a long path the end tells more than the start, and more than the words behind it that it would push out. */
function fit(message: string): string {
  if (message.length <= ERROR_LIMIT) return message;
  const short = message.replace(LONG_PATH, (path) => `…${path.slice(1 - PATH_LIMIT)}`);
  return ellipsize(short, ERROR_LIMIT);
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
