import { randomUUID } from 'node:crypto';
import type { Message, Step, StopReason } from './script';

/** One server-sent event of the Messages API. */
export interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What the stream asks of its carrier between two events. */
export type StreamItem =
  | { readonly kind: 'event'; readonly event: StreamEvent; readonly isDelta: boolean }
  | { readonly kind: 'pause'; readonly until: Promise<unknown> }
  | { readonly kind: 'cut' };

export interface StreamOptions {
  readonly model: string;
  /** Tokens that the request is said to have cost. */
  readonly inputTokens: number;
  /** Characters in one delta. */
  readonly chunkSize: number;
}

type OpenBlock = 'text' | 'thinking' | undefined;

/** A message as the events of the Messages API, in order. */
export function* streamMessage(message: Message, options: StreamOptions): Generator<StreamItem> {
  yield start(options);
  let index = -1;
  let open: OpenBlock;
  const close = function* (): Generator<StreamItem> {
    if (open === undefined) return;
    if (open === 'thinking') yield delta(index, signature());
    yield event({ type: 'content_block_stop', index });
    open = undefined;
  };
  for (const step of message.steps) {
    if (step.kind === 'pause') yield { kind: 'pause', until: step.until };
    else if (step.kind === 'cut') yield { kind: 'cut' };
    else if (step.kind === 'toolUse') {
      yield* close();
      index += 1;
      yield* toolBlock(index, step, options.chunkSize);
    } else {
      if (open !== step.kind) {
        yield* close();
        index += 1;
        open = step.kind;
        yield event({ type: 'content_block_start', index, content_block: emptyBlock(step.kind) });
      }
      for (const words of chunks(step.text, options.chunkSize)) {
        yield delta(index, wordsDelta(step.kind, words));
      }
    }
  }
  yield* close();
  yield event({
    type: 'message_delta',
    delta: { stop_reason: stopReasonOf(message), stop_sequence: null },
    usage: { output_tokens: outputTokens(message) },
  });
  yield event({ type: 'message_stop' });
}

/** A message as one JSON body, for requests that do not stream. */
export function wholeMessage(message: Message, options: StreamOptions): object {
  const content: object[] = [];
  for (const step of message.steps) {
    if (step.kind === 'text') content.push({ type: 'text', text: step.text });
    else if (step.kind === 'thinking') {
      content.push({ type: 'thinking', thinking: step.text, signature: 'scripted' });
    } else if (step.kind === 'toolUse') {
      content.push({ type: 'tool_use', id: toolId(), name: step.name, input: step.input });
    }
  }
  return {
    ...shell(options),
    content,
    stop_reason: stopReasonOf(message),
    usage: { input_tokens: options.inputTokens, output_tokens: outputTokens(message) },
  };
}

function stopReasonOf(message: Message): StopReason {
  if (message.stopReason !== undefined) return message.stopReason;
  return message.steps.some((step) => step.kind === 'toolUse') ? 'tool_use' : 'end_turn';
}

function* toolBlock(
  index: number,
  step: Extract<Step, { kind: 'toolUse' }>,
  size: number,
): Generator<StreamItem> {
  const block = { type: 'tool_use', id: toolId(), name: step.name, input: {} };
  yield event({ type: 'content_block_start', index, content_block: block });
  for (const part of chunks(JSON.stringify(step.input), size)) {
    yield delta(index, { type: 'input_json_delta', partial_json: part });
  }
  yield event({ type: 'content_block_stop', index });
}

function start(options: StreamOptions): StreamItem {
  const usage = {
    input_tokens: options.inputTokens,
    output_tokens: 1,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  return event({ type: 'message_start', message: { ...shell(options), content: [], usage } });
}

function shell(options: StreamOptions): object {
  return {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: options.model,
    stop_reason: null,
    stop_sequence: null,
  };
}

const toolId = (): string => `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

const event = (value: StreamEvent): StreamItem => ({ kind: 'event', event: value, isDelta: false });

function delta(index: number, value: object): StreamItem {
  const content = { type: 'content_block_delta', index, delta: value };
  return { kind: 'event', event: content, isDelta: true };
}

const signature = (): object => ({ type: 'signature_delta', signature: 'scripted' });

function emptyBlock(kind: 'text' | 'thinking'): object {
  return kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' };
}

function wordsDelta(kind: 'text' | 'thinking', words: string): object {
  return kind === 'text'
    ? { type: 'text_delta', text: words }
    : { type: 'thinking_delta', thinking: words };
}

/** Cuts by code points, so that no delta holds half a character. */
export function chunks(words: string, size: number): string[] {
  const points = Array.from(words);
  const parts: string[] = [];
  for (let at = 0; at < points.length; at += size) {
    parts.push(points.slice(at, at + size).join(''));
  }
  return parts;
}

function outputTokens(message: Message): number {
  let length = 0;
  for (const step of message.steps) {
    if (step.kind === 'text' || step.kind === 'thinking') length += step.text.length;
    if (step.kind === 'toolUse') length += JSON.stringify(step.input).length + step.name.length;
  }
  return Math.max(1, Math.ceil(length / 4));
}
