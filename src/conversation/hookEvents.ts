import type { HookAnswerField, HookEvent } from './hookTypes';

/** Milliseconds for a handler that may hold something back. It may ask a service, not a person. */
const GUARD_WITHIN_MS = 30_000;
/** Milliseconds for one that only looks on: what waits for it goes on without it. */
const OBSERVER_WITHIN_MS = 5_000;

export interface HookSpec {
  /**
   * `guard`: something waits for the answer; without one in time, and after a fault, the person is
   * asked where the event can ask, else it goes on. `observer`: it goes on.
   */
  readonly role: 'guard' | 'observer';
  /** The field of the input that a matcher is held against; absent: a matcher makes no difference. */
  readonly matched?: string;
  /** What counts in an answer. */
  readonly answers: readonly HookAnswerField[];
  /** How a `deny` goes over the wire. `block`: the CLI's `decision`, whose reason the model reads. */
  readonly denial?: 'permission' | 'request' | 'block';
  readonly deadlineMs: number;
  /** Why it is not offered to extensions. */
  readonly closed?: string;
}

const guard = (
  denial: NonNullable<HookSpec['denial']>,
  answers: readonly HookAnswerField[],
  matched?: string,
): HookSpec => ({
  ...{ role: 'guard', denial, answers, deadlineMs: GUARD_WITHIN_MS },
  ...(matched === undefined ? {} : { matched }),
});

const observer = (matched?: string, answers: readonly HookAnswerField[] = []): HookSpec => ({
  ...{ role: 'observer', answers, deadlineMs: OBSERVER_WITHIN_MS },
  ...(matched === undefined ? {} : { matched }),
});

const closed = (why: string): HookSpec => ({ ...observer(), closed: why });

const context: readonly HookAnswerField[] = ['additionalContext'];

/** Every event of the CLI's own catalogue (2.1.332, `get_hooks_listing`), as we take part in it. */
export const HOOK_EVENTS: Readonly<Record<HookEvent, HookSpec>> = {
  PreToolUse: guard(
    'permission',
    ['deny', 'ask', 'updatedInput', 'additionalContext'],
    'tool_name',
  ),
  PostToolUse: observer('tool_name', context),
  PostToolUseFailure: observer('tool_name', context),
  PostToolBatch: observer(undefined, context),
  PermissionRequest: guard('request', ['deny'], 'tool_name'),
  PermissionDenied: observer('tool_name'),
  Notification: observer('notification_type'),
  UserPromptSubmit: guard('block', ['deny', 'additionalContext']),
  UserPromptExpansion: observer('command_name', context),
  SessionStart: observer('source', context),
  SessionEnd: observer('reason'),
  Setup: observer('trigger'),
  // Held back, the agent goes on with the reason as its next task.
  Stop: guard('block', ['deny']),
  StopFailure: observer('error'),
  SubagentStart: observer('agent_type', context),
  SubagentStop: guard('block', ['deny'], 'agent_type'),
  PreCompact: observer('trigger'),
  PostCompact: observer('trigger'),
  PreModelSwitch: guard('permission', ['deny', 'ask'], 'to_model'),
  PostModelSwitch: observer('to_model', context),
  TeammateIdle: observer(),
  TaskCreated: observer(),
  TaskCompleted: observer(),
  // Forms are answered by the person, on our card.
  Elicitation: observer('mcp_server_name'),
  ElicitationResult: observer('mcp_server_name'),
  ConfigChange: observer('source'),
  InstructionsLoaded: observer('memory_type'),
  WorktreeCreate: closed('the CLI leaves the making of the worktree to whoever listens'),
  WorktreeRemove: observer(),
  CwdChanged: observer(),
  FileChanged: observer('file_path'),
  DirectoryAdded: observer('directory'),
  MessageDisplay: closed('each piece of text would wait for an answer'),
  PreSkillShellCommand: guard('permission', ['deny', 'ask'], 'command_name'),
};

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(HOOK_EVENTS, name);
}
