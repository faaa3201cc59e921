import { isKeyOf } from '../base/isKeyOf';
import {
  literal,
  number,
  nullish,
  object,
  pipe,
  string,
  transform,
  union,
  unknown,
} from 'zod/mini';
import { contentBlock, type ContentBlock, type Unknown } from './contentBlocks';
import {
  detail,
  fit,
  isJsonObject,
  jsonObject,
  lazySchema,
  nullableDetail,
  type Fit,
  type Parsed,
} from './lazySchema';

/**
 * Streamed parts of a message (`stream_event`). Fact: the key that joins them to the whole
 * messages is `api_message_id` and `event.index`; `uuid` is unique per event and joins nothing.
 */

/** Where each kind of delta has its text. */
export const DELTA_FIELDS = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
} as const;

const knownDelta = lazySchema(() =>
  union([
    object({ type: literal('text_delta'), text: string() }),
    object({ type: literal('thinking_delta'), thinking: string() }),
    object({ type: literal('signature_delta'), signature: string() }),
    object({ type: literal('input_json_delta'), partial_json: string() }),
  ]),
);

export type KnownDelta = Parsed<typeof knownDelta>;
export type Delta = KnownDelta | Unknown;

const envelope = {
  type: literal('stream_event'),
  api_message_id: nullish(string()),
  parent_tool_use_id: nullish(string()),
  uuid: nullish(string()),
  session_id: nullish(string()),
};

/** The hot kind, and the only one whose delta is surely known. See {@link isKnownDeltaMessage}. */
export const knownDeltaMessageSchema = lazySchema(() =>
  object({
    ...envelope,
    event: object({
      type: literal('content_block_delta'),
      index: number(),
      delta: knownDelta(),
    }),
  }),
);

export type KnownDeltaMessage = Parsed<typeof knownDeltaMessageSchema>;

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/**
 * The hand-written twin of {@link knownDeltaMessageSchema}: thousands a second come this way, and
 * it neither copies nor allocates. A property test holds both to the same verdict.
 */
export function isKnownDeltaMessage(value: unknown): value is KnownDeltaMessage {
  if (!isJsonObject(value) || value.type !== 'stream_event') return false;
  const event = value.event;
  if (!isJsonObject(event) || event.type !== 'content_block_delta') return false;
  const { index, delta } = event;
  if (typeof index !== 'number' || !Number.isFinite(index) || !isJsonObject(delta)) return false;
  const kind = delta.type;
  if (typeof kind !== 'string' || !isKeyOf(DELTA_FIELDS, kind)) return false;
  if (typeof delta[DELTA_FIELDS[kind]] !== 'string') return false;
  return (
    isTextOrNothing(value.api_message_id) &&
    isTextOrNothing(value.parent_tool_use_id) &&
    isTextOrNothing(value.uuid) &&
    isTextOrNothing(value.session_id)
  );
}

const startedMessage = () =>
  object({ id: string(), model: detail(string()), usage: detail(jsonObject()) });

const delta = () =>
  pipe(
    unknown(),
    transform((value: unknown): Delta => {
      const known = fit(knownDelta(), value);
      return known.ok ? known.value : { type: 'unknown', raw: value };
    }),
  );

const eventSchemas = {
  message_start: lazySchema(() =>
    object({ type: literal('message_start'), message: startedMessage() }),
  ),
  content_block_start: lazySchema(() =>
    object({
      type: literal('content_block_start'),
      index: number(),
      content_block: contentBlock(),
    }),
  ),
  content_block_delta: lazySchema(() =>
    object({ type: literal('content_block_delta'), index: number(), delta: delta() }),
  ),
  content_block_stop: lazySchema(() =>
    object({ type: literal('content_block_stop'), index: number() }),
  ),
  message_delta: lazySchema(() =>
    object({
      type: literal('message_delta'),
      delta: detail(object({ stop_reason: nullableDetail(string()) })),
      usage: detail(jsonObject()),
    }),
  ),
  message_stop: lazySchema(() => object({ type: literal('message_stop') })),
};

type EventTable = typeof eventSchemas;
type KnownEvent = { [K in keyof EventTable]: Parsed<EventTable[K]> }[keyof EventTable];

/** One event of a streamed message; unknown kinds are kept. */
export type StreamEvent = KnownEvent | Unknown;
export interface ContentBlockStart {
  type: 'content_block_start';
  index: number;
  content_block: ContentBlock;
}

const streamEnvelope = lazySchema(() =>
  object({
    ...envelope,
    event: unknown(),
    ttft_ms: detail(number()),
    user_message_uuid: nullableDetail(string()),
    thinking_display: detail(string()),
  }),
);

export type StreamEventMessage = Omit<Parsed<typeof streamEnvelope>, 'event'> & {
  event: StreamEvent;
};

/** Parses a `stream_event`. Unknown events and deltas are kept, known ones that do not fit are named. */
export function fitStreamEvent(value: Record<string, unknown>): Fit<StreamEventMessage> {
  if (isKnownDeltaMessage(value)) return { ok: true, value };
  const outer = fit(streamEnvelope(), value);
  if (!outer.ok) return outer;
  const event = fitEvent(outer.value.event);
  return event.ok ? { ok: true, value: { ...outer.value, event: event.value } } : event;
}

function fitEvent(value: unknown): Fit<StreamEvent> {
  const kind = isJsonObject(value) ? value.type : undefined;
  if (typeof kind !== 'string' || !isKeyOf(eventSchemas, kind)) {
    return { ok: true, value: { type: 'unknown', raw: value } };
  }
  const result: Fit<StreamEvent> = fit(eventSchemas[kind](), value);
  return result.ok ? result : { ok: false, place: `event.${result.place}` };
}
