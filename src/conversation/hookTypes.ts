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
interface Call {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
}

interface ModelSwitch {
  readonly from_model: string;
  readonly to_model: string;
  readonly requested_model: string | null;
  readonly source: string;
}

interface Task {
  readonly task_id: string;
  readonly task_subject: string;
  readonly task_description?: string;
}

/** The events by name, each with what it tells besides {@link HookBase}. */
export interface HookFields {
  PreToolUse: Call;
  PostToolUse: Call & { readonly tool_response: unknown; readonly duration_ms?: number };
  PostToolUseFailure: Call & { readonly error: string; readonly is_interrupt?: boolean };
  PostToolBatch: { readonly tool_calls: readonly object[] };
  PermissionRequest: Omit<Call, 'tool_use_id'>;
  PermissionDenied: Call & { readonly reason: string };
  Notification: {
    readonly message: string;
    readonly title?: string;
    readonly notification_type: string;
  };
  UserPromptSubmit: { readonly prompt: string };
  UserPromptExpansion: {
    readonly command_name: string;
    readonly command_args: string;
    readonly prompt: string;
  };
  SessionStart: { readonly source: string; readonly model?: string };
  SessionEnd: { readonly reason: string };
  Setup: { readonly trigger: string };
  Stop: { readonly stop_hook_active: boolean; readonly last_assistant_message?: string };
  StopFailure: { readonly error: string; readonly error_details?: string };
  SubagentStart: { readonly agent_id: string; readonly agent_type: string };
  SubagentStop: {
    readonly stop_hook_active: boolean;
    readonly agent_id: string;
    readonly agent_type: string;
    readonly last_assistant_message?: string;
  };
  PreCompact: { readonly trigger: string; readonly custom_instructions: string | null };
  PostCompact: { readonly trigger: string; readonly compact_summary: string };
  PreModelSwitch: ModelSwitch;
  PostModelSwitch: ModelSwitch;
  TeammateIdle: { readonly teammate_name: string; readonly team_name: string };
  TaskCreated: Task;
  TaskCompleted: Task;
  Elicitation: {
    readonly mcp_server_name: string;
    readonly message: string;
    readonly mode?: string;
    readonly url?: string;
  };
  ElicitationResult: { readonly mcp_server_name: string; readonly action: string };
  ConfigChange: { readonly source: string; readonly file_path?: string };
  InstructionsLoaded: {
    readonly file_path: string;
    readonly memory_type: string;
    readonly load_reason: string;
  };
  WorktreeCreate: { readonly name: string };
  WorktreeRemove: { readonly worktree_path: string };
  CwdChanged: { readonly old_cwd: string; readonly new_cwd: string };
  FileChanged: { readonly file_path: string; readonly event: string };
  DirectoryAdded: { readonly directory: string; readonly source: string };
  MessageDisplay: { readonly message_id: string; readonly delta: string; readonly final: boolean };
  PreSkillShellCommand: {
    readonly tool_name: string;
    readonly tool_input: { readonly command: string };
    readonly tool_use_id: string;
    readonly command_name: string;
  };
}

export type HookEvent = keyof HookFields;
export type HookInputOf<E extends HookEvent> = HookBase &
  HookFields[E] & { readonly hook_event_name: E };

/** What a handler may answer; which of it counts stands in the table of events. */
export interface HookAnswer {
  /** Why it must not happen; the model reads it. */
  readonly deny?: string | undefined;
  /** Why the person is asked about it, whatever rule allows it. */
  readonly ask?: string | undefined;
  /** Other arguments for the call; the person sees them on the card. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
  /** Given to the model beside what happened. */
  readonly additionalContext?: string | undefined;
}

export type HookAnswerField = keyof HookAnswer;
