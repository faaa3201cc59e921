/** A server or tool that cannot be offered. The message names it, the place and the reason. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}
