import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  type Uri,
} from 'vscode';

/** Of the documents in which plans are read, edited and commented. */
export const PLAN_SCHEME = 'patchbay-plan';

/** Where the plans are. Rejects with a FileSystemError where there is none of this address. */
export interface PlanTexts {
  stat(uri: Uri): Promise<FileStat>;
  read(uri: Uri): Promise<Uint8Array>;
  write(uri: Uri, content: Uint8Array): Promise<void>;
}

/**
 * The file system of plans: it stands at activation, for a tab that a reload left, and loads what is
 * behind it on first use. Nothing of it is on the disk.
 */
export class PlanFiles implements FileSystemProvider {
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #load: () => Promise<PlanTexts>;
  readonly onDidChangeFile = this.#changed.event;

  constructor(load: () => Promise<PlanTexts>) {
    this.#load = load;
  }

  /** The text, or whether it may be written, is another one now. */
  changed(uri: Uri): void {
    this.#changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    return (await this.#load()).stat(uri);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.#load()).read(uri);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    await (await this.#load()).write(uri, content);
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }
}
