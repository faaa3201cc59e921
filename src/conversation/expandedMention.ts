import type { ExpansionPart } from '../chat/viewStateProtocol';
import type { PromptBlock } from '../protocol/outboundRequests';

/** What a mention brings into a message. */
export interface ExpandedMention {
  /** For the model. */
  readonly blocks: readonly PromptBlock[];
  /** For the person to read. */
  readonly parts: readonly ExpansionPart[];
}
