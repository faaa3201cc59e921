import { askCliOnce, cliKey, type CliCommand } from './askCli';

/** Versions that CLIs told when they were started, by the state of their files. */
const told = new Map<string, string>();

/** Keeps what a CLI said of itself in its answer to `initialize`. */
export function rememberVersion(cli: CliCommand, version: string | undefined): void {
  const key = cliKey(cli);
  const known = version === undefined ? undefined : parseVersion(version);
  if (key !== undefined && known !== undefined) told.set(key, known);
}

/** The version of a CLI that was started before, as long as its file is the same. */
export function knownVersion(cli: CliCommand): string | undefined {
  const key = cliKey(cli);
  return key === undefined ? undefined : told.get(key);
}

/**
 * What `claude --version` says, such as `2.1.332`; undefined when it says nothing of that form.
 * Never rejects. Asked once for each file, however many ask at the same time.
 */
export async function cliVersion(
  cli: CliCommand,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const { code, stdout } = await askCliOnce(cli, ['--version'], env);
  return code === 0 ? parseVersion(stdout) : undefined;
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

/** The version with which all that we send was seen to work: each flag, and manifests. */
export const SEEN_WITH = '2.1.332';
/** Before this major version there was no `sdkMcpServers` in `initialize`. */
const MANIFESTS_IMPOSSIBLE_BEFORE = '2.0.0';

/**
 * Whether this CLI takes `sdkMcpServerManifests`. `unknown` gets them, and its answer tells: without
 * `sdk_mcp_manifests_parked` it is started again once, see `declareServers`.
 */
export function supportsManifests(version: string | undefined): 'yes' | 'no' | 'unknown' {
  if (version === undefined) return 'unknown';
  if (compareVersions(version, SEEN_WITH) >= 0) return 'yes';
  return compareVersions(version, MANIFESTS_IMPOSSIBLE_BEFORE) < 0 ? 'no' : 'unknown';
}
