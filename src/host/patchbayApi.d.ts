/**
 * What Patchbay offers to other extensions. Copy this file into your extension; it imports nothing.
 *
 *     const extension = vscode.extensions.getExtension<PatchbayApi>('patchbay.patchbay');
 *     const patchbay = await extension?.activate();
 *
 * All strings that name things are as the agent's model sees them, in English.
 */
export interface PatchbayApi {
  /** Grows with each change that an extension could notice; what is in a version stays in it. */
  readonly apiVersion: 1;

  /** Offers a tool, on a server that is named after your extension: `mcp__publisher_name__tool`. */
  registerTool<Input = Record<string, unknown>>(tool: ApiTool<Input>): Registration;
  /** Offers a server of its own name: your tools in one, or an `McpServer` of the MCP SDK. */
  registerServer(server: ApiServer | ConnectableServer): Registration;
  registerPrompt(prompt: ApiPrompt): Registration;
  registerResource(resource: ApiResource): Registration;

  /** Asks the agent once, in a conversation of its own. Rejects when there is no answer. */
  ask(prompt: string, options?: ConversationOptions): Promise<ApiAnswer>;
  /** Starts a conversation that no panel shows. It ends with the iteration, or with `dispose`. */
  startConversation(options: ConversationOptions & { readonly prompt: string }): ApiConversation;

  /** Fires after each call of a tool in any conversation of the window: in-process, external, the CLI's own. */
  readonly onDidCallTool: ApiEvent<ToolCallEvent>;
  /** Fires as in-process servers and conversations work: for a ledger, a log, or figures of your own. */
  readonly onDidServerEvent: ApiEvent<ServerEvent>;
}

export interface ApiDisposable {
  dispose(): void;
}
export type ApiEvent<T> = (listener: (event: T) => void) => ApiDisposable;

/**
 * `ready` resolves when it is offered: the first time only after the person has allowed your
 * extension, which is asked when the panel is first used. It rejects with the reason when it is not.
 */
export interface Registration extends ApiDisposable {
  readonly ready: Promise<void>;
}

export interface ApiTool<Input = Record<string, unknown>> {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of an object, or a zod 4 shape or object. What does not fit never reaches `run`. */
  readonly input: object;
  /** `readOnlyHint` is not believed: a tool asks until a rule of the person allows it. */
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  /** The schema is in the model's request from the start, not found by its tool search. */
  readonly alwaysLoad?: boolean;
  /** Milliseconds that one call may take, 60,000 by default. */
  readonly timeout?: number;
  /**
   * A text, a value that becomes JSON, or `{ content: [...] }` as in MCP. What is thrown becomes an
   * error that the model reads, without its stack.
   */
  run(input: Input, context: ApiToolContext): unknown;
}

export interface ApiToolContext {
  /** Aborted on Stop, on time-out, and when the tool or the conversation goes away. */
  readonly signal: AbortSignal;
  /** Links the call with the permission card and with {@link ToolCallEvent.toolUseId}. */
  readonly toolUseId?: string;
  readonly conversation: { readonly id: string; readonly cwd: string };
  /** Lives as long as the conversation. */
  readonly state: Map<string, unknown>;
  progress(done: number, total?: number, message?: string): void;
  /**
   * Asks the person by a form in the panel; the time of the call stands still meanwhile. `schema` is
   * a JSON Schema of an object, or a zod 4 shape or object: texts, numbers, booleans and choices.
   * Rejects where nobody can be asked.
   */
  ask(schema: object, message: string): Promise<ApiFormAnswer>;
}

/** `content` fits the schema. `decline`: the person said no. `cancel`: the form was closed. */
export type ApiFormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

export interface ApiServer {
  /** Letters, digits, `_` and `-`; no other server of the window may have it. */
  readonly name: string;
  readonly version?: string;
  /** Goes into the model's context: keep it short. */
  readonly instructions?: string;
  // Each tool has an input of its own; the schema types what its `run` gets.
  readonly tools?: readonly ApiTool<never>[];
  readonly prompts?: readonly ApiPrompt[];
  readonly resources?: readonly ApiResource[];
}

/** Disconnected when the registration is disposed of, never closed. */
export interface ConnectableServer {
  readonly name: string;
  readonly server: { connect(transport: never): Promise<void> };
}

export interface ApiPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of an object whose properties are texts, or a zod 4 shape. */
  readonly arguments?: object;
  run(args: Readonly<Record<string, unknown>>): string | Promise<string>;
}

export interface ApiResource {
  /** Fixed, or with variables: `todo://{owner}`. */
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** A text, bytes, or a value that becomes JSON; undefined when it is not there. */
  read(variables: Readonly<Record<string, string>>): unknown;
}

/** A server for one conversation: one to connect to, or one that runs in your extension. */
export type ConversationServer =
  | {
      readonly type?: 'stdio';
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly server: { connect(transport: never): Promise<void> } };

