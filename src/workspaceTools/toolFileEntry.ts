import type { Disposable } from '../base/disposable';
import type { Definition } from '../mcp/mcpServer';
import { errorMessage } from '../base/errors';
import * as l10n from '@vscode/l10n';
import { offer, type OfferOptions } from './offer';
import type { Offered, Wanted } from './offers';
import type { FilePlan } from './planFiles';
import { stubsOf, type StubReason } from './stubs';
import type { ToolFile, ToolFileFault, ToolFileState } from './toolFile';
import {
  type LoadedFile,
  type LoadRequest,
  ToolFileError,
  type ToolFileHost,
} from './toolFileHost';

/** A call is checked, and begins a moment later: so long an old version waits for one that comes, in ms. */
const LAST_CALL_MS = 1_000;

/** One version of a file's code, until its last call has ended. */
class Version {
  readonly #file: LoadedFile;
  #calls = 0;
  #isOld = false;
  #ending: NodeJS.Timeout | undefined;

  constructor(file: LoadedFile) {
    this.#file = file;
  }

  get file(): LoadedFile {
    return this.#file;
  }

  began(): Disposable {
    this.#calls += 1;
    return {
      dispose: () => {
        this.#calls -= 1;
        this.#end();
      },
    };
  }

  retire(): void {
    this.#isOld = true;
    this.#end();
  }

  /** Nothing of it may go on. */
  dispose(): void {
    clearTimeout(this.#ending);
    this.#file.dispose();
  }

  #end(): void {
    if (!this.#isOld || this.#calls > 0) return;
    this.#ending ??= setTimeout(() => {
      this.#ending = undefined;
      if (this.#calls === 0) this.#file.dispose();
    }, LAST_CALL_MS).unref();
  }
}

export interface EntryOptions extends Omit<OfferOptions, 'isAllowed' | 'life' | 'began'> {
  /** Absolute path of the tool file. */
  readonly path: string;
  readonly running: ((path: string) => Disposable) | undefined;
}

/** A tool file of a folder: which version of it runs, or why none does. */
export class ToolFileEntry {
  readonly file: string;
  readonly #options: EntryOptions;
  #isolation: 'host' | 'worker' = 'host';
  #state: ToolFileState = { kind: 'loading' };
  /** Of the file as a whole; those of single exports come with what is loaded and offered. */
  #fault: ToolFileFault | undefined;
  #offered: Offered = { offers: [], faults: [] };
  #version: Version | undefined;
  /** Those before it that are still offered. */
  #replaced: Version[] = [];
  /** Of all calls, also those that run in an earlier version. */
  #life = new AbortController();
  #stubs: { readonly reason: StubReason; readonly definitions: readonly Definition[] } | undefined;
  /** What the last version that was loaded offered: names for the stubs. */
  #known: readonly Definition[] = [];
  #sources: string | undefined;
  #loadedFiles: readonly string[] = [];
  /** The content that was loaded last, or tried. */
  #tried: string | undefined;
  #loading: AbortController | undefined;

  constructor(file: string, options: EntryOptions) {
    this.file = file;
    this.#options = options;
  }

