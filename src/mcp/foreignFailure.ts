import { errorMessage } from '../base/errors';
import { RPC_INTERNAL, RpcError } from './jsonRpc';
import { ownField } from './wire';

/** The error of a server that is not ours, of whatever form, as one that can go on to a client. */
export function foreignFailure(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const code = ownField(error, 'code');
  const text = ownField(error, 'message') ?? error ?? 'It gave no result';
  return new RpcError(Number.isInteger(code) ? Number(code) : RPC_INTERNAL, errorMessage(text), {
    cause: error,
  });
}
