import assert from 'node:assert/strict';
import type { EditorRoom } from './editorRoom';

/** A place as some tool's answer names it; 1-based. */
export interface NamedPlace {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  /** The name that is said to stand there. */
  readonly symbol?: string;
}

/** What says that a place was not understood, as against a place about which nothing is known. */
const NOT_UNDERSTOOD = /No such file|past the end|Not served|outside the workspace|^Not a path/;
const KIND_AND_NAME =
  /^(?:class|interface|function|method|property|variable|constant|enum|constructor) ([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Reads the places out of an answer: a path on a line of its own, then ` line:column …` below it. */
export function placesIn(text: string): readonly NamedPlace[] {
  const places: NamedPlace[] = [];
  let path = '';
  for (const row of text.split('\n').slice(1)) {
    const [, line, column, rest = ''] = /^ +(\d+):(\d+) ?(.*)$/.exec(row) ?? [];
    if (line === undefined) {
      if (!/^[ (]|^(?:left|next|fixed|stale|unsaved):? /.test(row)) path = row;
      continue;
    }
    const symbol = KIND_AND_NAME.exec(rest)?.[1];
    places.push({ path, line: Number(line), column: Number(column), symbol });
  }
  return places;
}

/** The same of what lists open editors: ` path (…)`, with a line where it tells one. */
export function openPlacesIn(text: string): readonly NamedPlace[] {
  return text
    .split('\n')
    .filter((row) => row.startsWith(' '))
    .map((row) => {
      const [, path = '', marks = ''] = /^ (.*?)(?: \(([^()]*)\))?$/.exec(row) ?? [];
      const line = /(?:line|lines) (\d+)/.exec(marks)?.[1];
      return { path, ...(line === undefined ? {} : { line: Number(line) }) };
    });
}

/** The same of what debuggers tell: ` 0 name path:line:column`, and `at path:line:column in name`. */
export function stackPlacesIn(text: string): readonly NamedPlace[] {
  const found = text.matchAll(/^ \d+ (\S+) (.+):(\d+):(\d+)$| at (.+):(\d+):(\d+) in (\S+)/gm);
  return [...found].map(([, name, path = '', line, column, ...at]) =>
    name === undefined
      ? { path: at[0] ?? '', line: Number(at[1]), column: Number(at[2]), symbol: at[3] }
      : { path, line: Number(line), column: Number(column), symbol: name },
  );
}

/** The same of a list of breakpoints: a path on a line of its own, then ` line …` below it. */
export function breakpointPlacesIn(text: string): readonly NamedPlace[] {
  const places: NamedPlace[] = [];
  let path = '';
  for (const row of text.split('\n').slice(1)) {
    const line = /^ (\d+)/.exec(row)?.[1];
    if (line !== undefined) places.push({ path, line: Number(line) });
    else path = row;
  }
  return places;
}

interface Taker {
  readonly name: string;
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  readonly required: readonly string[];
}

/** These write, but not with what is fed here: a list of actions, and a name that is none. */
const HARMLESS = new Set(['actions', 'rename']);
const NO_NAME = '1 is no name';

/** Tools that take a path and will change nothing. */
function takers(room: EditorRoom): readonly Taker[] {
  return room.servers.flatMap((server) =>
    server
      .tools()
      .filter(({ name, annotations }) => annotations?.readOnlyHint === true || HARMLESS.has(name))
      .map(({ name, inputSchema }) => ({
        name,
        // As our own definitions have them.
        properties: (inputSchema.properties ?? {}) as Taker['properties'],
        required: (inputSchema.required ?? []) as readonly string[],
      }))
      .filter(({ properties }) => properties.path !== undefined),
  );
}

/** Every input that a tool may be given for a place: by path, by line, by name, all in the path. */
function inputsFor(tool: Taker, place: NamedPlace): readonly Record<string, unknown>[] {
  const { path, line, column, symbol } = place;
  const base: Record<string, unknown> = { path };
  for (const name of tool.required) {
    if (name !== 'path') base[name] = tool.properties[name]?.enum?.[0] ?? NO_NAME;
  }
  const has = (name: string): boolean => tool.properties[name] !== undefined;
  const inputs: Record<string, unknown>[] = [];
  if (line !== undefined && has('line')) {
    inputs.push({ ...base, line });
    if (has('symbol')) inputs.push({ ...base, path: `${path}:${line}:${column ?? 1}` });
  } else if (line !== undefined && has('from')) inputs.push({ ...base, from: line });
  else if (!has('symbol')) inputs.push(base);
  if (symbol !== undefined && has('symbol')) inputs.push({ ...base, symbol });
  return inputs;
}

/** Feeds places to every tool that takes one; each must understand all of them. Gives the calls made. */
export async function feedAll(
  room: EditorRoom,
  from: string,
  places: readonly NamedPlace[],
): Promise<number> {
  let calls = 0;
  for (const tool of takers(room)) {
    for (const place of places) {
      // Its numbers are cells, not lines.
      if (tool.name === 'cells' && !place.path.endsWith('.ipynb')) continue;
      for (const input of inputsFor(tool, place)) {
        const { text } = await room.call(tool.name, input);
        const what = `${from} → ${tool.name} ${JSON.stringify(input)}: ${text}`;
        const [first = ''] = text.split('\n');
        assert.doesNotMatch(first, NOT_UNDERSTOOD, what);
        calls += 1;
      }
    }
  }
  return calls;
}
