import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import { cleanName } from './names';
import { isRecord } from './wire';

/** A choice of tools that a repository keeps, as its file has it. */
export interface ToolSet {
  readonly name: string;
  /** What it is for; empty where the file does not say. */
  readonly description: string;
  /** Patterns of the tools that are on; a whole server is `mcp__server__*`. Each once. */
  readonly patterns: readonly string[];
}

export interface ToolSets {
  readonly sets: readonly ToolSet[];
  /** Localized, with the place: what is left out. All else counts. */
  readonly faults: readonly string[];
  /** The file cannot be read as a whole: what was known of it before goes on. */
  readonly isBroken: boolean;
}

const MAX_SETS = 200;
const MAX_ENTRIES = 1_000;
const MAX_NAME = 100;

/** Reads `.patchbay/toolsets.json`. Each bad entry is named, and nothing else is lost with it. */
export function parseToolSets(text: string): ToolSets {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return broken(l10n.t('It is not JSON: {0}', errorMessage(error)));
  }
  const sets = isRecord(parsed) ? parsed.sets : undefined;
  if (!isRecord(sets)) {
    return broken(l10n.t('It needs an object "sets", such as {0}', EXAMPLE));
  }
  const faults: string[] = [];
  const read = Object.entries(sets)
    .slice(0, MAX_SETS)
    .flatMap(([name, value]) => readSet(name, value, faults));
  const more = Object.keys(sets).length - MAX_SETS;
  if (more > 0) faults.push(l10n.t('It has more than {0} sets; {1} are left out', MAX_SETS, more));
  return { sets: read, faults, isBroken: false };
}

const EXAMPLE = '{ "sets": { "review": { "tools": ["mcp__code__*"] } } }';

function broken(fault: string): ToolSets {
  return { sets: [], faults: [fault], isBroken: true };
}

function readSet(name: string, value: unknown, faults: string[]): readonly ToolSet[] {
  if (name.trim() === '' || name.length > MAX_NAME) {
    faults.push(l10n.t('The name of a set must have 1 to {0} characters', MAX_NAME));
    return [];
  }
  if (!isRecord(value)) {
    faults.push(l10n.t('The set "{0}" must be an object with "tools" or "servers"', name));
    return [];
  }
  const tools = list(value.tools, `${name}.tools`, faults).flatMap((entry, at) =>
    toolPattern(entry, `${name}.tools[${at}]`, faults),
  );
  const servers = list(value.servers, `${name}.servers`, faults).flatMap((entry, at) =>
    serverPattern(entry, `${name}.servers[${at}]`, faults),
  );
  for (const key of Object.keys(value)) {
    if (['tools', 'servers', 'description'].includes(key)) continue;
    faults.push(l10n.t('{0}: a set has no such field', `${name}.${key}`));
  }
  const description = typeof value.description === 'string' ? value.description : '';
  return [{ name, description, patterns: [...new Set([...servers, ...tools])] }];
}

function list(value: unknown, place: string, faults: string[]): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    faults.push(l10n.t('{0} must be a list', place));
    return [];
  }
  if (value.length > MAX_ENTRIES) {
    faults.push(l10n.t('{0}: only the first {1} entries count', place, MAX_ENTRIES));
  }
  return value.slice(0, MAX_ENTRIES) as unknown[];
}

/** `mcp__server`, alone, is all of a server. */
function toolPattern(entry: unknown, place: string, faults: string[]): readonly string[] {
  const text = typeof entry === 'string' ? entry.trim() : '';
  if (!/^mcp__[A-Za-z0-9_*-]+$/.test(text)) {
    faults.push(l10n.t('{0} must be a tool of a server, such as "mcp__code__symbols"', place));
    return [];
  }
  return [text.includes('*') || text.slice(5).includes('__') ? text : `${text}__*`];
}

function serverPattern(entry: unknown, place: string, faults: string[]): readonly string[] {
  const text = typeof entry === 'string' ? entry.trim() : '';
  if (text === '' || text.includes('*')) {
    faults.push(l10n.t('{0} must be the name of a server, such as "code"', place));
    return [];
  }
  return [`mcp__${cleanName(text)}__*`];
}
