import * as l10n from '@vscode/l10n';
import { cutText } from '../base/cutText';
import { ruleTexts } from '../chat/conversationGrant';
import type { PermissionResult } from '../protocol/permissions';

/** What the person has allowed for the rest of a conversation. Survives JSON. */
export interface KeptGrants {
  readonly rules: readonly string[];
  readonly folders: readonly string[];
}

/**
 * What the person has allowed for the rest of the conversation. The CLI keeps it in its process only,
 * so the next process is told of it again. It is kept with the conversation in the extension's own
 * storage, where no file of a workspace can put anything, and goes with it.
 */
export class SessionGrants {
  readonly #rules = new Set<string>();
  readonly #folders = new Set<string>();

  /** As the CLI writes them: `Bash(npm test)`, `mcp__editor__write`. */
  get rules(): readonly string[] {
    return [...this.#rules];
  }

  /** Absolute. */
  get folders(): readonly string[] {
    return [...this.#folders];
  }

  /** Undefined where nothing was allowed. */
  get kept(): KeptGrants | undefined {
    const isEmpty = this.#rules.size === 0 && this.#folders.size === 0;
    return isEmpty ? undefined : { rules: this.rules, folders: this.folders };
  }

  /** @returns what the person reads of it; undefined where nothing was allowed */
  restore(kept: KeptGrants | undefined): string | undefined {
    for (const rule of kept?.rules ?? []) this.#rules.add(rule);
    for (const folder of kept?.folders ?? []) this.#folders.add(folder);
    const all = [...this.rules, ...this.folders];
    if (all.length === 0) return undefined;
    return l10n.t(
      'What you allowed for this conversation still holds: {0}',
      cutText(all.join(', '), 300),
    );
  }

  /** Takes from an answer what holds for the session. Its mode is told by the CLI itself. */
  learn(answer: PermissionResult): void {
    if (answer.behavior !== 'allow') return;
    for (const update of answer.updatedPermissions ?? []) {
      if (update.destination !== 'session') continue;
      if (update.type === 'addRules' && update.behavior === 'allow') {
        for (const rule of ruleTexts([update])) this.#rules.add(rule);
      } else if (update.type === 'addDirectories') {
        for (const folder of update.directories) this.#folders.add(folder);
      }
    }
  }
}
