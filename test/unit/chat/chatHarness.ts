import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ChatEvent } from '../../../src/chat/chatEvent';
import {
  createConversationModel,
  type ConversationModel,
  type ConversationModelOptions,
} from '../../../src/chat/conversationModel';
import { applyPatch } from '../../../src/chat/patchProtocol';
import { createPermissionCard } from '../../../src/chat/permissionCard';
import type {
  AssistantItem,
  Block,
  ErrorItem,
  NoticeItem,
  ToolBlock,
  TranscriptItem,
  ViewState,
} from '../../../src/chat/viewStateProtocol';
import { interpretMessage } from '../../../src/protocol/messages';
import { inRoot } from '../../harness/paths';

type Json = Record<string, unknown>;

/** A model with a clock that stands, and a view beside it that only sees patches. */
export class Chat {
  time = 1_000_000;
  readonly model: ConversationModel;
  readonly view: ViewState;

  constructor(options: Partial<ConversationModelOptions> = {}) {
    this.model = createConversationModel({
      now: () => this.time,
      folder: { name: 'ws', path: '/ws' },
      ...options,
    });
    this.view = this.model.snapshot();
  }

  apply(...events: ChatEvent[]): this {
    for (const event of events) this.model.apply(event);
    return this;
  }

  /** Sends messages as the CLI writes them, through the real parser. */
  cli(...messages: Json[]): this {
    for (const message of messages) {
      const parsed = interpretMessage(message);
      if (parsed.ok) this.model.apply({ type: 'message', message: parsed.message });
    }
    return this;
  }

  prompt(text: string, id = `p-${text}`): this {
    return this.apply({ type: 'promptSubmitted', id, text }, { type: 'turnStarting' });
  }

  /** The state; checks on the way that the patches lead there too. */
  get state(): ViewState {
    this.sync();
    return this.model.snapshot();
  }

  sync(): void {
    // Through JSON, as the patches go to the webview.
    const patches = this.model.takePatches();
    for (const patch of JSON.parse(JSON.stringify(patches)) as typeof patches) {
      applyPatch(this.view, patch);
    }
    assert.deepEqual(plain(this.view), plain(this.model.snapshot()));
  }

  get items(): TranscriptItem[] {
    return this.state.items;
  }

  get assistants(): AssistantItem[] {
    return this.items.filter((item) => item.kind === 'assistant');
  }

  get errors(): ErrorItem[] {
    return this.items.filter((item) => item.kind === 'error');
  }

  get notices(): NoticeItem[] {
    return this.items.filter((item) => item.kind === 'notice');
  }

  get blocks(): Block[] {
    return this.assistants.flatMap((item) => item.blocks);
  }

  get texts(): string[] {
    return this.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  }

  get tools(): ToolBlock[] {
    return this.blocks.filter((block) => block.kind === 'tool');
  }

  tool(id: string): ToolBlock {
    const found = this.tools.find((block) => block.id === id);
    assert.ok(found, `tool ${id}`);
    return found;
  }

  get status(): string {
    return this.state.status.kind;
  }
}

function plain(state: ViewState): unknown {
  return JSON.parse(JSON.stringify(state));
}

/** Streamed events of one message. */
export function streamOf(id: string) {
  const event = (body: Json): Json => ({ type: 'stream_event', api_message_id: id, event: body });
  return {
    start: (): Json => event({ type: 'message_start', message: { id } }),
    block: (index: number, content: Json): Json =>
      event({ type: 'content_block_start', index, content_block: content }),
    text: (index: number, text: string): Json =>
      event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
    thinking: (index: number, thinking: string): Json =>
      event({ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking } }),
    json: (index: number, part: string): Json =>
      event({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: part },
      }),
    stopBlock: (index: number): Json => event({ type: 'content_block_stop', index }),
    stop: (): Json => event({ type: 'message_stop' }),
  };
}

let rows = 0;

export function assistantRow(id: string, content: Json[], extra: Json = {}): Json {
  rows += 1;
  return { type: 'assistant', message: { id, content }, uuid: `row-${rows}`, ...extra };
}

export function resultRow(id: string, content: unknown, extra: Json = {}): Json {
  const { is_error: isError, ...rest } = extra;
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  return { type: 'user', message: { role: 'user', content: [block] }, ...rest };
}

export function toolUse(id: string, name: string, input: unknown = {}): Json {
  return { type: 'tool_use', id, name, input };
}

export function turnResult(extra: Json = {}): Json {
  return { type: 'result', subtype: 'success', is_error: false, num_turns: 1, ...extra };
}

export interface RecordedLine {
  readonly dir: 'in' | 'out';
  readonly m: Json;
}

export function readTranscript(name: string): RecordedLine[] {
  const text = readFileSync(inRoot('test/fixtures/transcripts', `${name}.ndjson`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedLine);
}

/** Replays recorded lines as the host would turn them into events; `each` runs after every line. */
export function replay(
  chat: Chat,
  lines: readonly RecordedLine[],
  each: () => void = () => undefined,
): void {
  const asked = new Map<string, string | undefined>();
  let prompts = 0;
  for (const { dir, m } of lines) {
    chat.time += 10;
    if (dir === 'in') replayIn(chat, m, asked);
    else if (m.type === 'user') {
      prompts += 1;
      chat.prompt(String((m.message as Json).content), `prompt-${prompts}`);
    } else if (m.type === 'control_response') replayAnswer(chat, m, asked);
    else if ((m.request as Json).subtype === 'interrupt') chat.apply({ type: 'stopRequested' });
    each();
  }
}

function replayIn(chat: Chat, m: Json, asked: Map<string, string | undefined>): void {
  const parsed = interpretMessage(m);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const { message } = parsed;
  if (message.type === 'control_request' && message.request.subtype === 'can_use_tool') {
    const card = createPermissionCard({
      requestId: String(message.request_id),
      request: message.request,
      folder: '/ws',
    });
    asked.set(card.id, card.toolUseId);
    chat.apply({ type: 'permissionRequested', card });
  } else if (message.type === 'control_cancel_request') {
    chat.apply({
      type: 'permissionSettled',
      cardId: String(message.request_id),
      outcome: 'withdrawn',
    });
  } else {
    chat.apply({ type: 'message', message });
  }
}

function replayAnswer(chat: Chat, m: Json, asked: Map<string, string | undefined>): void {
  const response = m.response as Json;
  const cardId = String(response.request_id);
  if (!asked.has(cardId)) return;
  const body = response.response as Json | undefined;
  const outcome = body?.behavior === 'allow' ? 'allowed' : 'denied';
  chat.apply({ type: 'permissionSettled', cardId, outcome });
}
