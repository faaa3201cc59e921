import * as z from 'zod/mini';
import type { FrameRow, FrameUpdate } from './frameRowProtocol';

/**
 * The messages between the host and the wire inspector's page. The host checks what arrives
 * ({@link tryParseInspectorMessage}); the page trusts the host.
 */

/** What is left out, where. */
export interface Redaction {
  /** Keys, tokens, headers and environments, in the detail and when saving. */
  readonly secrets: boolean;
  /** Prompts, answers, inputs, results and contents of files, when saving. */
  readonly contents: boolean;
}

/** How much there is besides the rows. */
export interface InspectorCounts {
  /** The first frame that is still kept; what was before is dropped. */
  readonly first: number;
  /** Frames that were dropped since the list was last cleared. */
  readonly dropped: number;
  /** Frames that came while it is paused. */
  readonly missed: number;
}

/** Host → page. */
export type InspectorHostMessage =
  /** Everything; the answer to `ready`. `l10n` is the bundle of the editor's language. */
  | {
      readonly type: 'start';
      /** Localized name of the conversation. */
      readonly conversation: string;
      readonly rows: readonly FrameRow[];
      readonly counts: InspectorCounts;
      readonly isPaused: boolean;
      readonly redaction: Redaction;
      readonly l10n?: Record<string, string>;
    }
  | {
      readonly type: 'frames';
      readonly rows: readonly FrameRow[];
      readonly updates: readonly FrameUpdate[];
      readonly counts: InspectorCounts;
    }
  | { readonly type: 'counts'; readonly counts: InspectorCounts; readonly isPaused: boolean }
  /** The conversation is called something else now. */
  | { readonly type: 'named'; readonly conversation: string }
  | { readonly type: 'detail'; readonly detail: FrameDetail };

/** A frame as indented JSON. */
export interface FrameDetail {
  readonly n: number;
  /** Undefined where the frame is no longer kept. */
  readonly text: string | undefined;
  /** Long texts inside, or its end, are left out. */
  readonly isFolded: boolean;
  /** Places in which something is hidden. */
  readonly hidden: number;
}

const n = z.int().check(z.positive());

/** Page → host. */
export const inspectorMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Asks the person for another conversation. */
  z.object({ type: z.literal('choose') }),
  z.object({ type: z.literal('pause'), on: z.boolean() }),
  z.object({ type: z.literal('clear') }),
  z.object({ type: z.literal('redact'), secrets: z.boolean(), contents: z.boolean() }),
  z.object({ type: z.literal('detail'), n }),
  z.object({ type: z.literal('save') }),
  /** All frames, as they would be saved. */
  z.object({ type: z.literal('openAll') }),
  /** One frame as a whole. */
  z.object({ type: z.literal('openFrame'), n }),
  z.object({ type: z.literal('copyFrame'), n }),
  /** The page could not draw; for the log only. */
  z.object({ type: z.literal('viewError'), message: z.string() }),
]);

export type InspectorMessage = z.infer<typeof inspectorMessageSchema>;

/** Parses what the page sent; undefined when it is none of ours. */
export function tryParseInspectorMessage(value: unknown): InspectorMessage | undefined {
  const parsed = inspectorMessageSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
