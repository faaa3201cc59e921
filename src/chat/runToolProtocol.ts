import * as z from 'zod/mini';
import { formDraftSchema } from './askCardSchema';
import type { FormCard } from './askProtocol';

/**
 * The messages between the host and the form of *Run Tool…*. The host checks what arrives
 * ({@link tryParseRunToolMessage}); the page trusts the host.
 */

/** How the last run ended. Texts are localized. */
export interface RunEnd {
  readonly kind: 'done' | 'failed' | 'badInput' | 'cancelled';
  /** One line, for `badInput` one for each argument. */
  readonly text: string;
}

/** All that the page shows. */
export interface RunView {
  /** In words. */
  readonly title: string;
  /** As the model calls it. */
  readonly wireName: string;
  readonly description: string;
  /** Of the arguments, with what was put in so far. */
  readonly form: FormCard;
  /** What the tool asks while it runs. */
  readonly ask?: FormCard | undefined;
  /** How far a run is, in words; undefined while none is. */
  readonly running?: string | undefined;
  readonly end?: RunEnd | undefined;
}

/** Host → page: the answer to `ready`, and after each change. `l10n` is that of the editor's language. */
export interface RunToolHostMessage {
  readonly type: 'show';
  readonly view: RunView;
  readonly l10n?: Record<string, string> | undefined;
}

/** Page → host. */
export const runToolMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** What was put in so far: it outlives the page. */
  z.object({ type: z.literal('draft'), cardId: z.string(), draft: formDraftSchema }),
  /** Runs the tool, or answers what it asks. */
  z.object({ type: z.literal('submit'), cardId: z.string(), draft: formDraftSchema }),
  /** Says no to what it asks. */
  z.object({ type: z.literal('decline'), cardId: z.string() }),
  /** Stops the run; where none is, closes the form. */
  z.object({ type: z.literal('cancel') }),
  /** Shows the last result again. */
  z.object({ type: z.literal('showResult') }),
  /** The page could not draw; for the log only. */
  z.object({ type: z.literal('viewError'), message: z.string() }),
]);

export type RunToolMessage = z.infer<typeof runToolMessageSchema>;

/** Parses what the page sent; undefined when it is none of ours. */
export function tryParseRunToolMessage(value: unknown): RunToolMessage | undefined {
  const parsed = runToolMessageSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