export interface ConversationOptions {
  /** Besides the servers of the window; names must be new. */
  readonly mcpServers?: Readonly<Record<string, ConversationServer>>;
  /** Permission rules of tools that run without a question. All others ask the person. */
  readonly allowedTools?: readonly string[];
  readonly maxTurns?: number;
  readonly model?: string;
  /** Added to the agent's own. */
  readonly systemPrompt?: string;
  /** A folder in the workspace; by default its first. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /**
   * Answers what a tool, a server or the agent asks the person meanwhile, since no panel shows the
   * conversation. Without it, and when it throws, the answer is `decline`. `signal` is aborted when
   * nobody waits for the answer any more.
   */
  readonly onAsk?: (ask: ApiAsk, signal: AbortSignal) => ApiAskAnswer | Promise<ApiAskAnswer>;
}

export type ApiAsk =
  /** `schema` is a JSON Schema of an object of plain fields. */
  | {
      readonly kind: 'form';
      readonly server: string;
      readonly tool?: string;
      readonly message: string;
      readonly schema: Readonly<Record<string, unknown>>;
    }
  /** `accept` says that the page was opened. */
  | {
      readonly kind: 'url';
      readonly server: string;
      readonly message: string;
      readonly url: string;
    }
  /** The agent's own questions: `content` holds the answers by the texts of the questions. */
  | {
      readonly kind: 'questions';
      readonly questions: readonly {
        readonly question: string;
        readonly header: string;
        readonly multiSelect: boolean;
        readonly options: readonly { readonly label: string; readonly description: string }[];
      }[];
    };

/** `decline`: the person said no. `cancel`: nobody answered. */
export type ApiAskAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

export type ApiMessage =
  | {
      readonly type: 'started';
      readonly conversationId: string;
      readonly model: string;
      readonly tools: readonly string[];
    }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'toolCall';
      readonly toolUseId: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | { readonly type: 'toolResult'; readonly toolUseId: string; readonly isError: boolean }
  | ApiResult;

/** The end of what one prompt has set going. */
export interface ApiResult {
  readonly type: 'result';
  readonly isError: boolean;
  /** The last answer; with `isError` what went wrong. */
  readonly text: string;
  /** `success`, `error_max_turns`, or what else the agent says. */
  readonly reason: string;
  readonly turns: number;
  /** Of the whole conversation so far. */
  readonly costUsd: number;
  readonly durationMs: number;
}

export interface ApiConversation extends AsyncIterable<ApiMessage>, ApiDisposable {
  /** Says something more. The iteration ends after the result of the last prompt. */
  send(prompt: string): void;
}

export interface ApiAnswer {
  readonly text: string;
  readonly turns: number;
  readonly costUsd: number;
}

/** Never holds arguments, results or contents. */
export interface ToolCallEvent {
  readonly conversationId: string;
  readonly toolUseId: string;
  /** As the model calls it: `Read`, `mcp__editor__open_editors`. */
  readonly tool: string;
  readonly source: 'inProcess' | 'external' | 'cli';
  /** Of `inProcess` and `external`, where it is known. */
  readonly server?: string;
  readonly outcome: 'success' | 'error';
  readonly durationMs: number;
}

/**
 * A step of an in-process server, or of a whole conversation: each has a start, and then either a
 * stop or an exception. It stays on this machine. Never holds arguments, results or contents.
 */
export type ServerEvent = ServerEventSubject &
  (
    | { readonly phase: 'start' }
    /** `error`: a tool's result was one, which the model has read as such. */
    | (ServerEventEnd & { readonly phase: 'stop'; readonly outcome: 'success' | 'error' })
    /** `code` of JSON-RPC; a conversation, which ended after its agent had failed, has none. */
    | (ServerEventEnd & { readonly phase: 'exception'; readonly code?: number })
  );

export type ServerEventSubject =
  /** From the first prompt to the end. */
  | { readonly work: 'conversation'; readonly conversationId: string }
  | {
      /** `other` is a ping, a subscription, or a method of a server's own. */
      readonly work: 'initialize' | 'list' | 'call' | 'read' | 'prompt' | 'complete' | 'other';
      readonly conversationId: string;
      readonly server: string;
      /** Of MCP: `tools/call`. */
      readonly method: string;
      /** Of a call only, as the server names it. */
      readonly tool?: string;
      /** Joins start and end. */
      readonly requestId: string;
      readonly toolUseId?: string;
    };

export interface ServerEventEnd {
  readonly durationMs: number;
  /** Of the JSON that came in and went out; of a conversation, of all its requests. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Files that the result names, or quotes: paths as the result has them. */
  readonly files: readonly {
    readonly path: string;
    /** Bytes of the result that are the file's text; 0 where it is only named. */
    readonly bytes: number;
  }[];
}
