import type { FolderChoice } from '../chat/foldersProtocol';
import type { WorkingFolder } from './conversationPlace';

const KEY = 'conversation.folder';

export interface FolderMemory {
  get(key: string): unknown;
  update(key: string, value: string | undefined): PromiseLike<void>;
}

/** In which folder new conversations work. Of one folder there is no choice. */
export class FolderChoices {
  readonly #memory: FolderMemory;
  readonly #folders: () => FolderChoice['folders'];

  /** @param folders of the window, on a disk */
  constructor(memory: FolderMemory, folders: () => FolderChoice['folders']) {
    this.#memory = memory;
    this.#folders = folders;
  }

  /** For the panel; undefined where there is nothing to choose. */
  get choice(): FolderChoice | undefined {
    const folders = this.#folders();
    if (folders.length < 2) return undefined;
    const chosen = this.#chosen(folders)?.path;
    return { folders, ...(chosen === undefined ? {} : { chosen }) };
  }

  /** @param editors the folder of what the person looks at */
  pick(editors: () => WorkingFolder): WorkingFolder {
    return this.#chosen(this.#folders()) ?? editors();
  }

  /** Remembered for this workspace. One that is not open is not chosen; undefined follows the editor. */
  async choose(path: string | undefined): Promise<void> {
    if (path !== undefined && !this.#folders().some((folder) => folder.path === path)) return;
    await this.#memory.update(KEY, path);
  }

  /** One that was closed counts again when it is open again. */
  #chosen(folders: FolderChoice['folders']): WorkingFolder {
    const path = this.#memory.get(KEY);
    return folders.find((folder) => folder.path === path);
  }
}
