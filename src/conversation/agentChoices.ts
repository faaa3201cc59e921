import * as l10n from '@vscode/l10n';
import type { ChatEvent } from '../chat/chatEvent';
import type { ViewFields } from '../chat/viewStateProtocol';
import type { InitializeResult, ModelInfo } from '../protocol/controlResults';
import { modeText, type PermissionMode, tryParseMode } from '../rules/modes';
import { type BypassState, mayBypass } from './bypass';
import type { ConversationPorts, KeptConversation } from './conversationPorts';
import { modeOptions, modelOptions } from './pickerOptions';

/** What of it outlives the window. */
export type ChoiceKey =
  'mode' | 'modeChosen' | 'modeBeforePlan' | 'model' | 'modelChosen' | 'effort';

/** Model, mode and effort of a conversation, which outlive each of its processes. */
export class AgentChoices {
  readonly #apply: (event: ChatEvent) => void;
  readonly #mayBypass: () => boolean;
  readonly #refusedModes = new Map<string, string>();
  #mode: PermissionMode | '';
  #model: string;
  #effort: string | undefined;
  /** The mode that an approved plan leads back to. */
  #beforePlan: PermissionMode | undefined;
  #models: readonly ModelInfo[] = [];
  /** The modes that the CLI was asked for and has not answered about. */
  readonly #expected = new Set<PermissionMode>();
  /** The person chose the mode, so it is worth keeping before anything was said. */
  #isChosen = false;
  /** The same of the model. */
  #isModelChosen = false;
  /** Models that the CLI was asked for and has not answered about. */
  #openModels = 0;
  /** What counts where it refuses all of those. */
  #sureModel: readonly [model: string, isChosen: boolean] = ['', false];

  constructor(
    ports: Pick<ConversationPorts, 'settings' | 'isTrusted'>,
    apply: (event: ChatEvent) => void,
  ) {
    const settings = ports.settings();
    this.#apply = apply;
    this.#mayBypass = () => mayBypass(ports);
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
  launchMode(): { readonly start: string; readonly then: PermissionMode | undefined } {
    this.#leaveBypass();
    const before = this.#beforePlan;
    // A plan leads back to the default by itself.
    return this.#mode === 'plan' && before !== undefined && before !== 'default'
      ? { start: before, then: 'plan' }
      : { start: this.#mode, then: undefined };
  }

  get kept(): Pick<KeptConversation, ChoiceKey> {
    return {
      mode: this.#mode === '' ? undefined : this.#mode,
      ...(this.#isChosen ? { modeChosen: true } : {}),
      ...(this.#mode === 'plan' ? { modeBeforePlan: this.#beforePlan } : {}),
      model: this.#model === '' ? undefined : this.#model,
      ...(this.#isModelChosen ? { modelChosen: true } : {}),
      effort: this.#effort,
    };
  }

  restore(kept: Pick<KeptConversation, ChoiceKey>) {
    const { mode, modeBeforePlan, model, effort } = kept;
    this.#mode = tryParseMode(mode) ?? this.#mode;
    this.#isChosen = kept.modeChosen === true;
    this.#isModelChosen = kept.modelChosen === true;
    const before = this.#mode === 'plan' ? tryParseMode(modeBeforePlan) : undefined;
    // To bypass, the person has to choose it anew.
    if (before !== 'plan' && before !== 'bypassPermissions') this.#beforePlan = before;
    if (this.#mode === 'bypassPermissions') {
      this.#mode = 'default';
      this.#tell(
        l10n.t(
          'This conversation bypassed permissions before. It asks again now; choose the mode anew where you want it.',
        ),
      );
    }
    this.#model = model ?? this.#model;
    this.#effort = effort;
    this.#show({ mode: this.mode, model: this.#model, modes: this.#modes() });
  }

  /** A process has started. */
  ready({ models, current_permission_mode: started }: InitializeResult, bypass: BypassState): void {
    this.#models = models ?? [];
    if (bypass === 'refused') this.#refusedModes.set('bypassPermissions', refusedAsRoot());
    else if (bypass === 'on') this.#refusedModes.delete('bypassPermissions');
    if (this.launchMode().then === undefined) {
      const mode = tryParseMode(started) ?? this.#mode;
      this.#mode = mode === 'bypassPermissions' && bypass !== 'on' ? 'default' : mode;
    }
    const options = modelOptions(this.#models);
    this.#apply({
      type: 'cliReady',
      models: options,
      model: this.#model === '' ? (options[0]?.id ?? '') : this.#model,
      modes: this.#modes(),
      mode: this.mode,
    });
  }

  /** @returns is to be told the CLI's answer. One that it refuses goes: the next process would be started with it. */
  chooseModel(model: string): (answer?: 'taken' | 'refused') => void {
    if (this.#openModels === 0) this.#sureModel = [this.#model, this.#isModelChosen];
    this.#openModels += 1;
    this.#isModelChosen = true;
    this.#takeModel(model);
    return (answer = 'taken') => {
      this.#openModels -= 1;
      if (answer === 'taken') this.#sureModel = [model, true];
      if (answer === 'taken' || this.#model !== model) return;
      const [before, wasChosen] = this.#sureModel;
      this.#isModelChosen = wasChosen;
      this.#model = before;
      const shown = before === '' ? (modelOptions(this.#models)[0]?.id ?? '') : before;
      this.#apply({ type: 'modelChosen', model: shown });
    };
  }

  #takeModel(model: string): void {
    this.#model = model;
    this.#apply({ type: 'modelChosen', model });
  }

  /** The CLI is asked for it, or has answered: what it says of that is no news. */
  expectMode(mode: PermissionMode, isAsked: boolean): void {
    if (isAsked) this.#expected.add(mode);
    else this.#expected.delete(mode);
  }

  chooseMode(mode: PermissionMode): void {
    this.#isChosen = true;
    this.#setMode(mode);
    this.#show({ mode, modes: this.#modes() });
  }

  /** The CLI says so; the model of the conversation has heard it as well. Told where nobody asked for it. */
  modeChanged(mode: string): void {
    const next = tryParseMode(mode);
    if (next === undefined) return;
    const isNews = this.#mode !== '' && next !== this.#mode && !this.#expected.has(next);
    this.#setMode(next);
    if (isNews) this.#tell(l10n.t('The permission mode is now {0}.', modeText(next).label));
    this.#show({ modes: this.#modes() });
  }

  #setMode(next: PermissionMode): void {
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
    this.#takeModel(option?.value ?? name);
  }

  /** The setting was taken back, or the trust, while no process ran. */
  #leaveBypass(): void {
    if (this.#mode !== 'bypassPermissions' || this.#mayBypass()) return;
    this.#mode = 'default';
    this.#show({ mode: this.mode, modes: this.#modes() });
    this.#tell(l10n.t('The permission mode is now {0}.', modeText('default').label));
  }

  #modes() {
    return modeOptions(this.mode, this.#refusedModes, this.#mayBypass());
  }

  #tell(text: string): void {
    this.#apply({ type: 'notice', text });
  }

  #show(fields: Partial<ViewFields>): void {
    this.#apply({ type: 'fields', fields });
  }
}

function refusedAsRoot(): string {
  return l10n.t(
    'Not as root. In a container, set IS_SANDBOX to 1 in patchbay.cli.environment and reload the window.',
  );
}
