import type { PromptBlock } from '../protocol/outboundRequests';
import type { ExpansionPart, QueuedPrompt } from './viewStateProtocol';

/** What goes to the model in place of a message that names a prompt, a resource or lines of a file. */
export interface PromptExpansion {
  readonly content: string | readonly PromptBlock[];
  /** The CLI must not look for commands and mentions in it. */
  readonly isComposed: boolean;
  /** For the person to read. */
  readonly parts: readonly ExpansionPart[];
}

/** A prompt that was handed in. Without an expansion it is still to be looked at. */
export interface WaitingPrompt extends QueuedPrompt {
  readonly expansion?: PromptExpansion | undefined;
}
