import { realpath } from 'node:fs/promises';
import { configFolder, readRuleFiles, type RuleFilesOptions } from '../cli/ruleFiles';
import { compileReadRules, isReadRule, type ReadDenied } from '../rules/readRules';

export interface FileReadGuardPorts {
  /** The folders of the window, absolute. */
  readonly roots: () => readonly string[];
  /** Where a CLI that is started now looks for its settings. */
  readonly where: () => Omit<RuleFilesOptions, 'folder'>;
}

/**
 * The rules against reading that stand in the settings files, for what is asked outside of a
 * conversation. A rule of one folder counts in all of the window: what is forbidden in any
 * conversation is not given out by the editor.
 */
export class FileReadGuard {
  readonly #ports: FileReadGuardPorts;
  #key = '';
  #denied: ReadDenied | undefined;

  constructor(ports: FileReadGuardPorts) {
    this.#ports = ports;
  }

  /** Those of the files that a rule forbids, with the rule. */
  async denied(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const denied = await this.#rules();
    if (denied === undefined) return found;
    await Promise.all(
      files.map(async (file) => {
        const rule = denied(await bothPaths(file));
        if (rule) found.set(file, rule.text);
      }),
    );
    return found;
  }

  /** Read anew each time, which is four small files, and compiled only when they have changed. */
  async #rules(): Promise<ReadDenied | undefined> {
    const where = this.#ports.where();
    const { home, platform } = where;
    const roots = this.#ports.roots();
    const folders = roots.length === 0 ? [undefined] : roots;
    const read = await Promise.all(folders.map((folder) => readRuleFiles({ ...where, folder })));
    const rules = read.flatMap((one) =>
      one.rules.filter(({ behavior, text }) => behavior === 'deny' && isReadRule(text)),
    );
    const key = JSON.stringify([roots, home, rules]);
    if (key === this.#key) return this.#denied;
    const cwds = (await Promise.all(roots.map(bothPaths))).flat();
    const homes = await bothPaths(home);
    const own = configFolder(where);
    const worlds = (cwds.length === 0 ? [home] : cwds).flatMap((cwd) =>
      homes.map((one) => ({ cwd, home: one, configFolder: own, platform })),
    );
    this.#denied = rules.length === 0 ? undefined : compileReadRules(rules, worlds);
    this.#key = key;
    return this.#denied;
  }
}

/** As it is written, and where it leads. */
export async function bothPaths(file: string): Promise<readonly string[]> {
  const real = await realpath(file).catch(() => file);
  return real === file ? [file] : [file, real];
}
