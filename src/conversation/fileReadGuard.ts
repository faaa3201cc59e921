import { realpath } from 'node:fs/promises';
import { askRarely } from '../base/askRarely';
import { configFolder } from '../cli/configFolder';
import { readFiledRules, type RuleFilesOptions } from '../cli/ruleFiles';
import {
  compileReadRules,
  compileWriteRules,
  isEditRule,
  isReadRule,
  type ReadDenied,
  type ReadRule,
} from '../rules/readRules';
import { resolveRealPaths } from '../workFiles/realPath';

/** How long one call of a tool holds to what it has read of rules and folders, in milliseconds. */
export const HELD_MS = 1_000;

export interface FileReadGuardPorts {
  /** The folders of the window, absolute. */
  readonly roots: () => readonly string[];
  /** Where a CLI that is started now looks for its settings. */
  readonly where: () => Omit<RuleFilesOptions, 'folder'>;
  /** Rules that running agents were given besides. */
  readonly running?: () => Promise<readonly ReadRule[]>;
  /** Milliseconds of a clock that is not put back. */
  readonly now?: () => number;
}

/**
 * The rules against reading and writing that stand in the settings files, for what is asked
 * outside of a conversation. A rule of one folder counts in all of the window: what is forbidden in any
 * conversation is not given out by the editor.
 */
export class FileReadGuard {
  readonly #ports: FileReadGuardPorts;
  #key = '';
  #compiled: Compiled = { read: undefined, write: undefined };

  constructor(ports: FileReadGuardPorts) {
    this.#ports = ports;
  }

  /** Those of the files that a rule forbids, with the rule. */
  async denied(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#deniedBy('read', files, () => this.#rules());
  }

  /** The same of writing: rules of `Edit`, and those of `Read`. */
  async deniedWrites(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#deniedBy('write', files, () => this.#rules());
  }

  /**
   * The same for one call of a tool, which asks when it begins and again when a language server has
   * answered: the rules are read once, and anew where that took long.
   */
  forOneCall(): Pick<FileReadGuard, 'denied' | 'deniedWrites'> {
    const rules = askRarely(HELD_MS, () => this.#rules(), this.#ports.now);
    return {
      denied: (files) => this.#deniedBy('read', files, rules),
      deniedWrites: (files) => this.#deniedBy('write', files, rules),
    };
  }

  async #deniedBy(
    kind: keyof Compiled,
    files: readonly string[],
    rules: () => Promise<Compiled>,
  ): Promise<ReadonlyMap<string, string>> {
    // Links are looked for while the rules are read, where rules are to be expected.
    const early = this.#compiled[kind] && resolveRealPaths(files);
    const denied = (await rules())[kind];
    return denied ? deniedOf(files, denied, await (early ?? resolveRealPaths(files))) : new Map();
  }

  /** Read anew each time, which is four small files, and compiled only when they have changed. */
  async #rules(): Promise<Compiled> {
    const where = this.#ports.where();
    const { home, platform } = where;
    const roots = this.#ports.roots();
    const folders = roots.length === 0 ? [undefined] : roots;
    const [running = [], ...read] = await Promise.all([
      this.#ports.running?.(),
      ...folders.map((folder) => readFiledRules({ ...where, folder })),
    ]);
    const filed = read.flatMap((one) =>
      one.rules.filter(({ behavior, text }) => behavior === 'deny' && isFileRule(text)),
    );
    // An agent lists those of its files as well: of two that are one, the first is kept.
    const rules = [
      ...new Map(
        [...filed, ...running].map(({ text, source }) => [`${source} ${text}`, { text, source }]),
      ).values(),
    ];
    const key = JSON.stringify([roots, home, rules]);
    if (key === this.#key) return this.#compiled;
    const cwds = (await Promise.all(roots.map(bothPaths))).flat();
    const homes = await bothPaths(home);
    const worlds = (cwds.length === 0 ? [home] : cwds).flatMap((cwd) => {
      const own = { configFolder: configFolder({ ...where, folder: cwd }), platform };
      return homes.map((one) => ({ ...own, cwd, home: one }));
    });
    this.#compiled =
      rules.length === 0
        ? { read: undefined, write: undefined }
        : { read: compileReadRules(rules, worlds), write: compileWriteRules(rules, worlds) };
    this.#key = key;
    return this.#compiled;
  }
}

interface Compiled {
  readonly read: ReadDenied | undefined;
  readonly write: ReadDenied | undefined;
}

function deniedOf(
  files: readonly string[],
  denied: ReadDenied,
  reals: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap((file) => {
      const real = reals.get(file) ?? file;
      const text = denied(real === file ? [file] : [file, real])?.text;
      return text === undefined ? [] : [[file, text] as const];
    }),
  );
}

/** Says something about reading or writing files. */
function isFileRule(text: string): boolean {
  return isReadRule(text) || isEditRule(text);
}

/** As it is written, and where it leads. */
export async function bothPaths(file: string): Promise<readonly string[]> {
  const real = await realpath(file).catch(() => file);
  return real === file ? [file] : [file, real];
}
