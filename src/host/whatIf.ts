import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import {
  type RulesShown,
  type ToolChoice,
  tryParseWhatIfMessage,
  type VerdictShown,
  type WhatIfHostMessage,
  type WhatIfMessage,
} from '../chat/whatIfProtocol';
import { isJsonObject } from '../protocol/lazySchema';
import { judge, type JudgedCall, pathsOfCall } from '../rules/judge';
import type { RealPaths } from '../rules/judgePath';
import type { RuleSet } from '../rules/ruleSet';

/** The page, as far as it is not VS Code's. */
export interface WhatIfSurface {
  readonly onDidReceiveMessage: Event<unknown>;
  post(message: WhatIfHostMessage): PromiseLike<boolean>;
}

export interface LoadedRules {
  readonly shown: RulesShown;
  readonly set: RuleSet;
}

export interface WhatIfPorts {
  readonly log: Logger;
  l10n(): Record<string, string> | undefined;
  /** The rules as they are now. */
  load(): Promise<LoadedRules>;
  /** Where the links of absolute paths lead. */
  resolve(paths: readonly string[]): Promise<RealPaths>;
  openFile(file: string): Promise<void>;
  /** Shows what could not be done. */
  report(error: unknown): void;
}

/** *What would happen?*: shows the rules, and says of a call what they and the mode make of it. */
export class WhatIf implements Disposable {
  readonly #surface: WhatIfSurface;
  readonly #ports: WhatIfPorts;
  readonly #store = new DisposableStore();
  #loaded: Promise<LoadedRules> | undefined;

  constructor(surface: WhatIfSurface, ports: WhatIfPorts) {
    this.#surface = surface;
    this.#ports = ports;
    this.#store.add(
      surface.onDidReceiveMessage((value) => {
        const message = tryParseWhatIfMessage(value);
        if (message === undefined) ports.log.warn('The page of rules sent what is not understood');
        else this.#receive(message).catch((error: unknown) => ports.report(error));
      }),
    );
  }

  /** Reads the rules anew and shows them. */
  async refresh(): Promise<void> {
    const loading = this.#ports.load();
    this.#loaded = loading;
    const { shown } = await loading;
    // One that was asked for later is shown instead.
    if (this.#loaded === loading) this.#post({ type: 'start', shown, l10n: this.#ports.l10n() });
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #receive(message: WhatIfMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'refresh':
        return this.refresh();
      case 'judge':
        this.#post({ type: 'verdict', n: message.n, verdict: await this.#judge(message) });
        return;
      case 'openFile': {
        const { shown } = await this.#rules();
        // Only what is shown is opened, whatever the page says.
        if (shown.rules.some(({ file }) => file === message.file)) {
          await this.#ports.openFile(message.file);
        }
        return;
      }
      case 'viewError':
        this.#ports.log.error(`The page of rules failed: ${message.message}`);
        return;
      default:
        assertNever(message, 'message of the page');
    }
  }

  #rules(): Promise<LoadedRules> {
    return (this.#loaded ??= this.#ports.load());
  }

  async #judge({
    tool,
    input,
    mode,
  }: Extract<WhatIfMessage, { type: 'judge' }>): Promise<VerdictShown> {
    const { set, shown } = await this.#rules();
    const choice = shown.tools.find(({ name }) => name === tool);
    const call = readCall(tool, input, choice?.input ?? 'json');
    if (call === undefined) {
      return { verdict: 'unknown', why: l10n.t('The input is not a JSON object.') };
    }
    const realPaths = await this.#ports.resolve([...pathsOfCall(call, set), ...set.folders]);
    const { verdict, rule, why } = judge({ ...call, realPaths }, set, mode);
    return { verdict, why, rule: rule && { text: rule.text, source: rule.source } };
  }

  #post(message: WhatIfHostMessage): void {
    if (!this.#store.isDisposed) void this.#surface.post(message);
  }
}

/** The field of the input that is typed, by tool. */
const FIELDS: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
  Skill: 'skill',
  Agent: 'subagent_type',
};

/** What is typed as the model would send it; undefined for JSON that is none. */
export function readCall(
  tool: string,
  text: string,
  input: ToolChoice['input'],
): JudgedCall | undefined {
  const field = FIELDS[tool];
  if (input !== 'json' && field !== undefined) return { tool, input: { [field]: text } };
  if (text.trim() === '') return { tool, input: {} };
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? { tool, input: parsed } : undefined;
  } catch {
    return undefined;
  }
}

/** The CLI's own tools that can be asked about. */
export function builtInTools(): readonly ToolChoice[] {
  const of = (input: ToolChoice['input'], ...names: string[]): ToolChoice[] =>
    names.map((name) => ({ name, label: name, input }));
  return [
    ...of('command', 'Bash'),
    ...of('path', 'Read', 'Edit', 'Write', 'NotebookEdit'),
    ...of('url', 'WebFetch'),
    ...of('name', 'Agent', 'Skill'),
    ...of('json', 'WebSearch', 'AskUserQuestion', 'ExitPlanMode'),
  ];
}
