import { randomUUID } from 'node:crypto';
import type { Disposable } from '../base/disposable';
import { type PanelCommandCall, tryParsePanelCommand } from '../chat/panelCommands';
import type { PromptExpansion, WaitingPrompt } from '../chat/promptExpansion';
import type { SuggestQuery } from '../chat/suggestProtocol';
import type { QueuedPrompt } from '../chat/viewStateProtocol';
import type { CliSession } from '../cli/cliSession';
import type { ConversationFacts } from '../mcp/conversationFacts';
import type { Router } from '../mcp/router';
import type { SlashCommand } from '../protocol/controlResults';
import type { RuleText } from '../rules/permissionRule';
import type { CliCommands } from './cliCommands';
import type { ConversationPorts, SubmitOutcome, SuggestSource } from './conversationPorts';
import { ConversationImages } from './conversationImages';
import { type ExpandPorts, expandMessage, mayExpand } from './expandMessage';
import { listRules } from './listedRules';
import { cliPlaces } from './planFolder';
import { PromptIntake } from './promptIntake';
import { type ReadDenials, readDenialsOf } from './readDenials';
import { SaidSelections } from './saidSelections';
import { ServerOffers } from './serverOffers';
import { argumentSources, commandSources, panelSource } from './suggestCommands';
import { resourceSources } from './suggestResources';

export interface ComposingOptions {
  readonly ports: Pick<
    ConversationPorts,
    | 'registry'
    | 'now'
    | 'buffers'
    | 'folder'
    | 'mentions'
    | 'userChanges'
    | 'images'
    | 'maySelect'
    | 'hostEnvironment'
    | 'settings'
  >;
  readonly facts: Pick<ConversationFacts, 'lastTurnStart'>;
  readonly router: Pick<Router, 'route'>;
  readonly commands: CliCommands;
  /** The running CLI, started when there is none. */
  readonly agent: () => Promise<CliSession>;
  /** The CLI that runs or is starting; undefined where there is none. */
  readonly settledAgent: () => Promise<CliSession | undefined>;
  readonly take: (prompt: WaitingPrompt) => SubmitOutcome;
}

/** What the person types, on its way to the CLI: suggestions for it, and what it stands for. */
export class Composing implements Disposable {
  readonly intake: PromptIntake;
  readonly images: ConversationImages;
  readonly selections = new SaidSelections();
  readonly #closing = new AbortController();
  readonly #options: ComposingOptions;
  readonly #offers: ServerOffers;
  /** When the person's changes last went before a message. */
  #attachedAt = 0;

  constructor(options: ComposingOptions) {
    this.#options = options;
    const { router, ports } = options;
    this.images = new ConversationImages(ports.images);
    this.#offers = new ServerOffers({ router, registry: ports.registry, now: ports.now });
    this.intake = new PromptIntake({
      mayExpand: (text) => mayExpand(text, this.#expandPorts()),
      maySelect: async (selection) => (await ports.maySelect?.(selection)) === true,
      expand: async (text, signal) => {
        try {
          return await expandMessage(text, this.#expandPorts(), signal);
        } catch (error) {
          if (error instanceof NoAgentError) return undefined;
          throw error;
        }
      },
      take: (prompt) => options.take(this.selections.keep(prompt)),
    });
  }

  /** The prompt as another one. */
  sayAgain(prompt: QueuedPrompt): QueuedPrompt {
    return this.selections.keep({ ...prompt, id: randomUUID() });
  }

  async rules(): Promise<readonly RuleText[] | undefined> {
    const session = await this.#options.settledAgent();
    return session && listRules(session);
  }

  /** Where the message calls one of the panel's own commands. */
  panelCommand(text: string): PanelCommandCall | undefined {
    return tryParsePanelCommand(text, (name) => this.#options.commands.has(name));
  }

  suggest(query: SuggestQuery): readonly SuggestSource[] {
    const { commands } = this.#options;
    const ports = {
      offers: this.#offers,
      isCliCommand: (name: string) => commands.has(name),
      cliCommands: () => this.#cliCommands(),
    };
    switch (query.kind) {
      case 'command':
        return [...commandSources(query.text, ports), panelSource(query.text, ports)];
      case 'argument':
        return argumentSources(query, ports);
      case 'mention':
        return resourceSources(query.text, this.#offers);
    }
  }

  /**
   * For a message that was taken without, as when it comes back after a restart. Undefined where it
   * goes as it is; rejects with a UserFacingError.
   */
  expandToSend(text: string): Promise<PromptExpansion> | undefined {
    const ports = this.#expandPorts();
    return mayExpand(text, ports) ? expandMessage(text, ports, this.#closing.signal) : undefined;
  }

  dispose(): void {
    this.intake.stop();
    this.#offers.dispose();
    this.#closing.abort(new Error('The conversation has ended'));
  }

  /** Once each: a message that waits for the turn to end must not bring them again. */
  async #userChanges(): Promise<string | undefined> {
    const { ports, facts } = this.#options;
    const since = Math.max(facts.lastTurnStart ?? 0, this.#attachedAt);
    const now = ports.now();
    const text = await ports.userChanges?.describe(since);
    this.#attachedAt = now;
    return text;
  }

  async #cliCommands(): Promise<readonly SlashCommand[] | undefined> {
    const { commands, settledAgent } = this.#options;
    if (commands.all === undefined) await settledAgent();
    return commands.all;
  }

  #expandPorts(): ExpandPorts {
    const { ports, commands, agent } = this.#options;
    const cwd = ports.folder?.path ?? '';
    let denials: Promise<ReadDenials> | undefined;
    const ask = async (): Promise<ReadDenials> => {
      const session = await agent().catch((error: unknown) => {
        throw new NoAgentError('The agent does not run', { cause: error });
      });
      return readDenialsOf(session, cwd, cliPlaces(ports));
    };
    return {
      offers: this.#offers,
      isCliCommand: (name) => commands.has(name),
      cwd,
      buffers: ports.buffers,
      sources: ports.mentions,
      changes: ports.userChanges?.isWanted() === true ? () => this.#userChanges() : undefined,
      denials: () => (denials ??= ask()),
    };
  }
}

/** Never leaves this file: without an agent nothing is sent, and that is told by who tries. */
class NoAgentError extends Error {}
