import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';

const TIMEOUT_MS = 10_000;

/** Versions by file, kept while path, size and time of change stay the same. */
const cache = new Map<string, Promise<string | undefined>>();

/**
 * What `claude --version` says, such as `2.1.332`; undefined when it says nothing of that form.
 * Never rejects. Asked once for each file, however many ask at the same time.
 */
export function cliVersion(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return Promise.resolve(undefined);
  const key = JSON.stringify([file, stat.size, stat.mtimeMs]);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const version = askVersion(file, env);
  cache.set(key, version);
  // A failure may be a passing one, such as a machine out of memory.
  void version.then((value) => {
    if (value === undefined) cache.delete(key);
  });
  return version;
}

function askVersion(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', windowsHide: true } as const;
    try {
      const child = execFile(file, ['--version'], options, (error, stdout) =>
        resolve(error === null ? parseVersion(stdout) : undefined),
      );
      child.stdin?.on('error', () => undefined);
      child.stdin?.end();
    } catch {
      resolve(undefined);
    }
  });
}

/** The first `a.b.c` in the text. */
export function parseVersion(text: string): string | undefined {
  return /\b\d{1,6}\.\d{1,6}\.\d{1,6}\b/.exec(text)?.[0];
}

/** Negative, zero or positive, as for sorting. Takes `a.b.c` only. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let i = 0; i < 3; i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The version with which manifests were seen to work. */
const MANIFESTS_SEEN_WITH = '2.1.332';
/** Before this major version there was no `sdkMcpServers` in `initialize`. */
const MANIFESTS_IMPOSSIBLE_BEFORE = '2.0.0';

/**
 * Whether this CLI takes `sdkMcpServerManifests`. `unknown` gets them, and its answer tells: without
 * `sdk_mcp_manifests_parked` it is started again once, see `declareServers`.
 */
export function supportsManifests(version: string | undefined): 'yes' | 'no' | 'unknown' {
  if (version === undefined) return 'unknown';
  if (compareVersions(version, MANIFESTS_SEEN_WITH) >= 0) return 'yes';
  return compareVersions(version, MANIFESTS_IMPOSSIBLE_BEFORE) < 0 ? 'no' : 'unknown';
}
