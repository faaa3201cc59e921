/** How to reach a server that runs elsewhere, as its configuration has it; `timeout` in ms, of one call. */
export type AttachedEntry =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly timeout?: unknown;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly timeout?: unknown;
    };
