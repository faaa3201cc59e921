import { readOnlyCommand } from './knownCommands';
import { readShellLine } from './shellSyntax';

/** The tools of the CLI that run what a line says. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'Monitor']);

/** Whose files run inside the editor once they are approved. */
const FOLDER = '.patchbay';
/** More is not taken apart; one that names the folder is then not called harmless. */
const MAX_LENGTH = 20_000;

/**
 * Whether a line of a shell may change tool files, as far as that can be told: it names their folder,
 * or a pattern that fits it, or begins in it, and is not known to read only. Variables, encodings and
 * programs that know the place by themselves cannot be seen; what they change is asked about before it
 * runs.
 * @param cwd where it begins
 */
export function mayChangeToolFiles(tool: string, line: string, cwd: string): boolean {
  const isInFolder = cwd.toLowerCase().split(/[\\/]/).includes(FOLDER);
  if (!isInFolder && !namesFolder(line)) return false;
  // Of the other shells nothing is known that only reads.
  return tool !== 'Bash' || !readsOnly(line);
}

/** In any case, and however it is quoted. */
function namesFolder(line: string): boolean {
  const plain = line.toLowerCase().replace(/["'`^]|\\(?:\r?\n)?|\$(?=["'])/g, '');
  if (plain.includes(FOLDER) || line.toLowerCase().includes(FOLDER)) return true;
  return plain.split(/[\s/\\;|&()<>=:,]+/).some(fitsFolder);
}

/** Such as `.patch*`, `.p[a]tchbay`, `.{patchbay,git}`; `*` alone names no hidden folder. */
function fitsFolder(part: string): boolean {
  if (!part.startsWith('.') || !/[*?[{]/.test(part) || part.length > 200) return false;
  const pattern = part
    .replace(/[.+^$()|\\]/g, String.raw`\$&`)
    // What a list or a class may stand for is not worked out: anything.
    .replace(/\{[^}]*\}?|\[[^\]]*\]?|\*+/g, '.*')
    .replace(/\?/g, '.');
  // Each more makes the search longer; nobody writes so but to hide something.
  if (pattern.split('.*').length > 5) return true;
  return new RegExp(`^${pattern}$`).test(FOLDER);
}

function readsOnly(line: string): boolean {
  if (line.length > MAX_LENGTH) return false;
  const { commands, hazards } = readShellLine(line);
  if (hazards.size > 0) return false;
  return commands.every((command) => {
    if (command.redirects.some(({ kind }) => kind === 'write')) return false;
    if (command.words[0]?.text === 'cd') return true;
    const known = readOnlyCommand(command);
    return known !== undefined && known !== 'open';
  });
}
