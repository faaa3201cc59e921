import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndFamilyOptions } from '../../../src/cli/endFamily';
import { CLOSE_LIMITS, WATCHDOG_LIMITS } from '../../../src/cli/closeLimits';

// VS Code gives an extension five seconds to end, and a person looks after about as long.
test('All steps of ending a CLI together take less than three seconds', () => {
  const { inputMs, termMs, leftMs, lastMs, drainMs } = CLOSE_LIMITS;
  const together = inputMs + termMs + leftMs + lastMs + drainMs;
  assert.ok(together < 3000, `${together} ms`);
});

test('A command that the CLI ends by itself after SIGTERM, in 1.7 s, gets that time before SIGKILL', () => {
  const { inputMs, termMs } = CLOSE_LIMITS;
  assert.ok(inputMs + termMs > 1700, `${inputMs + termMs} ms`);
});

test('What a killed host leaves is asked, killed and given up within five seconds', () => {
  const { graceMs, limitMs }: EndFamilyOptions = WATCHDOG_LIMITS;
  assert.ok(graceMs > 0 && graceMs < limitMs && limitMs < 5000, `${graceMs} and ${limitMs} ms`);
});
