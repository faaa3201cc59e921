import * as z from 'zod/mini';
import type { ChangeEntry } from './changeEntry';

/** The name of a content: nothing that could lead out of its folder. */
const content = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Of the permissions alone: nothing that would run as somebody else. */
const mode = z.optional(z.int().check(z.minimum(0), z.maximum(0o777)));
const kept = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('folder') }),
  z.object({
    ...{ kind: z.literal('text'), text: content, crlf: z.boolean() },
    ...{ bytes: z.optional(content), mode },
  }),
  z.object({ kind: z.literal('binary'), bytes: content, mode }),
  z.object({
    ...{ kind: z.literal('opaque'), stamp: z.string() },
    why: z.enum(['large', 'unreadable', 'full']),
  }),
]);
const entry = z.object({
  ...{ id: z.uuid(), path: z.string(), from: z.optional(z.string()) },
  ...{ base: kept, after: kept, isMixed: z.optional(z.boolean()) },
  ...{ added: z.number(), removed: z.number() },
});

/** Entries as they are written down; what does not fit is left out. @throws for what is no JSON */
export function parseEntries(text: string): readonly ChangeEntry[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => z.safeParse(entry, one).data ?? []);
}
