import * as l10n from '@vscode/l10n';
import { array, looseObject, minLength, optional, record, string } from 'zod/mini';
import type { $ZodIssue } from 'zod/v4/core';
import { isJsonObject, lazySchema } from '../protocol/lazySchema';

/**
 * An external server as the CLI takes it. `args` is always there: without it the CLI answers with an
 * error of its own making. Fields that we do not know are kept.
 */
export type ExternalEntry =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly [field: string]: unknown;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly [field: string]: unknown;
    };

/** Who connects to the server: the agent's CLI, or this process, which offers it as one of ours. */
export type RunIn = 'cli' | 'editor';

export type ParsedEntry =
  | { readonly ok: true; readonly entry: ExternalEntry; readonly runIn: RunIn }
  /** `reason` is localized and holds no value of the entry. */
  | { readonly ok: false; readonly reason: string };

const stdioSchema = lazySchema(() =>
  looseObject({
    command: string().check(minLength(1)),
    args: optional(array(string())),
    env: optional(record(string(), string())),
  }),
);
const remoteSchema = lazySchema(() =>
  looseObject({ url: string().check(minLength(1)), headers: optional(record(string(), string())) }),
);

/** Other names under which a transport goes in the configuration of other programs. */
const TYPES: ReadonlyMap<unknown, ExternalEntry['type']> = new Map([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['sse', 'sse'],
]);

/** Reads one entry of `mcpServers`, as somebody wrote it. Never throws. */
export function parseServerEntry(value: unknown): ParsedEntry {
  if (!isJsonObject(value)) return bad(l10n.t('it must be an object'));
  const { type: written, runIn = 'cli', ...rest } = value;
  if (runIn !== 'cli' && runIn !== 'editor') {
    return bad(l10n.t('{0} must be one of {1}', 'runIn', 'cli, editor'));
  }
  const type = transportOf(written, rest);
  if (type === undefined) {
    return written === undefined
      ? bad(l10n.t('it needs either {0} or {1}', 'command', 'url'))
      : bad(l10n.t('{0} must be one of {1}', 'type', 'stdio, http, sse'));
  }
  const checked = type === 'stdio' ? stdioSchema().safeParse(rest) : remoteSchema().safeParse(rest);
  if (!checked.success) return bad(describeIssue(checked.error.issues[0]));
  // Both schemas are loose, so the value is the entry itself, checked.
  const entry = { ...rest, type, ...(type === 'stdio' ? { args: rest.args ?? [] } : {}) };
  const fault = type === 'stdio' ? undefined : urlFault(String(rest.url));
  if (fault !== undefined) return bad(fault);
  // The schema has seen each field that the type names.
  return { ok: true, entry: entry as unknown as ExternalEntry, runIn };
}

function transportOf(
  written: unknown,
  rest: Record<string, unknown>,
): ExternalEntry['type'] | undefined {
  if (written !== undefined) return TYPES.get(written);
  if (rest.command !== undefined) return 'stdio';
  return rest.url === undefined ? undefined : 'http';
}

/** A variable may still stand in it, so only its beginning is looked at. */
function urlFault(url: string): string | undefined {
  return /^(https?:\/\/|\$\{)/i.test(url)
    ? undefined
    : l10n.t('{0} must begin with {1}', 'url', 'http:// or https://');
}

function describeIssue(issue: $ZodIssue | undefined): string {
  const place = issue?.path.map(String).join('.') ?? '';
  const expected = issue?.code === 'invalid_type' ? issue.expected : undefined;
  if (expected === 'array') return l10n.t('{0} must be a list of texts', place);
  if (expected === 'record') return l10n.t('{0} must be an object of texts', place);
  return l10n.t('{0} must be a text, and not empty', place);
}

function bad(reason: string): ParsedEntry {
  return { ok: false, reason };
}
