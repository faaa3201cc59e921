import path from 'node:path';

/** The checkout's root folder. Bundled tests run with it as their working folder. */
export const root = process.env.PATCHBAY_ROOT ?? process.cwd();

/** A path inside the checkout. */
export function inRoot(...parts: string[]): string {
  return path.join(root, ...parts);
}

/** The real CLI that the tests run: the pinned platform package of the agent SDK. */
export const realCliPath = inRoot(
  'node_modules/@anthropic-ai',
  `claude-agent-sdk-${process.platform}-${process.arch}`,
  process.platform === 'win32' ? 'claude.exe' : 'claude',
);
