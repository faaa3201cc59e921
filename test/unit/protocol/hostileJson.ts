import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { inRoot } from '../../harness/paths';

/** What no writer of values gets out; stands in a value as a text, and {@link lineOf} writes it. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  '@infinite@': '1e999',
  '@-infinite@': '-1e999',
  '@deep@': deepText(5000),
};

/** Brackets in brackets. */
export function deepText(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

const parse = (text: string): unknown => JSON.parse(text);

/** What a wire can hold where something else was meant. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, false, 0, -1, 0.5, -0, 1e308, 2 ** 53 + 2, 2 ** 32],
    ...Object.keys(UNWRITABLE),
    ...['', 'x', '\ud83d', '\udc00x', 'a\u0000b', '\u2028', 'x'.repeat(5000), '1', 'NaN'],
    ...['__proto__', 'constructor', 'toString', 'unknown', 'text', 'tool_use', 'tool_result'],
    ...[[], {}, [[]], [null], [{}], ['x'], [{ type: 'text' }], { type: 'text', text: 'x' }],
    { length: 2, 0: 'x' },
    Array.from({ length: 300 }, () => 0),
    Array.from({ length: 300 }, () => ({ type: 'text', text: 'x' })),
  ),
  fc
    .constantFrom(
      '{"__proto__":{"type":"text","text":"x"}}',
      '{"constructor":{"prototype":{"x":1}},"hasOwnProperty":1,"toString":null}',
      '{"type":"tool_use","id":"__proto__","name":"constructor","input":{"__proto__":1}}',
    )
    .map(parse),
);

interface Place {
  readonly holder: object;
  readonly key: string | number;
}

/** Every place in a value at which something else could stand. */
function places(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push({ holder: value, key });
    places(Reflect.get(value, key), found);
  }
  return found;
}

const recorded = [
  'chat-faults',
  'chat-interrupt-queue',
  'chat-permissions',
  'chat-plan-questions',
  'chat-slash-commands',
  'chat-subagents',
  'chat-turns',
  'mcp-results-errors',
].flatMap((name) =>
  readFileSync(inRoot(`test/fixtures/transcripts/${name}.ndjson`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { dir: 'in' | 'out'; m: Record<string, unknown> })
    .flatMap(({ dir, m }) => (dir === 'in' ? [m] : [])),
);

/** A message that the CLI really sent, with up to three places of it spoilt. */
export const spoiltMessage: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.constantFrom(...recorded),
    fc.array(fc.tuple(fc.nat(), fc.option(hostileValue, { nil: undefined, freq: 6 })), {
      maxLength: 3,
    }),
  )
  .map(([message, changes]) => {
    const copy = structuredClone(message);
    for (const [pick, value] of changes) {
      const all = places(copy);
      const place = all[pick % Math.max(1, all.length)];
      if (place === undefined) break;
      if (value === undefined) Reflect.deleteProperty(place.holder, place.key);
      else Reflect.set(place.holder, place.key, structuredClone(value));
    }
    return copy;
  });

/** The line that holds the value. */
export function lineOf(value: unknown): string {
  return Object.entries(UNWRITABLE).reduce(
    (line, [text, written]) => line.replaceAll(`"${text}"`, written),
    JSON.stringify(value),
  );
}
