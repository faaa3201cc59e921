import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable';
import { Approvals } from './approvals';
import {
  compiledModules,
  compiledSources,
  type CompilingTools,
  takeCompiled,
} from './compiledSources';
import { CompiledStore } from './compiledStore';
import { FolderQuestion } from './folderQuestion';
import { Offers } from './offers';
import { OwnSaves, type SavedFiles } from './ownSaves';
import { contentKey, type FilePlan, planFiles } from './planFiles';
import type { ResultStore } from './resultStore';
import type { Compiled } from './sourceCompiler';
import { EMPTY_SNAPSHOT, readSnapshot, shaOf, shaOnDisk, type Snapshot } from './snapshot';
import type { FolderHold, ToolFileFault, ToolFolder } from './toolFile';
import { ToolFileEntry } from './toolFileEntry';
import type { ToolFileHost } from './toolFileHost';
import { absolutePath, isToolFile, relativePath } from './toolFilePaths';
import type { WorkspaceToolsPorts, WrittenFile } from './workspaceToolsPorts';

export interface FolderToolsOptions {
  readonly ports: WorkspaceToolsPorts;
  /** Absolute path of the workspace folder. */
  readonly folder: string;
  readonly server: string;
  readonly results: ResultStore;
  /** Loads what compiles and runs: on first use, since most workspaces have no tool files. */
  readonly tools: () => Promise<CompilingTools>;
  readonly changed: () => void;
}

/** A burst of changes on the disk is looked at once: after this much quiet, in milliseconds, */
const QUIET_MS = 60;
/** but not later than this. */
const LATEST_MS = 250;
/** Files that are loaded together are offered together, if they take no longer than this. */
const GATHERED_MS = 20;
const WITHDRAWN = "Stopped: the person took back the approval of the tool's file";
const CLOSED = 'Stopped: the tool files of this workspace folder are not used any more';

/** The tool files of one workspace folder: found, asked about, loaded, offered. */
export class FolderTools implements Disposable {
  readonly #options: FolderToolsOptions;
  readonly #approvals: Approvals;
  readonly #compiled: CompiledStore;
  readonly #question: FolderQuestion;
  readonly #offers: Offers;
  readonly #entries = new Map<string, ToolFileEntry>();
  readonly #loads = new Set<Promise<void>>();
  readonly #ownSaves = new OwnSaves();
  /** Files that were written since the last round: what had failed is tried again. */
  readonly #touched = new Set<string>();
  readonly #looped = new Set<string>();
  #snapshot: Snapshot = EMPTY_SNAPSHOT;
  #tools: CompilingTools | undefined;
  #ready: Promise<void> | undefined;
  #round: Promise<void> | undefined;
  #isWanted = false;
  #isQuiet = false;
  /** Something may be approved, or installed, now that an import had failed for. */
  #triesAgain = false;
  #offering: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | undefined;
  #isDisposed = false;

