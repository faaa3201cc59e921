import { fuzzyScore } from '../chat/fuzzyMatch';
import { mentionText } from '../chat/mentions';
import type { SuggestPart, SuggestSource } from './conversationPorts';
import type { OfferedResource, ServerOffers } from './serverOffers';

type Row = SuggestPart['rows'][number];

/** Each server of ours that has resources. */
export function resourceSources(text: string, offers: ServerOffers): readonly SuggestSource[] {
  return offers.servers('resources').map((server) => ({
    name: server,
    rows: async (signal) => {
      const resources = await offers.resources(server, signal);
      const prefix = `${server}:`;
      const uri = text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
      const fixed = resources.flatMap((resource) =>
        resource.isTemplate ? [] : resourceRow(resource, text, uri),
      );
      const templates = resources.filter((resource) => resource.isTemplate);
      const open = await Promise.all(
        templates.map((template) => templateRows(template, text, uri, offers, signal)),
      );
      const known = new Set(fixed.map(({ insert }) => insert));
      return { rows: [...fixed, ...open.flat().filter(({ insert }) => !known.has(insert))] };
    },
  }));
}

function resourceRow(
  resource: OfferedResource,
  text: string,
  uri: string | undefined,
): readonly Row[] {
  const { server, name, description } = resource;
  const scores =
    uri === undefined
      ? [fuzzyScore(text, name), fuzzyScore(text, resource.uri), fuzzyScore(text, server)]
      : [fuzzyScore(uri, resource.uri), fuzzyScore(uri, name)];
  const fitting = scores.filter((score) => score !== undefined);
  if (fitting.length === 0) return [];
  return [
    {
      id: `resource ${server} ${resource.uri}`,
      icon: 'database',
      label: name,
      ...(name === resource.uri ? {} : { detail: resource.uri }),
      origin: server,
      ...(description === '' ? {} : { description }),
      insert: `${mentionText(`${server}:${resource.uri}`)} `,
      score: Math.max(...fitting),
    },
  ];
}

/** `note://{id}` with what the server completes for the variable at the end of what is typed. */
async function templateRows(
  template: OfferedResource,
  text: string,
  uri: string | undefined,
  offers: ServerOffers,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { server, name, description } = template;
  const parts = partsOf(template.uri);
  const [first = ''] = parts;
  if (uri?.startsWith(first) !== true) {
    const score = uri === undefined ? fuzzyScore(text, name) : fuzzyScore(uri, template.uri);
    if (score === undefined) return [];
    return [
      {
        id: `template ${server} ${template.uri}`,
        icon: 'symbol-structure',
        label: name,
        ...(name === template.uri ? {} : { detail: template.uri }),
        origin: server,
        ...(description === '' ? {} : { description }),
        // Open: the list goes on with what fits the variable.
        insert: `@${server}:${first}`,
        score: Math.max(0, score - 50),
      },
    ];
  }
  const at = placeIn(parts, uri);
  if (at === undefined) return [];
  const values = await offers
    .complete(
      server,
      { type: 'ref/resource', uri: template.uri },
      { name: at.variable, value: at.value },
      at.others,
      signal,
    )
    .catch(() => []);
  // A text with half a character can stand in no URI.
  const sayable = values.filter((value) => value.isWellFormed());
  return sayable.map((value, index) => {
    const written = at.isWhole ? encodeURI(value) : encodeURIComponent(value);
    const whole = `${at.before}${written}${at.after}`;
    return {
      id: `value ${server} ${template.uri} ${value}`,
      icon: 'database',
      label: value,
      detail: whole,
      origin: server,
      insert: at.isLast ? `${mentionText(`${server}:${whole}`)} ` : `@${server}:${whole}`,
      score: 900 - index,
    };
  });
}

/**
 * Texts and variables in turn, a text first. Several variables in one pair of braces, and those of a
 * query, end what can be completed.
 */
function partsOf(template: string): readonly string[] {
  const parts: string[] = [''];
  for (const [index, piece] of template.split(/\{([^{}]*)\}/u).entries()) {
    const isText = index % 2 === 0;
    const [, operator = '', name] = /^([+#/.]?)(\w+)\*?$/u.exec(piece) ?? [];
    // All but `+` stand before the value.
    const text = isText ? piece : name === undefined || operator === '+' ? '' : operator;
    parts.push(`${parts.pop() ?? ''}${text}`);
    // As it is filled in: with what a path may hold, or without.
    const isWhole = operator === '+' || operator === '#';
    if (!isText) parts.push(name === undefined ? piece : isWhole ? `+${name}` : name, '');
  }
  return parts;
}

interface TemplatePlace {
  readonly variable: string;
  readonly value: string;
  readonly before: string;
  readonly after: string;
  readonly others: Readonly<Record<string, string>>;
  readonly isLast: boolean;
  /** The value may hold a slash. */
  readonly isWhole: boolean;
}

/** Which variable the end of `uri` is in. */
function placeIn(parts: readonly string[], uri: string): TemplatePlace | undefined {
  const others: Record<string, string> = {};
  let before = '';
  for (let index = 0; index < parts.length; index += 2) {
    const text = parts[index] ?? '';
    const named = parts[index + 1];
    if (!uri.startsWith(`${before}${text}`)) return undefined;
    before += text;
    const [, whole, variable] = /^(\+?)(\w+)$/u.exec(named ?? '') ?? [];
    if (variable === undefined) return undefined;
    const rest = uri.slice(before.length);
    const next = parts[index + 2] ?? '';
    const end = next === '' ? -1 : rest.indexOf(next);
    if (end === -1) {
      const isLast = parts.slice(index + 2).every((part) => part === '');
      const isWhole = whole === '+';
      return { variable, value: decode(rest), before, after: next, others, isLast, isWhole };
    }
    others[variable] = decode(rest.slice(0, end));
    before += rest.slice(0, end);
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
