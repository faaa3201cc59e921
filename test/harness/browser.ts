import { chromium, type Browser } from 'playwright-core';
import { ensureChromium } from './boot/chromium.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;
/** A busy machine is slow. */
const START_TIMEOUT_MS = 120_000;

/**
 * Launches Chromium: `PATCHBAY_CHROMIUM`, or the one on PATH. It ends with this process.
 * Throws with one line that says what to run if there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await ensureChromium();
  return chromium.launch({ executablePath, args: [...FLAGS], timeout: START_TIMEOUT_MS });
}
