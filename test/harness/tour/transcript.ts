/** What the transcript of a tour holds: only what was seen in the panel. */
export type TranscriptEntry = SpokenEntry | ToolEntry | EventEntry;

export interface SpokenEntry {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface ToolEntry {
  /** The tool's name as the card shows it, such as `mcp__code__diagnostics`. */
  readonly tool: string;
  /** The input as the card shows it, parsed. */
  readonly input: unknown;
  readonly result: string;
  readonly isError: boolean;
}

export type EventEntry =
  | {
      readonly event: 'permission';
      readonly request: string;
      readonly shown: string;
      readonly answer: string;
    }
  | { readonly event: 'approval'; readonly request: string; readonly shown: string }
  | { readonly event: 'stop'; readonly status: string }
  | { readonly event: 'crash'; readonly alert: string; readonly draft: string }
  | { readonly event: 'resumed'; readonly prompt: string }
  | {
      readonly event: 'result';
      /** US dollars, whole conversation. */
      readonly cost: number;
      /** Of the last turn, in and out. */
      readonly tokens: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly turns: number;
    };

/** Fails the tour with what was expected and what was seen instead. */
export function expectSeen(holds: boolean, expected: string, seen: string): asserts holds {
  if (!holds) throw new Error(`tour: expected ${expected}, but saw: ${seen.slice(0, 2000)}`);
}
