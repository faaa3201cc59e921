import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { ChatEvent } from '../chat/chatEvent';
import type { BuffersPort } from './conversationPorts';

/**
 * The writes that the guard refused because the file has unsaved changes: each offers to save or
 * to discard them and to ask the agent again.
 */
export class RefusedWrites {
  readonly #paths = new Map<string, readonly string[]>();
  readonly #buffers: Pick<BuffersPort, 'save' | 'discard'>;
  readonly #apply: (event: ChatEvent) => void;

  constructor(buffers: Pick<BuffersPort, 'save' | 'discard'>, apply: (event: ChatEvent) => void) {
    this.#buffers = buffers;
    this.#apply = apply;
  }

  add(toolUseId: string, dirtyPaths: readonly string[]): void {
    this.#paths.set(toolUseId, dirtyPaths);
    const actions = ['saveAndRetry', 'discardAndRetry'] as const;
    this.#apply({ type: 'toolActions', toolUseId, actions });
  }

  /**
   * Does what the person chose.
   * @returns the prompt that asks the agent to try again; undefined when nothing was refused under
   * this id (any more), or when the file could not be saved: then the offer stays
   */
  async resolve(
    toolUseId: string,
    action: 'saveAndRetry' | 'discardAndRetry',
  ): Promise<string | undefined> {
    const paths = this.#paths.get(toolUseId);
    if (!paths) return undefined;
    // Taken first: pressed twice it must not ask twice.
    this.#paths.delete(toolUseId);
    if (!(await this.#bringInLine(paths, action))) {
      this.#paths.set(toolUseId, paths);
      return undefined;
    }
    const names = paths.map((file) => path.basename(file)).join(', ');
    this.#apply({ type: 'toolActions', toolUseId, actions: [] });
    return action === 'saveAndRetry'
      ? l10n.t('I have saved {0}. Please read it again and try that edit once more.', names)
      : l10n.t(
          'I have discarded my unsaved changes in {0}. Please try that edit once more.',
          names,
        );
  }
  async #bringInLine(
    paths: readonly string[],
    action: 'saveAndRetry' | 'discardAndRetry',
  ): Promise<boolean> {
    for (const file of paths) {
      const work =
        action === 'saveAndRetry' ? this.#buffers.save(file) : this.#buffers.discard(file);
      if (await work.catch(() => false)) continue;
      const name = path.basename(file);
      const text =
        action === 'saveAndRetry'
          ? l10n.t('{0} could not be saved. Its changes are kept in the editor.', name)
          : l10n.t('The changes of {0} could not be discarded. They are kept.', name);
      this.#apply({ type: 'notice', text, tone: 'warning' });
      return false;
    }
    return true;
  }
}
