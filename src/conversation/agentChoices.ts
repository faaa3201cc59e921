import type { ChatEvent } from '../chat/chatEvent';
import type { ViewFields } from '../chat/viewStateProtocol';
import type { InitializeResult, ModelInfo } from '../protocol/controlResults';
import { type PermissionMode, tryParseMode } from '../rules/modes';
import type { ConversationSettings, KeptConversation } from './conversationPorts';
import { modeOptions, modelOptions } from './pickerOptions';

/** Model, mode and effort of a conversation, which outlive each of its processes. */
export class AgentChoices {
  readonly #apply: (event: ChatEvent) => void;
  readonly #refusedModes = new Map<string, string>();
  #mode: PermissionMode | '';
  #model: string;
  #effort: string | undefined;
  /** The mode that an approved plan leads back to. */
  #beforePlan: PermissionMode | undefined;
  #models: readonly ModelInfo[] = [];

  constructor(
    settings: Pick<ConversationSettings, 'initialPermissionMode' | 'model'>,
    apply: (event: ChatEvent) => void,
  ) {
    this.#apply = apply;
    this.#mode = tryParseMode(settings.initialPermissionMode) ?? '';
    this.#model = settings.model;
    this.#show({ mode: this.mode, model: this.#model, modes: this.#modes() });
  }

  get mode(): PermissionMode {
    return this.#mode === '' ? 'default' : this.#mode;
  }

  /** Empty for the CLI's own default. */
  get model(): string {
    return this.#model;
  }

  /** Undefined where nobody chose one. */
  get effort(): string | undefined {
    return this.#effort;
  }

  /**
   * In which mode a process is started, empty for the CLI's own default, and into which it is put
   * then: plan mode has to be entered from the mode that it leads back to.
   */
  get launchMode(): { readonly start: string; readonly then: PermissionMode | undefined } {
    const before = this.#beforePlan;
    // A plan leads back to the default by itself.
    return this.#mode === 'plan' && before !== undefined && before !== 'default'
      ? { start: before, then: 'plan' }
      : { start: this.#mode, then: undefined };
  }

  get kept(): Pick<KeptConversation, 'mode' | 'model' | 'effort'> {
    return {
      mode: this.#mode === '' ? undefined : this.#mode,
      model: this.#model === '' ? undefined : this.#model,
      effort: this.#effort,
    };
  }

  restore({ mode, model, effort }: Pick<KeptConversation, 'mode' | 'model' | 'effort'>): void {
    this.#mode = tryParseMode(mode) ?? this.#mode;
    this.#model = model ?? this.#model;
    this.#effort = effort;
    this.#show({ mode: this.mode, model: this.#model, modes: this.#modes() });
  }

  /** A process has started. */
  ready({ models, current_permission_mode: started }: InitializeResult): void {
    this.#models = models ?? [];
    if (this.launchMode.then === undefined) this.#mode = tryParseMode(started) ?? this.#mode;
    const options = modelOptions(this.#models);
    this.#apply({
      type: 'cliReady',
      models: options,
      model: this.#model === '' ? (options[0]?.id ?? '') : this.#model,
      modes: this.#modes(),
      mode: this.mode,
    });
  }

  chooseModel(model: string): void {
    this.#model = model;
    this.#show({ model });
  }

  chooseMode(mode: PermissionMode): void {
    this.modeChanged(mode);
    this.#show({ mode });
  }

  /** The CLI says so; the model of the conversation has heard it as well. */
  modeChanged(mode: string): void {
    const next = tryParseMode(mode);
    if (next === undefined) return;
    if (next !== 'plan') this.#beforePlan = undefined;
    // Before the first start it is not known what the CLI's own default is.
    else if (this.#mode !== 'plan' && this.#mode !== '') this.#beforePlan = this.#mode;
    this.#mode = next;
  }

  /** It stays in the list, disabled, with the CLI's reason. */
  refuseMode(mode: PermissionMode, reason: string): void {
    this.#refusedModes.set(mode, reason);
    this.#show({ modes: this.#modes() });
  }

  /** Holds from the next process on: who says so has told the one that runs. */
  chooseEffort(effort: string): void {
    this.#effort = effort;
  }

  /** The CLI names the model by its whole name, the list has a short one for it. */
  modelChanged(name: string): void {
    const option = this.#models.find((one) => one.value === name || one.resolvedModel === name);
    this.chooseModel(option?.value ?? name);
  }

  #modes() {
    return modeOptions(this.mode, this.#refusedModes);
  }

  #show(fields: Partial<ViewFields>): void {
    this.#apply({ type: 'fields', fields });
  }
}