  constructor(options: FolderToolsOptions) {
    this.#options = options;
    const { ports, folder, server } = options;
    this.#approvals = new Approvals(ports.approvalsFolder, folder, ports.log);
    this.#compiled = new CompiledStore(this.#approvals.homeOf('compiled'), ports.log);
    this.#question = new FolderQuestion({
      folder,
      server,
      approvals: this.#approvals,
      hasLooped: (file) => this.#looped.has(file),
      ports,
      answered: () => {
        void this.tryAgain();
      },
    });
    this.#offers = new Offers({
      log: ports.log,
      registry: ports.registry,
      server,
      isAllowed: ports.isAllowed,
    });
  }

  describe(): ToolFolder {
    const { folder, server } = this.#options;
    const files = [...this.#entries.values()].map((entry) => entry.describe());
    const own = new Set(files.map((file) => file.path));
    const faults = this.#snapshot.faults.filter((fault) => !own.has(fault.path));
    return { path: folder, server, hold: this.#hold(), files, faults };
  }

  /** Looks at everything anew; what has not changed stays as it is. Never rejects. */
  update(): Promise<void> {
    this.#isWanted = true;
    return (this.#round ??= this.#rounds());
  }

  /** Resolves when nothing is being read or loaded. */
  async settled(): Promise<void> {
    do {
      if (this.#timer !== undefined) this.#now();
      await this.#round;
      await Promise.all(this.#loads);
      await this.#question.prepared();
      await this.#approvals.kept();
      await this.#compiled.kept();
    } while (this.#round !== undefined || this.#loads.size > 0 || this.#timer !== undefined);
  }

  changedOnDisk(path: string): void {
    const file = relativePath(this.#options.folder, path);
    if (file === undefined) return;
    this.#touched.add(file);
    this.#firstChange ??= Date.now();
    const left = LATEST_MS - (Date.now() - this.#firstChange);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(), Math.max(0, Math.min(QUIET_MS, left)));
  }

  expectChange(path: string): void {
    const file = relativePath(this.#options.folder, path);
    const text = file === undefined ? undefined : this.#snapshot.files.get(file)?.text;
    if (text === undefined || !/\.[cm]?[jt]s$/.test(path)) return;
    try {
      this.#tools?.compiler.prepare(path, text);
    } catch (error) {
      this.#options.ports.log.error('What compiles tool files cannot be loaded', error);
    }
  }

  willSave(path: string): void {
    const file = relativePath(this.#options.folder, path);
    if (file !== undefined) this.#ownSaves.willSave(file, shaOnDisk(path));
  }

  saved(path: string, text: string | undefined): void {
    const file = relativePath(this.#options.folder, path);
    if (file === undefined) return;
    this.#touched.add(file);
    if (text !== undefined) this.#ownSaves.saved(file, text);
    void this.update();
  }

  async wrote(files: readonly WrittenFile[]): Promise<void> {
    await (this.#ready ??= this.#approvals.load());
    for (const { path, text } of files) {
      const file = relativePath(this.#options.folder, path);
      if (file === undefined) continue;
      this.#approvals.approve(file, shaOf(text), text);
      this.#touched.add(file);
    }
    await this.#approvals.save();
    await this.update();
  }

  /** What had failed as well, though nothing of it has changed. */
  tryAgain(): Promise<void> {
    this.#triesAgain = true;
    return this.update();
  }

  async askAgain(): Promise<void> {
    await (this.#ready ??= this.#approvals.load());
    this.#approvals.forgetRefusals();
    this.#question.again();
    await this.tryAgain();
  }

  async withdraw(): Promise<void> {
    await (this.#ready ??= this.#approvals.load());
    this.#approvals.forgetAll();
    for (const entry of this.#entries.values()) entry.end(WITHDRAWN);
    this.#isQuiet = true;
    await this.#approvals.save();
    await this.update();
  }

  async looped(path: string): Promise<void> {
    const file = relativePath(this.#options.folder, path);
    if (file === undefined) return;
    await (this.#ready ??= this.#approvals.load());
    this.#approvals.forget(file);
    this.#looped.add(file);
    this.#entries.get(file)?.end(WITHDRAWN);
    await this.#approvals.save();
    await this.update();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#compiled.dispose();
    this.#close();
  }

  #hold(): FolderHold {
    const { ports, folder } = this.#options;
    if (!ports.isTrusted()) return 'untrusted';
    return ports.isEnabled(folder) ? undefined : 'switchedOff';
  }

  #now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firstChange = undefined;
    void this.update();
  }

  async #rounds(): Promise<void> {
    while (this.#isWanted && !this.#isDisposed) {
      this.#isWanted = false;
      try {
        await this.#look();
      } catch (error) {
        this.#options.ports.log.error(`The tool files of ${this.#options.folder}`, error);
      }
      this.#options.changed();
    }
    this.#round = undefined;
  }

  /** Asked before and after everything that takes time: trust can be taken back at any moment. */
  #mayGoOn(): boolean {
    if (!this.#isDisposed && this.#hold() === undefined) return true;
    this.#close();
    return false;
  }

  async #look(): Promise<void> {
    if (!this.#mayGoOn()) return;
    const { folder, tools } = this.#options;
    await (this.#ready ??= this.#approvals.load());
    const touched = new Set(this.#touched);
    this.#touched.clear();
    const saved = this.#ownSaves.take();
    const snapshot = await readSnapshot(folder, this.#snapshot);
    if (!this.#mayGoOn()) return;
    const hasTools = [...snapshot.files.keys()].some(isToolFile);
    const loaded = hasTools ? await tools() : undefined;
    this.#tools ??= loaded;
    if (loaded !== undefined) await takeCompiled(this.#compiled, folder, snapshot, loaded);
    const mayGoOn = (): boolean => this.#mayGoOn();
    const plans =
      loaded === undefined ? [] : await planFiles(folder, snapshot, loaded.compiler, mayGoOn);
    if (plans === undefined || !this.#mayGoOn()) return;
    this.#take(snapshot, saved);
    // What loops or ends the process as it is loaded must not cost the others their approval.
    await this.#approvals.kept();
    if (!this.#mayGoOn()) return;
    loaded?.compiler.forget((path) => {
      const file = relativePath(folder, path);
      return file !== undefined && !snapshot.files.has(file);
    });
    this.#removeGone(snapshot);
    for (const fault of snapshot.faults) this.#faulty(fault);
    for (const plan of plans) this.#follow(plan, touched);
    this.#triesAgain = false;
    this.#offer();
    this.#ask(plans);
    this.#keepCompiled();
  }

  /** For later windows, and of approved texts alone. After all loads: what they import counts too. */
  #keepCompiled(): void {
    if (this.#loads.size > 0) return;
    if (this.#tools !== undefined) {
      const { folder } = this.#options;
      const { compiler } = this.#tools;
      this.#compiled.set(compiledSources(folder, this.#snapshot, this.#approvals, compiler));
      void compiler.keep();
    } else if (!this.#approvals.isEmpty) {
      // There were tool files once.
      this.#compiled.set([]);
    }
  }

  /** Takes what the person saved as approved, where what was there before was. */
  #take(snapshot: Snapshot, saved: SavedFiles): void {
    this.#ownSaves.changed(this.#snapshot, snapshot);
    this.#snapshot = snapshot;
    let isNew = false;
    for (const [file, one] of saved) {
      const now = snapshot.files.get(file);
      const before = this.#ownSaves.before(file, one);
      if (now === undefined || before === undefined) continue;
      if (!one.texts.has(now.sha)) this.#ownSaves.join(file, one);
      else if (this.#approvals.isApproved(file, before)) {
        this.#approvals.approve(file, now.sha, now.text);
        isNew = true;
      }
    }
    if (isNew) void this.#approvals.save();
  }

  #removeGone({ files, faults }: Snapshot): void {
    const faulty = new Set(faults.map(({ path }) => path));
    for (const [file, entry] of this.#entries) {
      if (files.has(file) || faulty.has(absolutePath(this.#options.folder, file))) continue;
      entry.end(`Stopped: the tool's file ${file} was removed`);
      this.#entries.delete(file);
    }
  }

  #faulty(fault: ToolFileFault): void {
    const file = relativePath(this.#options.folder, fault.path);
    if (file === undefined || !isToolFile(file)) return;
    this.#entry(file).fail(fault);
  }

  #follow(plan: FilePlan, touched: ReadonlySet<string>): void {
    const { file } = plan;
    const entry = this.#entry(file);
    const sources = contentKey(plan.closure, this.#snapshot);
    const needs = [...plan.closure, ...entry.alsoLoaded(sources)];
    const reason = this.#reason(needs);
    if (reason !== undefined) {
      entry.hold(plan, reason, this.#loopFault(file));
      return;
    }
    this.#looped.delete(file);
    const key = contentKey(needs, this.#snapshot);
    const again = entry.isFailed && (this.#triesAgain || needs.some((one) => touched.has(one)));
    if (!entry.isNew(key) && !again) return;
    const where = plan.isolation === 'worker' ? this.#options.ports.worker : this.#tools?.host;
    if (where === undefined) entry.fail(noWorker(absolutePath(this.#options.folder, file)));
    else this.#load(entry, plan, key, where);
  }

  /** Why a file that needs these may not run. */
  #reason(needs: readonly string[]): 'needsApproval' | 'refused' | undefined {
    let reason: 'needsApproval' | 'refused' | undefined;
    for (const file of needs) {
      const sha = this.#snapshot.files.get(file)?.sha;
      if (sha === undefined || this.#approvals.isApproved(file, sha)) continue;
      if (this.#approvals.isRefused(file, sha)) return 'refused';
      reason = 'needsApproval';
    }
    return reason;
  }

  #load(entry: ToolFileEntry, plan: FilePlan, key: string, host: ToolFileHost): void {
    const { folder } = this.#options;
    const snapshot = this.#snapshot;
    const sources = this.#sources();
    const compiled =
      this.#tools === undefined
        ? new Map<string, Compiled>()
        : compiledModules(folder, plan.closure, sources, this.#tools.compiler);
    const request = { folder, file: plan.file, sources, compiled };
    const work = entry.load(plan, key, host, request).then((isNeeded) => {
      this.#loads.delete(work);
      if (!isNeeded || this.#isDisposed) return;
      const content = contentKey(plan.closure, snapshot);
      entry.loadedAs(content);
      entry.loadedAs(
        content,
        contentKey([...plan.closure, ...entry.alsoLoaded(content)], snapshot),
      );
      this.#offerSoon();
    });
    this.#loads.add(work);
  }

  #sources(): ReadonlyMap<string, string> {
    const sources = new Map<string, string>();
    for (const [file, { sha, text }] of this.#snapshot.files) {
      if (text !== undefined && this.#approvals.isApproved(file, sha)) sources.set(file, text);
    }
    return sources;
  }

  /** At once with the last of several loads; one that never ends must not hold the others. */
  #offerSoon(): void {
    clearTimeout(this.#offering);
    this.#offering = undefined;
    if (this.#loads.size === 0) {
      this.#offer();
      this.#keepCompiled();
    } else this.#offering = setTimeout(() => this.#offer(), GATHERED_MS);
  }

  #offer(): void {
    if (this.#isDisposed || this.#hold() !== undefined) return;
    const entries = [...this.#entries.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
    const offered = this.#offers.set(entries.map((entry) => entry.wanted()));
    for (const [index, entry] of entries.entries()) {
      const one = offered[index];
      if (one !== undefined) entry.offered(one);
    }
    this.#options.changed();
  }

  #ask(plans: readonly FilePlan[]): void {
    const packages = new Set(plans.flatMap((plan) => plan.packages));
    const files = new Set(plans.flatMap((plan) => plan.closure));
    this.#question.put(this.#snapshot, { files, packages: [...packages].sort() }, this.#isQuiet);
    this.#isQuiet = false;
  }

  #entry(file: string): ToolFileEntry {
    const known = this.#entries.get(file);
    if (known !== undefined) return known;
    const { ports, folder, results } = this.#options;
    const entry = new ToolFileEntry(file, {
      path: absolutePath(folder, file),
      limits: ports.limits,
      running: ports.running,
      keep: (conversation, tool) => (content, ending) =>
        results.keep(conversation, tool, content, ending),
    });
    this.#entries.set(file, entry);
    return entry;
  }

  #loopFault(file: string): ToolFileFault | undefined {
    if (!this.#looped.has(file)) return undefined;
    const path = absolutePath(this.#options.folder, file);
    const message = l10n.t(
      'This file ran for ever and held up the editor, so its approval was taken back. Mend it, then approve it.',
    );
    return { kind: 'looped', path, message };
  }

  /** Nothing of the folder is used: untrusted, switched off, or gone. */
  #close(): void {
    clearTimeout(this.#offering);
    this.#question.close();
    for (const entry of this.#entries.values()) entry.end(CLOSED);
    this.#entries.clear();
    this.#snapshot = EMPTY_SNAPSHOT;
    this.#ownSaves.forget();
    this.#offers.dispose();
  }
}

function noWorker(path: string): ToolFileFault {
  const message = l10n.t("Files with isolation: 'worker' cannot run here.");
  return { kind: 'load', path, message };
}