  /**
   * Files that it was seen to load, besides those that its sources name.
   * @param sources the content of what these name; of another version it says nothing
   */
  alsoLoaded(sources: string): readonly string[] {
    return this.#sources === sources ? this.#loadedFiles : [];
  }
  get isFailed(): boolean {
    return this.#state.kind === 'failed';
  }
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  describe(relativePath = this.file): ToolFile {
    const faults = [
      ...(this.#fault === undefined ? [] : [this.#fault]),
      ...(this.#version?.file.faults ?? []),
      ...this.#offered.faults,
    ];
    const { path } = this.#options;
    return { path, relativePath, isolation: this.#isolation, state: this.#state, faults };
  }

  wanted(): Wanted {
    const { path } = this.#options;
    const version = this.#version;
    if (version === undefined) {
      const definitions = this.#stubs?.definitions ?? [];
      const all = definitions.map((definition) => ({ definition, wrap: () => definition }));
      const isGuess = this.#known.length === 0;
      return { file: this.file, path, isGuess, definitions: all };
    }
    const began = (): Disposable => this.#began(version);
    const life = (): AbortSignal => this.#life.signal;
    const definitions = version.file.definitions.map(({ definition, line }) => ({
      definition,
      line,
      wrap: (isAllowed: boolean) => offer(definition, { ...this.#options, isAllowed, life, began }),
    }));
    return { file: this.file, path, definitions };
  }

  offered(offered: Offered): void {
    this.#offered = offered;
    this.#retireReplaced();
    if (this.#version === undefined || this.isLoading) return;
    const { offers } = offered;
    this.#state = offers.length > 0 ? { kind: 'ready', offers } : { kind: 'failed' };
  }

  /** It is not as it was approved: a call that runs goes on, no other begins. */
  hold(plan: FilePlan, reason: StubReason, looped: ToolFileFault | undefined): void {
    this.#isolation = plan.isolation;
    this.#unload();
    this.#tried = undefined;
    this.#state = { kind: reason };
    this.#fault = looped ?? plan.fault;
    if (this.#stubs?.reason === reason) return;
    this.#stubs = { reason, definitions: stubsOf(this.file, reason, this.#known) };
  }

  fail(fault: ToolFileFault): void {
    this.#unload();
    this.#stubs = undefined;
    this.#tried = undefined;
    this.#state = { kind: 'failed' };
    this.#fault = fault;
  }

  /** Whether this content is neither what runs nor what was tried in vain. */
  isNew(key: string): boolean {
    return this.#tried !== key;
  }

  /**
   * Loads a new version. The one that ran before is offered until that is done, and its calls go on.
   * Never rejects.
   * @returns false when it was not needed any more at its end
   */
  async load(
    plan: FilePlan,
    key: string,
    host: ToolFileHost,
    request: Omit<LoadRequest, 'signal'>,
  ): Promise<boolean> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#tried = key;
    this.#isolation = plan.isolation;
    if (this.#version === undefined) this.#state = { kind: 'loading' };
    try {
      const loaded = await host.load({ ...request, signal: loading.signal });
      if (this.#loading !== loading) {
        loaded.dispose();
        return false;
      }
      if (this.#version !== undefined) this.#replaced.push(this.#version);
      this.#version = new Version(loaded);
      this.#known = loaded.definitions.map(({ definition }) => definition);
      this.#loadedFiles = loaded.loaded;
      this.#sources = undefined;
      this.#fault = undefined;
    } catch (error) {
      if (this.#loading !== loading) return false;
      this.#unload();
      this.#state = { kind: 'failed' };
      this.#fault = this.#faultOf(error);
    }
    this.#loading = undefined;
    this.#stubs = undefined;
    return true;
  }

  /**
   * @param sources the content of the files that its sources name
   * @param key the same with those that it was seen to load besides
   */
  loadedAs(sources: string, key?: string): void {
    this.#sources = sources;
    if (key !== undefined) this.#tried = key;
  }

  /** It is gone, or may not run any more: its calls end with these words for the model. */
  end(reason: string): void {
    const life = this.#life;
    this.#life = new AbortController();
    const versions = [...this.#replaced, this.#version];
    this.#unload();
    for (const version of versions) version?.dispose();
    life.abort(new Error(reason));
  }

  #unload(): void {
    this.#loading?.abort();
    this.#loading = undefined;
    this.#retireReplaced();
    this.#version?.retire();
    this.#version = undefined;
  }

  /** Not before the next one is offered: a call may come until then. */
  #retireReplaced(): void {
    for (const version of this.#replaced.splice(0)) version.retire();
  }

  #began(version: Version): Disposable {
    const call = version.began();
    const { path, running } = this.#options;
    const run = this.#isolation === 'host' ? running?.(path) : undefined;
    return {
      dispose: () => {
        call.dispose();
        run?.dispose();
      },
    };
  }

  #faultOf(error: unknown): ToolFileFault {
    if (error instanceof ToolFileError) return error.fault;
    const message = l10n.t('This file failed while it was loaded: {0}', errorMessage(error));
    return { kind: 'load', path: this.#options.path, message };
  }
}
