import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../base/disposable';
import { type HelperProcess, startHelper } from '../cli/helperProcess';
import { resolveRealPath } from '../workFiles/realPath';

/** Without an answer by then nothing counts as ignored. */
const WITHIN_MS = 3_000;
/** As arguments: more than this would be too long for Windows. */
const AT_ONCE = 150;
/** How long an answer holds, in milliseconds. */
const KEPT_MS = 60_000;

/** Git's exit code for what it cannot answer. */
const GIT_REFUSES = 128;

export interface GitIgnoredOptions {
  /** False where no program may be started in the folder. */
  readonly mayRun: () => boolean;
  readonly env: () => Readonly<Record<string, string>>;
  readonly now: () => number;
  /** How long git may take for one question, in milliseconds; 3 s by default. */
  readonly withinMs?: number;
}

/** Undefined where git does not tell: no repository, no git, no answer in time. */
type Verdict = boolean | undefined;
/** Names those of the given files that it ignores, or that it tracks. */
type Question = 'check-ignore' | 'ls-files';

/** Which files of a folder git leaves out, and which it tracks. Asked for few at a time, and remembered. */
export class GitIgnored implements Disposable {
  readonly #options: GitIgnoredOptions;
  /** By question and file. */
  readonly #known = new Map<string, { readonly at: number; readonly verdict: Verdict }>();
  readonly #running = new Set<HelperProcess>();

  constructor(options: GitIgnoredOptions) {
    this.#options = options;
  }

  /** Those of the absolute paths that git does not ignore, in their order. Never rejects. */
  async without(folder: string, files: readonly string[]): Promise<readonly string[]> {
    const ignored = await this.verdicts(folder, files);
    return files.filter((file) => ignored.get(file) !== true);
  }

  /** By absolute path, whether git ignores the file. Never rejects. */
  verdicts(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, Verdict>> {
    return this.#answers('check-ignore', folder, files);
  }

  /** The same for whether it tracks the file: one that it does not ignore may still be new to it. */
  tracked(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, Verdict>> {
    return this.#answers('ls-files', folder, files);
  }

  forget(): void {
    this.#known.clear();
  }

  dispose(): void {
    for (const helper of this.#running) helper.end();
  }

  async #answers(
    question: Question,
    folder: string,
    files: readonly string[],
  ): Promise<ReadonlyMap<string, Verdict>> {
    const { mayRun, now } = this.#options;
    if (!mayRun()) return new Map();
    const since = now() - KEPT_MS;
    const keyOf = (file: string): string => `${question} ${file}`;
    const fresh = files.filter((file) => (this.#known.get(keyOf(file))?.at ?? -Infinity) < since);
    for (let start = 0; start < fresh.length; start += AT_ONCE) {
      const some = fresh.slice(start, start + AT_ONCE);
      const answers = await this.#ask(question, folder, some);
      for (const file of some) {
        this.#known.set(keyOf(file), { at: now(), verdict: answers.get(file) });
      }
    }
    return new Map(files.map((file) => [file, this.#known.get(keyOf(file))?.verdict]));
  }

  async #ask(
    question: Question,
    folder: string,
    files: readonly string[],
  ): Promise<ReadonlyMap<string, Verdict>> {
    // Of a repository below, and of what is behind a link, it names none, and does not say so.
    if (question === 'ls-files') return this.#askRepositories(question, files);
    const named = await this.#run(question, folder, [folder, ...files]);
    // One file of a submodule or behind a link, or a folder that only holds repositories, and git
    // says nothing of all of them. Each repository is then asked by itself.
    if (named === 'refused') return this.#askRepositories(question, files);
    // A folder that a repository around it ignores was opened on purpose.
    if (named?.has(path.resolve(folder)) === true) return new Map();
    return verdictsOf(files, named);
  }

  /** Of each repository by itself: git is started once for all of its files. */
  async #askRepositories(
    question: Question,
    files: readonly string[],
  ): Promise<ReadonlyMap<string, Verdict>> {
    const repositories = new Map<string, Map<string, string>>();
    const folders = new Map<string, Folder>();
    for (const file of files) {
      const parent = path.dirname(file);
      const folder = folders.get(parent) ?? (await lookAtFolder(parent));
      folders.set(parent, folder);
      const real = path.join(folder.real, path.basename(file));
      const known = repositories.get(folder.repository) ?? new Map<string, string>();
      repositories.set(folder.repository, known.set(file, real));
    }
    const all = new Map<string, Verdict>();
    for (const [repository, reals] of repositories) {
      const names = [...reals.values()].map((real) => path.relative(repository, real));
      const named = await this.#run(question, repository, names);
      const told = named === 'refused' ? undefined : named;
      for (const [file, real] of reals) all.set(file, told?.has(real));
    }
    return all;
  }

  /** Those of the files that git names; `refused` where it does not answer for all of them. */
  #run(
    question: Question,
    folder: string,
    files: readonly string[],
  ): Promise<ReadonlySet<string> | 'refused' | undefined> {
    return new Promise((resolve) => {
      let out = '';
      // Nothing that a repository's configuration names is run.
      const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
      // A name is not a pattern; git knows no other meaning of it where it is asked what it ignores.
      const literal = question === 'ls-files' ? ['--literal-pathspecs'] : [];
      const args = ['-C', folder, ...safe, ...literal, question, '--', ...files];
      let helper: HelperProcess;
      try {
        helper = startHelper('git', args, { env: this.#options.env(), cwd: folder });
      } catch {
        resolve(undefined);
        return;
      }
      this.#running.add(helper);
      const settle = (code?: number | null): void => {
        clearTimeout(timer);
        this.#running.delete(helper);
        const lines = out.split('\n').filter((line) => line !== '');
        const named = new Set(lines.map((line) => path.resolve(folder, plainName(line))));
        if (code === GIT_REFUSES) resolve('refused');
        else resolve(typeof code === 'number' ? named : undefined);
      };
      const timer = setTimeout(() => {
        helper.end();
        settle();
      }, this.#options.withinMs ?? WITHIN_MS);
      helper.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
      });
      helper.child.once('error', () => settle());
      helper.child.once('close', settle);
    });
  }
}

interface Folder {
  /** Where its links lead: git names nothing behind one. */
  readonly real: string;
  /** The innermost folder with a `.git` around it, or itself. */
  readonly repository: string;
}

async function lookAtFolder(folder: string): Promise<Folder> {
  const real = await resolveRealPath(folder);
  for (let at = real; ; at = path.dirname(at)) {
    const isOne = await access(path.join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isOne) return { real, repository: at };
    if (path.dirname(at) === at) return { real, repository: real };
  }
}

function verdictsOf(
  files: readonly string[],
  named: ReadonlySet<string> | undefined,
): ReadonlyMap<string, Verdict> {
  return new Map(files.map((file) => [file, named?.has(file)]));
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/** Git quotes a name that holds a quote or a control character. Only its input could do without. */
function plainName(line: string): string {
  if (!line.startsWith('"') || !line.endsWith('"')) return line;
  return line
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/gu, (_whole, code: string) =>
      code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : (LETTERS[code] ?? code),
    );
}
