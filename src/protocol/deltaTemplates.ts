import {
  DELTA_FIELDS,
  isKnownDeltaMessage,
  type KnownDelta,
  type KnownDeltaMessage,
} from './streamEvents';

/** The line of a streamed delta with its text and its ids left open, and the message that it held. */
interface Template {
  /** Catches the text, as JSON, then the ids in the order of `ids`. */
  readonly pattern: RegExp;
  readonly ids: readonly IdField[];
  readonly message: KnownDeltaMessage;
}

const ID_FIELDS = ['uuid', 'api_message_id'] as const;
type IdField = (typeof ID_FIELDS)[number];

/** How every delta's line begins. */
const START = '{"type":"stream_event",';
/** A text in JSON, and one without an escape or anything that needs one. */
const TEXT = String.raw`("[^"\\]*(?:\\.[^"\\]*)*")`;
const ID = String.raw`([\w.:-]*)`;
/** Kinds of deltas, blocks and subagents that stream at a time. With more of them lines are parsed. */
const MOST = 8;
/** In characters: pieces are short, and a pattern needs memory for each escape. */
const LONGEST = 16_384;

/**
 * Learning a line costs as much as parsing so many. Where each line has something new around its
 * text, such as a time, nothing that is learnt is ever used, and the cost must not add up.
 */
const LESSON = 64;

/**
 * Reads streamed deltas without parsing their lines. Thousands come a second and differ from one
 * seen before in their text and their ids only; to find and read these takes a fifth of the time of
 * `JSON.parse`. What JSON allows in place of a text does not depend on the text, so all around it
 * means the same again.
 */
export class DeltaTemplates {
  readonly #templates: Template[] = [];
  /** In lines: what may be spent on learning now. */
  #credit = MOST * LESSON;

  /** The message in the line, as parsing it would give it; undefined where it has to be parsed. */
  read(line: string): KnownDeltaMessage | undefined {
    if (line.length > LONGEST || !line.startsWith(START)) return undefined;
    for (const template of this.#templates) {
      const caught = template.pattern.exec(line);
      if (caught === null) continue;
      this.#earn();
      return fill(template, caught);
    }
    return undefined;
  }

  /** Keeps the line of a message that was parsed, for those that are like it. */
  learn(line: string, message: KnownDeltaMessage): void {
    this.#earn();
    if (line.length > LONGEST || !line.startsWith(START) || this.#credit < LESSON) return;
    this.#credit -= LESSON;
    const template = makeTemplate(line, message);
    if (template === undefined) return;
    this.#templates.push(template);
    if (this.#templates.length > MOST) this.#templates.shift();
  }

  #earn(): void {
    if (this.#credit < MOST * LESSON) this.#credit += 1;
  }
}

function fill(
  { ids, message }: Template,
  caught: readonly string[],
): KnownDeltaMessage | undefined {
  const text = parseText(caught[1] ?? '');
  if (text === undefined) return undefined;
  const { event, session_id, parent_tool_use_id } = message;
  return {
    type: 'stream_event',
    event: { type: event.type, index: event.index, delta: withText(event.delta.type, text) },
    session_id,
    parent_tool_use_id,
    // It joins nothing, so nobody keeps it.
    uuid: idOf('uuid', ids, caught) ?? message.uuid,
    api_message_id: ownText(idOf('api_message_id', ids, caught), message.api_message_id),
  };
}

/** The text that was there before where it is the same, else a copy: see {@link parseText}. */
function ownText(id: string | undefined, before: KnownDeltaMessage['api_message_id']) {
  return id === undefined || id === before ? before : parseText(`"${id}"`);
}

function idOf(field: IdField, ids: readonly IdField[], caught: readonly string[]) {
  const at = ids.indexOf(field);
  return at === -1 ? undefined : caught[at + 2];
}

/** Also where it holds no escape: a slice would keep all in memory that it is cut from. */
function parseText(json: string): string | undefined {
  try {
    const text: unknown = JSON.parse(json);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

function withText(type: KnownDelta['type'], text: string): KnownDelta {
  switch (type) {
    case 'text_delta':
      return { type, text };
    case 'thinking_delta':
      return { type, thinking: text };
    case 'signature_delta':
      return { type, signature: text };
    case 'input_json_delta':
      return { type, partial_json: text };
  }
}

/** Undefined where the places are not surely those of the delta's text and the message's ids. */
function makeTemplate(line: string, message: KnownDeltaMessage): Template | undefined {
  const mark = `"${DELTA_FIELDS[message.event.delta.type]}":`;
  const text = new RegExp(TEXT, 'y');
  text.lastIndex = line.indexOf(mark) + mark.length;
  const head = line.slice(0, text.lastIndex);
  if (!text.test(line)) return undefined;
  const rest = line.slice(text.lastIndex);
  const places = ID_FIELDS.flatMap((field) => {
    const found = `"${field}":"${message[field] ?? ''}"`;
    const at = rest.indexOf(found);
    return at === -1 ? [] : [{ field, from: at + field.length + 4, to: at + found.length - 1 }];
  }).sort((a, b) => a.from - b.from);
  const gaps = [0, ...places.map(({ to }) => to)].map((from, i) =>
    rest.slice(from, places[i]?.from),
  );
  const ids = places.map(({ field }) => field);
  if (!areTheirs(head, gaps, ids)) return undefined;
  const source = `^${escape(head)}${TEXT}${gaps.map(escape).join(ID)}$`;
  return { pattern: new RegExp(source), ids, message };
}

/** Other texts are put in: where they come out again, these were the right places. */
function areTheirs(head: string, gaps: readonly string[], ids: readonly IdField[]): boolean {
  const text = 'another "text"';
  const filled = gaps.map((gap, i) => gap + (ids[i] === undefined ? '' : `another-${i}`)).join('');
  let parsed: unknown;
  try {
    parsed = JSON.parse(head + JSON.stringify(text) + filled);
  } catch {
    return false;
  }
  return (
    isKnownDeltaMessage(parsed) &&
    textOf(parsed.event.delta) === text &&
    ids.every((field, i) => parsed[field] === `another-${i}`)
  );
}

function textOf(delta: KnownDelta): string {
  switch (delta.type) {
    case 'text_delta':
      return delta.text;
    case 'thinking_delta':
      return delta.thinking;
    case 'signature_delta':
      return delta.signature;
    case 'input_json_delta':
      return delta.partial_json;
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
