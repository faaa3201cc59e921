import path from 'node:path';
import { askRarely } from '../base/askRarely';
import { HELD_MS } from '../conversation/fileReadGuard';
import { createIgnore, type IgnoredBy } from '../editor/ignoreGlobs';
import { LINK_OUT } from '../editor/keptBackReasons';
import { secretKind } from '../editor/secretFiles';
import { isPlainName, type PathShape, segmentsBelow, shapePath } from '../rules/pathShape';
import { resolveRealPath, resolveRealPaths } from '../workFiles/realPath';
import type { GitIgnored } from './gitIgnored';

export interface KeptBackPorts {
  /** The folders of the window, absolute. */
  readonly roots: () => readonly string[];
  /** `patchbay.ignore`, as it is now. */
  readonly globs: () => readonly string[];
  readonly git: Pick<GitIgnored, 'verdicts' | 'tracked'>;
  readonly platform: NodeJS.Platform;
}

interface Root {
  readonly path: string;
  readonly shape: PathShape;
}

/** A file below a root: as it is written, or where its links lead. */
interface Place {
  readonly file: string;
  readonly root: Root;
  /** Below the root, `/` between. */
  readonly below: string;
}

interface Looked {
  readonly file: string;
  readonly places: readonly Place[];
  readonly leadsOut: boolean;
}

/**
 * What the editor's tools give nothing of although no rule of the agent says so: what the person's
 * setting names, secrets, and links out of the workspace. Links are followed.
 */
export class KeptBackFiles {
  readonly #ports: KeptBackPorts;
  #globs = '';
  #ignored: IgnoredBy = () => undefined;

  constructor(ports: KeptBackPorts) {
    this.#ports = ports;
  }

  /** By file, why it is kept back, to be followed by its path. Absolute paths. */
  withheld(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#withheld(files, () => this.#roots());
  }

  /** The same for one call of a tool, which asks more than once: the roots are looked for once. */
  forOneCall(): Pick<KeptBackFiles, 'withheld'> {
    const roots = askRarely(HELD_MS, () => this.#roots());
    return { withheld: (files) => this.#withheld(files, roots) };
  }

  async #withheld(
    files: readonly string[],
    roots: () => Promise<readonly Root[]>,
  ): Promise<ReadonlyMap<string, string>> {
    const looked = await this.#lookAt(files, roots);
    const secrets = await this.#secrets(looked.flatMap(({ places }) => places));
    const ignored = this.#ignoredBy();
    return new Map(
      looked.flatMap(({ file, places, leadsOut }) => {
        // The first two also forbid to write through such a link.
        const reason =
          ignoredReason(places, ignored) ??
          secretReason(places, secrets) ??
          (leadsOut ? LINK_OUT : undefined);
        return reason === undefined ? [] : [[file, reason] as const];
      }),
    );
  }

  /** The glob of the person's setting that covers a file or what it leads to. Absolute path. */
  async ignoredBySetting(file: string): Promise<string | undefined> {
    const looked = await this.#lookAt([file], () => this.#roots());
    const places = looked.flatMap((one) => one.places);
    return ignoringGlob(places, this.#ignoredBy());
  }

  /** By their names, and where their links lead. */
  async #roots(): Promise<readonly Root[]> {
    const written = this.#ports.roots();
    const real = await Promise.all(written.map(resolveRealPath));
    return [...new Set([...written, ...real])].map((each) => ({
      path: each,
      shape: shapePath(each, this.#ports.platform),
    }));
  }

  async #lookAt(
    files: readonly string[],
    rootsNow: () => Promise<readonly Root[]>,
  ): Promise<readonly Looked[]> {
    const [reals, roots] = await Promise.all([resolveRealPaths(files), rootsNow()]);
    const find = createPlaceFinder(roots, this.#ports.platform);
    return files.map((file) => {
      const places = find(file);
      const real = reals.get(file) ?? file;
      if (real === file) return { file, places, leadsOut: false };
      const behind = find(real);
      // A file that lies outside by its name is not ours to judge: whoever asks knows that.
      const leadsOut = places.length > 0 && behind.length === 0;
      return { file, places: [...places, ...behind], leadsOut };
    });
  }

  #ignoredBy(): IgnoredBy {
    const globs = this.#ports.globs();
    const key = JSON.stringify(globs);
    if (key !== this.#globs) {
      this.#globs = key;
      this.#ignored = createIgnore(globs, this.#ports.platform !== 'linux');
    }
    return this.#ignored;
  }

  /** Git is asked of few files: those whose names are those of secrets. */
  async #secrets(places: readonly Place[]): Promise<ReadonlySet<string>> {
    const byRoot = new Map<string, string[]>();
    const seen = new Set<string>();
    for (const { file, root } of places) {
      if (seen.has(file) || secretKind(path.basename(file)) === undefined) continue;
      seen.add(file);
      byRoot.set(root.path, [...(byRoot.get(root.path) ?? []), file]);
    }
    const answers = await Promise.all(
      [...byRoot].map(([root, some]) => this.#secretsOf(root, some)),
    );
    return new Set(answers.flat());
  }

  /** What git does not tell it does not track, and does not ignore. */
  async #secretsOf(root: string, files: readonly string[]): Promise<readonly string[]> {
    const { git } = this.#ports;
    const environment = files.filter((file) => secretKind(path.basename(file)) === 'environment');
    const keys = files.filter((file) => !environment.includes(file));
    const [tracked, ignored] = await Promise.all([
      git.tracked(root, environment),
      git.verdicts(root, keys),
    ]);
    return [
      ...environment.filter((file) => tracked.get(file) !== true),
      ...keys.filter((file) => ignored.get(file) === true),
    ];
  }
}

