import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { ellipsize } from '../base/cutText';
import { errorCode } from '../base/errors';
import { foreignFailure } from '../mcp/foreignFailure';
import { RpcError } from '../mcp/jsonRpc';

/** Characters of what a server says of a failure, and of any other text, such as a page of a proxy. */
const MAX_SAID = 10_000;
const MAX_TEXT = 500;

/**
 * Why a server could not be reached, or did not do what was asked, as people and the model read it.
 * @param mask takes secrets out, before anything is cut in which one could not be told any more
 */
export function toldFailure(error: unknown, mask: (text: string) => string): RpcError {
  const { code, message } = foreignFailure(withCause(error));
  // The SDK puts the code into the text.
  const text = mask(message.replace(/^MCP error -?\d+: /, ''));
  const limit = error instanceof McpError || error instanceof RpcError ? MAX_SAID : MAX_TEXT;
  return new RpcError(code, ellipsize(text, limit), { cause: error });
}

/** `fetch` says why it failed in its cause only. */
function withCause(error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const why = error.cause.message || errorCode(error.cause);
  return why === undefined ? error : new Error(`${error.message}: ${why}`, { cause: error });
}
