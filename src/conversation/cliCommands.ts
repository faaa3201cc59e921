import type { InitializeResult, SlashCommand } from '../protocol/controlResults';
import type { ConversationMessage } from '../protocol/messages';
import { typedName } from './commandNames';

/** The slash commands of the CLI, as it last named them; they outlive its process. */
export class CliCommands {
  #all: readonly SlashCommand[] | undefined;
  #names = new Set<string>();

  /** Undefined before the first CLI has answered. */
  get all(): readonly SlashCommand[] | undefined {
    return this.#all;
  }

  /** By what is typed, without the slash. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  started({ commands }: Pick<InitializeResult, 'commands'>): void {
    this.#set(commands ?? []);
  }

  /** Fact: a change comes with the whole list. */
  receive(message: ConversationMessage): void {
    if (message.type === 'system' && message.subtype === 'commands_changed') {
      this.#set(message.commands);
    }
  }

  #set(all: readonly SlashCommand[]): void {
    this.#all = all;
    this.#names = new Set(all.flatMap((one) => [typedName(one), ...(one.aliases ?? [])]));
  }
}
