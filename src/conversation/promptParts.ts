import type { PromptExpansion, WaitingPrompt } from '../chat/promptExpansion';
import type { QueuedPrompt } from '../chat/viewStateProtocol';
import type { Prompt } from '../cli/cliSession';
import type { PromptBlock } from '../protocol/outboundRequests';

/** Without what is made of it, which may hold pictures, and is made anew when it is needed. */
export function asKept({ id, text, held, leads, images }: QueuedPrompt): QueuedPrompt {
  return {
    ...{ id, text },
    ...(held === undefined ? {} : { held }),
    ...(leads === true ? { leads } : {}),
    ...(images === undefined || images.length === 0 ? {} : { images }),
  };
}

/** In the order in which they came. None before a command, which must stand at the beginning, and none before nothing. */
export function leadsOf(items: readonly WaitingPrompt[], text: string): readonly WaitingPrompt[] {
  const begins = text.trimStart();
  return begins === '' || begins.startsWith('/')
    ? []
    : items.filter(({ leads }) => leads === true).reverse();
}

/**
 * As it goes over the wire. Fact: the CLI looks for commands and mentions in the last block, and
 * takes a message without words.
 */
export function wirePrompt(
  uuid: string,
  text: string,
  expansion: PromptExpansion | undefined,
  pictures: readonly PromptBlock[],
): Prompt {
  const { content = text, isComposed = false } = expansion ?? {};
  const composed = isComposed ? { clientComposed: true as const } : {};
  if (pictures.length === 0) return { uuid, content, ...composed };
  return { uuid, content: [...pictures, ...blocksOf(content)], ...composed };
}

function blocksOf(content: PromptExpansion['content']): readonly PromptBlock[] {
  if (typeof content !== 'string') return content;
  return content.trim() === '' ? [] : [{ type: 'text', text: content }];
}
