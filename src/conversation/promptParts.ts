import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { PromptExpansion, WaitingPrompt } from '../chat/promptExpansion';
import type { SentSelection } from '../chat/selectionProtocol';
import type { ExpansionPart, QueuedPrompt } from '../chat/viewStateProtocol';
import type { Prompt } from '../cli/cliSession';
import type { PromptBlock } from '../protocol/outboundRequests';
import type { StoredSelection } from '../sessions/recordMessage';
import { attachedText, shownPart } from './promptBlocks';

/** Without what is made of it, which may hold pictures, and is made anew when it is needed. */
export function asKept({ id, text, held, leads, images, selection }: QueuedPrompt): QueuedPrompt {
  return {
    ...{ id, text },
    ...(held === undefined ? {} : { held }),
    ...(leads === true ? { leads } : {}),
    ...(images === undefined || images.length === 0 ? {} : { images }),
    ...(selection === undefined ? {} : { selection }),
  };
}

const kept = new WeakMap<QueuedPrompt, QueuedPrompt>();

/** The same, made once: one that waits does not change, and each change of the queue tells of all in it. */
export function keptOf(prompt: QueuedPrompt): QueuedPrompt {
  let made = kept.get(prompt);
  if (made === undefined) kept.set(prompt, (made = asKept(prompt)));
  return made;
}

/** In the order in which they came. None before a command, which must stand at the beginning, and none before nothing. */
export function leadsOf(items: readonly WaitingPrompt[], text: string): readonly WaitingPrompt[] {
  const begins = text.trimStart();
  return begins === '' || begins.startsWith('/')
    ? []
    : items.filter(({ leads }) => leads === true).reverse();
}

/** What goes with, or in place of, its words. */
export interface ReadyPrompt {
  readonly expansion: PromptExpansion | undefined;
  readonly pictures: readonly PromptBlock[];
}

/**
 * As it goes over the wire. Fact: the CLI looks for commands and mentions in the last block, and
 * takes a message without words.
 */
export function wirePrompt(
  uuid: string,
  { text, selection }: QueuedPrompt,
  { expansion, pictures }: ReadyPrompt,
): Prompt {
  const { content = text, isComposed = false } = expansion ?? {};
  const composed = isComposed ? { clientComposed: true as const } : {};
  const before = [...pictures, ...(selection === undefined ? [] : [selectedText(selection)])];
  if (before.length === 0) return { uuid, content, ...composed };
  return { uuid, content: [...before, ...blocksOf(content)], ...composed };
}

/** Whether a selection goes with it: with anything before it, a command would be none any more. */
export function takesSelection(text: string): boolean {
  return !text.trimStart().startsWith('/');
}

/** What the person reads of the selection that went with a message. */
export function shownSelection({ path, from, to, text }: SentSelection): ExpansionPart {
  const where = `${path}:${linesOf(from, to)}`;
  const words = text ?? l10n.t('The selection is too long: the agent was told its place only.');
  return shownPart(l10n.t('Selection {0}', where), words);
}

/** One that the model was told, as it stands on the disk. @param folder of the conversation */
export function readSelection(told: StoredSelection, folder: string): SentSelection {
  const text = told.text === TOO_LONG ? undefined : told.text;
  return { ...told, file: path.resolve(folder, told.path), text };
}

/** To the model, in place of what is too long. */
const TOO_LONG = 'The selection is too long to stand here: read the lines.';

function selectedText({ path, from, to, text }: SentSelection): PromptBlock {
  const about = { selection_in: path, lines: linesOf(from, to) };
  return attachedText(about, text ?? TOO_LONG);
}

function linesOf(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

function blocksOf(content: PromptExpansion['content']): readonly PromptBlock[] {
  if (typeof content !== 'string') return content;
  return content.trim() === '' ? [] : [{ type: 'text', text: content }];
}
