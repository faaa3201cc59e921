import type { PermissionResult } from '../protocol/permissions';

/**
 * What the person has allowed for the rest of the conversation. The CLI keeps it in its process only,
 * so the next process is told of it again.
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

  /** Takes from an answer what holds for the session. Its mode is told by the CLI itself. */
  learn(answer: PermissionResult): void {
    if (answer.behavior !== 'allow') return;
    for (const update of answer.updatedPermissions ?? []) {
      if (update.destination !== 'session') continue;
      if (update.type === 'addRules' && update.behavior === 'allow') {
        for (const { toolName, ruleContent } of update.rules) {
          this.#rules.add(ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`);
        }
      } else if (update.type === 'addDirectories') {
        for (const folder of update.directories) this.#folders.add(folder);
      }
    }
  }
}
