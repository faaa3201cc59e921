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
  /**
   * Sees, and where the event allows it holds back or adds to, what the agent does, in every
   * conversation of the window, also in those that run.
   */
  registerHook<E extends HookEvent>(hook: ApiHook<E>): Registration;

  /** Asks the agent once, in a conversation of its own. Rejects when there is no answer. */
  ask(prompt: string, options?: ConversationOptions): Promise<ApiAnswer>;
  /** Starts a conversation that no panel shows. It ends with iteration, `dispose` or consent. */
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
 * extension, which is asked when the panel is first used. Else it rejects with the reason; of a
 * server some of whose definitions are bad it names these, and the others are offered.
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
  /**
   * Of a tool that writes files: the paths that this call will write, absolute or relative to the
   * conversation's folder. Asked before the call and as it runs; must not change anything. Where all
   * lie in the workspace and none is protected, the permission mode _Accept edits_ lets the call
   * run without a question; elsewhere the person is asked.
   */
  edits?(input: Input): readonly string[] | Promise<readonly string[]>;
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
  /** Besides the servers of the window, as those come and go; names must be new. */
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

/** The end of what one prompt has set going, agents in the background included. */
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
  /** Says something more; throws once it has ended. The iteration ends after the last prompt's result. */
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

/**
 * A hook. An answer that does not come in time (30 s where something waits for it, else 5 s), and a
 * handler that throws, count as none; for `PreToolUse` and the others that can ask, the person is
 * asked then. Several hooks for one event: `deny` goes before `ask`, texts are joined, the first
 * changed input counts. None can allow what the person has not allowed.
 */
export interface ApiHook<E extends HookEvent = HookEvent> {
  readonly event: E;
  /**
   * A regular expression for the whole of what the event is about: the tool (`Bash|mcp__git__.*`),
   * the kind of agent, what triggered it. Without one, all.
   */
  readonly matcher?: string;
  run(
    input: HookInput<E>,
    context: ApiHookContext,
  ): HookAnswers<E> | undefined | Promise<HookAnswers<E> | undefined>;
}

export interface ApiHookContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly conversation: { readonly id: string; readonly cwd: string };
}

/** What every hook is told (facts: CLI 2.1.332; more fields may come). */
export interface HookBase {
  readonly session_id: string;
  /** The CLI's own file of the conversation. */
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode?: string;
  /** Set when a subagent does it. */
  readonly agent_id?: string;
  readonly agent_type?: string;
}

/** A call of a tool; `tool_input` is as the model wrote it. */
export interface HookCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
}

export interface HookModelSwitch {
  readonly from_model: string;
  readonly to_model: string;
  readonly requested_model: string | null;
  readonly source: string;
}

export interface HookTask {
  readonly task_id: string;
  readonly task_subject: string;
  readonly task_description?: string;
}

/** The events by name, each with what it tells besides {@link HookBase}. */
export interface HookFields {
  PreToolUse: HookCall;
  PostToolUse: HookCall & { readonly tool_response: unknown; readonly duration_ms?: number };
  PostToolUseFailure: HookCall & { readonly error: string; readonly is_interrupt?: boolean };
  PostToolBatch: { readonly tool_calls: readonly object[] };
  PermissionRequest: Omit<HookCall, 'tool_use_id'>;
  PermissionDenied: HookCall & { readonly reason: string };
  Notification: {
    readonly message: string;
    readonly title?: string;
    readonly notification_type: string;
  };
  UserPromptSubmit: { readonly prompt: string };
  UserPromptExpansion: Readonly<Record<'command_name' | 'command_args' | 'prompt', string>>;
  SessionStart: { readonly source: string; readonly model?: string };
  SessionEnd: { readonly reason: string };
  Setup: { readonly trigger: string };
  Stop: { readonly stop_hook_active: boolean; readonly last_assistant_message?: string };
  StopFailure: { readonly error: string; readonly error_details?: string };
  SubagentStart: { readonly agent_id: string; readonly agent_type: string };
  SubagentStop: HookFields['Stop'] & HookFields['SubagentStart'];
  PreCompact: { readonly trigger: string; readonly custom_instructions: string | null };
  PostCompact: { readonly trigger: string; readonly compact_summary: string };
  PreModelSwitch: HookModelSwitch;
  PostModelSwitch: HookModelSwitch;
  TeammateIdle: { readonly teammate_name: string; readonly team_name: string };
  TaskCreated: HookTask;
  TaskCompleted: HookTask;
  Elicitation: {
    readonly mcp_server_name: string;
    readonly message: string;
    readonly mode?: string;
    readonly url?: string;
  };
  ElicitationResult: { readonly mcp_server_name: string; readonly action: string };
  ConfigChange: { readonly source: string; readonly file_path?: string };
  InstructionsLoaded: Readonly<Record<'file_path' | 'memory_type' | 'load_reason', string>>;
  WorktreeRemove: { readonly worktree_path: string };
  CwdChanged: { readonly old_cwd: string; readonly new_cwd: string };
  FileChanged: { readonly file_path: string; readonly event: string };
  DirectoryAdded: { readonly directory: string; readonly source: string };
  PreSkillShellCommand: HookCall & {
    readonly tool_input: { readonly command: string };
    readonly command_name: string;
  };
}

export type HookEvent = keyof HookFields;
export type HookInput<E extends HookEvent> = HookBase &
  HookFields[E] & { readonly hook_event_name: E };

export interface HookDenial {
  /** Why it must not happen; the model reads it. Of `Stop`: what the agent goes on with. */
  readonly deny?: string;
}
export interface HookQuestion {
  /** Why the person is asked, whatever rule allows it. */
  readonly ask?: string;
}
export interface HookAddition {
  /** Given to the model beside what happened. */
  readonly additionalContext?: string;
}
export interface HookChange {
  /** Other arguments for the call; the person sees these on the card. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}

export type HookAnswers<E extends HookEvent> = E extends 'PreToolUse'
  ? HookDenial & HookQuestion & HookChange & HookAddition
  : E extends 'PreModelSwitch' | 'PreSkillShellCommand'
    ? HookDenial & HookQuestion
    : E extends 'UserPromptSubmit'
      ? HookDenial & HookAddition
      : E extends 'PermissionRequest' | 'Stop' | 'SubagentStop'
        ? HookDenial
        : E extends
              | 'PostToolUse'
              | 'PostToolUseFailure'
              | 'PostToolBatch'
              | 'UserPromptExpansion'
              | 'SessionStart'
              | 'SubagentStart'
              | 'PostModelSwitch'
          ? HookAddition
          : Readonly<Record<string, never>>;