function ignoredReason(places: readonly Place[], ignored: IgnoredBy): string | undefined {
  const glob = ignoringGlob(places, ignored);
  return glob && `the person's setting patchbay.ignore (${glob}) keeps back`;
}

function ignoringGlob(places: readonly Place[], ignored: IgnoredBy): string | undefined {
  for (const { below } of places) {
    const glob = ignored(below);
    if (glob !== undefined) return glob;
  }
  return undefined;
}

function secretReason(places: readonly Place[], secrets: ReadonlySet<string>): string | undefined {
  const isOne = places.some(({ file }) => secrets.has(file));
  return isOne ? 'a file of secrets that is not in git:' : undefined;
}

/** Looks for the places of a folder once for those of its files that come one after the other. */
function createPlaceFinder(
  roots: readonly Root[],
  platform: NodeJS.Platform,
): (file: string) => readonly Place[] {
  const rootNames = new Set(roots.map(({ path: root }) => path.basename(root).toLowerCase()));
  let last: { readonly folder: string; readonly places: readonly Place[] } | undefined;
  return (file) => {
    const name = path.basename(file);
    const folder = file.slice(0, -name.length);
    // A root lies in another folder than its files.
    if (!isPlainName(name) || !file.endsWith(name) || rootNames.has(name.toLowerCase())) {
      return placesOf(file, roots, platform);
    }
    if (last?.folder !== folder) last = { folder, places: placesOf(folder, roots, platform) };
    const own = platform === 'linux' ? name : name.toLowerCase();
    return last.places.map(({ root, below }) => ({
      file,
      root,
      below: below === '' ? own : `${below}/${own}`,
    }));
  };
}

/** Below each root that it lies in, the innermost first: a glob may be meant for an outer one. */
function placesOf(
  file: string,
  roots: readonly Root[],
  platform: NodeJS.Platform,
): readonly Place[] {
  const shape = shapePath(file, platform);
  const places = roots.flatMap((root) => {
    const below = segmentsBelow(shape, root.shape);
    return below === undefined ? [] : [{ file, root, below: below.join('/') }];
  });
  return places.sort((a, b) => b.root.shape.segments.length - a.root.shape.segments.length);
}
