import { batch, computed, signal } from '@preact/signals';
import { assertNever } from '../../base/assertNever';
import type {
  RuleRow,
  RulesShown,
  ToolChoice,
  VerdictShown,
  WhatIfHostMessage,
  WhatIfMessage,
} from '../../chat/whatIfProtocol';

/** More rows are not drawn at once; the filter finds the rest. */
export const MOST_ROWS = 300;

/** What the page shows: the rules, and the call that is being asked about. */
export class WhatIfStore {
  readonly #post: (message: WhatIfMessage) => void;
  readonly shown = signal<RulesShown | undefined>(undefined);
  readonly tool = signal('Bash');
  /** What is typed, by tool: another tool and back loses nothing. */
  readonly inputs = signal<Readonly<Record<string, string>>>({});
  readonly mode = signal<RulesShown['mode']>('default');
  readonly filter = signal('');
  readonly verdict = signal<VerdictShown | undefined>(undefined);
  #asked = 0;

  readonly choice = computed<ToolChoice | undefined>(() =>
    this.shown.value?.tools.find(({ name }) => name === this.tool.value),
  );
  readonly input = computed(() => this.inputs.value[this.tool.value] ?? '');
  readonly rows = computed<readonly RuleRow[]>(() => {
    const words = this.filter.value.trim().toLowerCase();
    const rules = this.shown.value?.rules ?? [];
    return words === ''
      ? rules
      : rules.filter(({ text, source }) => `${text} ${source}`.toLowerCase().includes(words));
  });

  constructor(post: (message: WhatIfMessage) => void) {
    this.#post = post;
  }

  receive(message: WhatIfHostMessage): void {
    switch (message.type) {
      case 'start':
        batch(() => {
          const isFirst = this.shown.value === undefined;
          this.shown.value = message.shown;
          if (isFirst) this.mode.value = message.shown.mode;
          const [first] = message.shown.tools;
          if (this.choice.value === undefined && first) this.tool.value = first.name;
        });
        this.#judge();
        return;
      case 'verdict':
        if (message.n === this.#asked) this.verdict.value = message.verdict;
        return;
      default:
        assertNever(message, 'message of the host');
    }
  }

  setTool(name: string): void {
    this.tool.value = name;
    this.#judge();
  }

  setInput(text: string): void {
    this.inputs.value = { ...this.inputs.value, [this.tool.value]: text };
    this.#judge();
  }

  setMode(mode: string): void {
    const known = this.shown.value?.modes.find(({ id }) => id === mode);
    if (known === undefined) return;
    this.mode.value = known.id;
    this.#judge();
  }

  /** Asks for each change; what is typed for JSON may be none yet, and nothing typed asks nothing. */
  #judge(): void {
    const needsText = this.choice.value?.input !== 'json';
    if (needsText && this.input.value.trim() === '') {
      this.#asked += 1;
      this.verdict.value = undefined;
      return;
    }
    this.#asked += 1;
    this.#post({
      type: 'judge',
      n: this.#asked,
      tool: this.tool.value,
      input: this.input.value,
      mode: this.mode.value,
    });
  }
}
