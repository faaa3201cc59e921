import type { CliDisk } from '../../../src/cli/cliDisk';

/** A disk of any platform: file to text. Every file can be run. */
export function playedDisk(files: Readonly<Record<string, string>>, sep: '/' | '\\'): CliDisk {
  const has = (file: string): boolean => Object.hasOwn(files, file);
  return {
    isFile: has,
    isExecutable: has,
    read: (file) => files[file] ?? '',
    list: (folder) => [
      ...new Set(
        Object.keys(files)
          .filter((file) => file.startsWith(folder + sep))
          .map((file) => file.slice(folder.length + 1).split(sep)[0]!),
      ),
    ],
  };
}
