import assert from 'node:assert/strict';
import { safeParse } from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { MISFIT, quickSchema } from '../../../src/base/quickSchema';

/** Holds the quick reading of a value against zod's; true when it fits. */
export function assertSameVerdict(schema: $ZodType, value: unknown): boolean {
  const quick = quickSchema(schema)?.(value);
  const slow = safeParse(schema, value);
  assert.equal(slow.success, quick !== MISFIT);
  if (!slow.success) return false;
  assert.deepStrictEqual(quick, slow.data);
  // Also which keys are there at all, and in which order.
  assert.deepEqual(Object.keys(quick ?? {}), Object.keys(slow.data ?? {}));
  return true;
}
