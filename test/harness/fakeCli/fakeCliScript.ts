/** What the fake CLI can be told to do, and what it writes down. */

/** One thing that the fake does. `$UUID` in any text is the prompt's own uuid. */
export type FakeStep =
  | { line: unknown; chunkBytes?: number }
  | { raw: string; chunkBytes?: number }
  | { base64: string; chunkBytes?: number }
  /** A tool result with a text of so many characters. */
  | { big: number }
  | { stderr: string; times?: number }
  | { wait: number }
  /** Waits until `FakeCli.open` was called with this name. */
  | { gate: string }
  | { exit: number }
  | { kill: NodeJS.Signals }
  /** Goes on for ever, until interrupted or ended. */
  | { hang: true }
  /** So many bytes and no newline. */
  | { flood: number }
  /** Reads no more of what the host writes. */
  | { deaf: true }
  /** Says nothing more, and goes on running. */
  | { closeStdout: true }
  /** Sends a control request and does not wait; the answer is recorded. */
  | { ask: unknown; id: string }
  | { cancel: string }
  | { answerTo: string }
  | { deltas: number; text?: string }
  | { calls: number; atOnce?: boolean; server?: string; tool?: string }
  | { grandchild: { ignoreSigterm?: boolean; holdStdout?: boolean; detached?: boolean } }
  /** Leaves a `sleep` behind as a shell command of the real CLI does: its session's leader is gone. */
  | { stray: { ignoreSigterm?: boolean } }
  | { result: Record<string, unknown> };

export interface FakeScript {
  /** What `--version` prints. */
  version?: string;
  help?: string;
  rejectFlags?: string[];
  /** What it says to one of them, in place of not knowing it. */
  rejectText?: string;
  /** How `auth status` exits; 0 says that there is a login. */
  authStatus?: number;
  /** False plays a CLI that does not know manifests. */
  manifests?: boolean;
  /** The older wire of in-process servers, and the key that names the server. */
  wire?: 'mcp_message' | 'sdk_mcp_request';
  serverKey?: 'server_name' | 'serverName';
  protocolVersion?: string;
  initialize?: {
    never?: boolean;
    error?: string;
    response?: Record<string, unknown>;
    pending?: unknown[];
    /** Answered once a file of this name is in the working folder. */
    gate?: string;
    /** What a second `initialize` lists instead. */
    pendingLater?: unknown[];
    /** Forms of servers that a second `initialize` lists. */
    elicitationsLater?: unknown[];
  };
  /** Outbound requests that get no answer. */
  silentTo?: string[];
  atStart?: FakeStep[];
  afterInitialize?: FakeStep[];
  /** One list for each prompt; prompts beyond get a plain answer `ok`. */
  turns?: FakeStep[][];
  /** Keeps an (empty) file of its session below `CLAUDE_CONFIG_DIR`, as the CLI does. */
  sessionFile?: boolean;
  /** So many prompts, the first ones, are queued and never begun. */
  holdPrompts?: number;
  ignoreStdinClose?: boolean;
  ignoreSigterm?: boolean;
  exitCode?: number;
  /** False leaves the lines it read out of the record. */
  record?: boolean;
}

export interface FakeAnswer {
  subtype: string;
  request_id: string;
  response?: { mcp_response?: unknown; [key: string]: unknown };
  error?: string;
}

export type FakeRecord =
  | { kind: 'version' | 'stdinClosed' | 'sigterm' }
  | { kind: 'start'; pid: number; argv: string[]; cwd: string; env: Record<string, string> }
  | { kind: 'auth'; argv: string[] }
  | { kind: 'line'; line: string }
  | { kind: 'answer'; id: string; response: FakeAnswer }
  | { kind: 'handshake'; server: string; method: string; response: FakeAnswer }
  | { kind: 'mcpConfig'; config: { mcpServers: Record<string, Record<string, unknown>> } }
  | { kind: 'grandchild'; pid: number }
  | { kind: 'calls'; number: number };
