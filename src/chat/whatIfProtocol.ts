import * as z from 'zod/mini';
import type { PermissionMode } from '../rules/modes';

/**
 * The messages between the host and the page *What would happen?*. The host checks what arrives
 * ({@link tryParseWhatIfMessage}); the page trusts the host.
 */

/** A rule as the page shows it. */
export interface RuleRow {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly text: string;
  /** The CLI's word for where it stands: `userSettings`, `cliArg`, `session` and the like. */
  readonly source: string;
  /** The settings file, where one is known; absolute. */
  readonly file?: string | undefined;
  /** Localized: why it does not count. Undefined for one that is in force. */
  readonly idle?: string | undefined;
}

/** A tool that can be chosen, with what is typed for it. */
export interface ToolChoice {
  readonly name: string;
  readonly label: string;
  readonly input: 'command' | 'path' | 'url' | 'name' | 'json';
}

export interface RulesShown {
  readonly rules: readonly RuleRow[];
  /** `agent`: as the running agent lists them; `files`: as they stand in the settings files. */
  readonly origin: 'agent' | 'files';
  /** The folder for which they count; undefined without one. */
  readonly folder: string | undefined;
  /** Localized: settings files that cannot be read, and the like. */
  readonly notes: readonly string[];
  readonly tools: readonly ToolChoice[];
  readonly modes: readonly { readonly id: PermissionMode; readonly label: string }[];
  /** The mode of the conversation. */
  readonly mode: PermissionMode;
}

export interface VerdictShown {
  readonly verdict: 'allow' | 'ask' | 'deny' | 'unknown';
  /** Localized sentence. */
  readonly why: string;
  readonly rule?: { readonly text: string; readonly source: string } | undefined;
}

/** Host → page. */
export type WhatIfHostMessage =
  /** Everything; the answer to `ready` and to `refresh`. `l10n` is the bundle of the editor's language. */
  | {
      readonly type: 'start';
      readonly shown: RulesShown;
      readonly l10n?: Record<string, string> | undefined;
    }
  /** `n` is that of the question; an older one is late. */
  | { readonly type: 'verdict'; readonly n: number; readonly verdict: VerdictShown };

/** More is not typed by hand. */
const MAX_INPUT = 100_000;

/** Page → host. */
export const whatIfMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Reads the rules anew. */
  z.object({ type: z.literal('refresh') }),
  z.object({
    type: z.literal('judge'),
    n: z.int().check(z.positive()),
    tool: z.string().check(z.maxLength(500)),
    input: z.string().check(z.maxLength(MAX_INPUT)),
    mode: z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']),
  }),
  z.object({ type: z.literal('openFile'), file: z.string() }),
  /** The page could not draw; for the log only. */
  z.object({ type: z.literal('viewError'), message: z.string() }),
]);

export type WhatIfMessage = z.infer<typeof whatIfMessageSchema>;

/** Parses what the page sent; undefined when it is none of ours. */
export function tryParseWhatIfMessage(value: unknown): WhatIfMessage | undefined {
  const parsed = whatIfMessageSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
