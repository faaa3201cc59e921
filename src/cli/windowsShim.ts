import path from 'node:path';

/**
 * npm installs programs on Windows as shims: `claude.cmd`, `claude.ps1` and, for Unix-like shells,
 * `claude`. Node refuses to start a `.cmd` without a shell (EINVAL), and a shell would read the
 * arguments once more; so the text of the shim is read for what it starts.
 */

/** `%dp0%` and `%~dp0` in batch files, `$basedir` in the others: the folder of the shim. */
const FOLDER = /^(?:%dp0%|%~dp0|\$basedir)[\\/]?/i;
const QUOTED = /"([^"\r\n]{1,1000})"/g;
const PROGRAM = /\.(?:exe|[cm]?js)$/i;
/** What runs a script, named on the same line as the script. */
const RUNTIME = /(?:^|[\\/])(?:node|bun|deno)(?:\.exe|\$exe)?$/i;

/**
 * The `.exe` or script that the shim starts, absolute; undefined when its text names none.
 * Pure: `shim` is the shim's own Windows path, the text may have any line ends.
 */
export function windowsShimTarget(shim: string, text: string): string | undefined {
  const targets = [...text.matchAll(QUOTED)].flatMap(([, quoted = '']) => {
    const isBeside = FOLDER.test(quoted);
    const named = quoted.replace(FOLDER, '').replace('$exe', '.exe');
    if (!PROGRAM.test(named) || RUNTIME.test(quoted) || /[%$]/.test(named)) return [];
    if (isBeside) return [path.win32.resolve(path.win32.dirname(shim), named)];
    return path.win32.isAbsolute(named) ? [named] : [];
  });
  // The last line is the one that starts it; those before look for the runtime.
  return targets.at(-1);
}

export function isScript(file: string): boolean {
  return /\.[cm]?js$/i.test(file);
}
