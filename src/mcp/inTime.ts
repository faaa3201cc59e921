import { RPC_INTERNAL, RpcError } from './jsonRpc';

/** How long a server of others may take to be ready, in milliseconds. */
export const READY_WITHIN_MS = 30_000;

/** Settles as the work does. @throws RpcError −32603 that says what it did not do in time */
export async function inTime<T>(
  work: Promise<T>,
  what: string,
  limit = READY_WITHIN_MS,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const text = `It did not ${what} within ${limit / 1000} s`;
    timer = setTimeout(() => reject(new RpcError(RPC_INTERNAL, text)), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
