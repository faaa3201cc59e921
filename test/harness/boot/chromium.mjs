// @ts-check
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cacheFolder.mjs';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APT = 'apt-get update && apt-get install -y chromium';

/**
 * The Chromium to run the workbench in: `PATCHBAY_CHROMIUM`, else the first found on PATH.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  const asked = env['PATCHBAY_CHROMIUM'];
  if (asked !== undefined && asked !== '') return isExecutable(asked) ? asked : undefined;
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['.exe'] : [''];
  for (const name of NAMES) {
    for (const folder of folders) {
      for (const ending of endings) {
        const file = path.join(folder, name + ending);
        if (isExecutable(file)) return file;
      }
    }
  }
  return undefined;
}

/** True if a missing Chromium can be installed without asking anybody. @returns {boolean} */
export function canInstallChromium() {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** What to tell a person who has none, in one line. @returns {string} */
export function chromiumAdvice() {
  const asked = process.env['PATCHBAY_CHROMIUM'];
  if (asked !== undefined && asked !== '') return `PATCHBAY_CHROMIUM is not a program: ${asked}`;
  return process.platform === 'linux'
    ? `Chromium is missing and cannot be installed without root. Run: sudo sh -c '${APT}'`
    : 'Chromium is missing. Install it or Google Chrome, and set PATCHBAY_CHROMIUM to its path.';
}

/**
 * Finds Chromium, and installs Debian's when root and none is there.
 *
 * @param {{ say?: (line: string) => void, logFile?: string }} [options]
 * @returns {Promise<string>} Throws with one line that says what to do.
 */
export async function ensureChromium({ say, logFile } = {}) {
  const found = findChromium();
  if (found !== undefined) return found;
  if (!canInstallChromium()) throw new Error(chromiumAdvice());
  return withLock(path.join(cacheFolder(), 'locks', 'apt.lock'), async () => {
    const meanwhile = findChromium();
    if (meanwhile !== undefined) return meanwhile;
    say?.(`Installing Chromium: ${APT}`);
    const { code, tail } = await run('sh', ['-c', `${APT} -o DPkg::Lock::Timeout=300`], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      ...(logFile === undefined ? {} : { logFile }),
    });
    const installed = findChromium();
    if (installed !== undefined) return installed;
    throw new Error(`Installing Chromium failed (${String(code)}). Run: ${APT}\n${tail.trim()}`);
  });
}

/** @param {string} file @returns {boolean} */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
