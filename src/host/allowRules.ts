import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import { configFolder } from '../cli/configFolder';
import { readRuleFiles, type RuleFilesOptions } from '../cli/ruleFiles';
import { rulesInForce } from '../conversation/rulesInForce';
import type { RuleText } from '../rules/permissionRule';
import { compileRules, type RuleSet, wholeToolRule } from '../rules/ruleSet';

export interface AllowRulesPorts {
  readonly log: Logger;
  /** Folders of the window, absolute. */
  readonly roots: () => readonly string[];
  /** Where a CLI that is started now looks for its settings. */
  readonly where: () => Omit<RuleFilesOptions, 'folder'>;
  /** Rules of the person's that are handed over at the start. */
  readonly given: () => readonly string[];
  readonly isTrusted: () => boolean;
}

/**
 * Which tools run without a question by the rules of the settings files. The tools are those of the
 * whole window, so a rule counts only where it holds in each of its folders.
 */
export class AllowRules implements Disposable {
  readonly #ports: AllowRulesPorts;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  #sets: readonly RuleSet[] = [];
  #key = '';

  constructor(ports: AllowRulesPorts) {
    this.#ports = ports;
  }

  /** False until the rules have been read. */
  isAllowed(wireName: string): boolean {
    const says = (behavior: RuleText['behavior']) => (set: RuleSet) =>
      wholeToolRule(set, behavior, wireName) !== undefined;
    return (
      this.#sets.length > 0 &&
      this.#sets.every(says('allow')) &&
      !this.#sets.some(says('ask')) &&
      !this.#sets.some(says('deny'))
    );
  }

  /** Never rejects: without rules nothing is allowed. */
  async read(): Promise<void> {
    const { log, roots, where, given, isTrusted } = this.#ports;
    try {
      const places = where();
      const fromUs = given().map((text): RuleText => ({
        behavior: 'allow',
        text,
        source: 'cliArg',
      }));
      const read = await Promise.all(
        roots().map(async (folder) => ({
          folder,
          rules: rulesInForce({
            listed: undefined,
            files: await readRuleFiles({ ...places, folder }),
            given: fromUs,
            isWorkspaceTrusted: isTrusted(),
          }).filter(({ idle }) => idle === undefined),
        })),
      );
      const key = JSON.stringify(read);
      if (key === this.#key) return;
      this.#key = key;
      const { home, platform } = places;
      this.#sets = read.map(({ folder, rules }) => {
        const own = configFolder({ ...places, folder });
        return compileRules(rules, { cwd: folder, home, configFolder: own, platform });
      });
    } catch (error) {
      log.error('The permission rules could not be read; tool files count as not allowed', error);
      this.#sets = [];
    }
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
