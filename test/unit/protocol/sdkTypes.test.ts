import type * as sdk from '@anthropic-ai/claude-agent-sdk';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindByError, kindByReason } from '../../../src/chat/turnFaultKind';
import { kindByStartupReason } from '../../../src/conversation/processFaultKind';
import type {
  AssistantMessage,
  ResultMessage,
  UserMessage,
} from '../../../src/protocol/conversationMessages';
import type { InitializeResult } from '../../../src/protocol/controlResults';
import {
  parseMessage,
  type AuthStatusMessage,
  type CliMessage,
  type ConversationResetMessage,
  type RateLimitEventMessage,
  type ToolProgressMessage,
} from '../../../src/protocol/messages';
import {
  permissionModes,
  type PermissionMode,
  type PermissionResult,
  type PermissionUpdate,
} from '../../../src/protocol/permissions';
import type { StreamEventMessage } from '../../../src/protocol/streamEvents';
import type { KnownSystemSubtype, SystemMessageOf } from '../../../src/protocol/systemMessages';

/**
 * Our types against the CLI maker's published ones. All of this is judged by the compiler: what is
 * published must fit into ours, and what we send must fit into what is published.
 */
type Fits<Ours, Published extends Ours> = Published;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** Content blocks are left to the parser, which keeps unknown ones; the SDK's are an open list. */
type WithoutContent<T> = T extends { message: unknown }
  ? Omit<T, 'message'> & { message: { content: string } }
  : T;

export type PublishedFitsOurs = [
  Fits<AssistantMessage, WithoutContent<sdk.SDKAssistantMessage>>,
  Fits<UserMessage, WithoutContent<sdk.SDKUserMessage>>,
  Fits<UserMessage, WithoutContent<sdk.SDKUserMessageReplay>>,
  Fits<Omit<ResultMessage, 'usage'>, Omit<sdk.SDKResultSuccess, 'usage'>>,
  Fits<Omit<ResultMessage, 'usage'>, Omit<sdk.SDKResultError, 'usage'>>,
  Fits<NonNullable<ResultMessage['usage']>, Pick<sdk.SDKResultSuccess['usage'], UsageKey>>,
  Fits<Omit<StreamEventMessage, 'event'>, Omit<sdk.SDKPartialAssistantMessage, 'event'>>,
  Fits<ToolProgressMessage, sdk.SDKToolProgressMessage>,
  Fits<RateLimitEventMessage, sdk.SDKRateLimitEvent>,
  Fits<ConversationResetMessage, sdk.SDKConversationResetMessage>,
  Fits<AuthStatusMessage, sdk.SDKAuthStatusMessage>,
  Fits<SystemMessageOf<'init'>, sdk.SDKSystemMessage>,
  Fits<SystemMessageOf<'status'>, sdk.SDKStatusMessage>,
  Fits<SystemMessageOf<'api_retry'>, sdk.SDKAPIRetryMessage>,
  Fits<SystemMessageOf<'permission_denied'>, sdk.SDKPermissionDeniedMessage>,
  Fits<SystemMessageOf<'task_started'>, sdk.SDKTaskStartedMessage>,
  Fits<SystemMessageOf<'task_progress'>, sdk.SDKTaskProgressMessage>,
  Fits<SystemMessageOf<'task_updated'>, sdk.SDKTaskUpdatedMessage>,
  Fits<SystemMessageOf<'task_notification'>, sdk.SDKTaskNotificationMessage>,
  Fits<SystemMessageOf<'background_tasks_changed'>, sdk.SDKBackgroundTasksChangedMessage>,
  Fits<SystemMessageOf<'compact_boundary'>, sdk.SDKCompactBoundaryMessage>,
  Fits<SystemMessageOf<'informational'>, sdk.SDKInformationalMessage>,
  Fits<SystemMessageOf<'notification'>, sdk.SDKNotificationMessage>,
  Fits<SystemMessageOf<'thinking_tokens'>, sdk.SDKThinkingTokensMessage>,
  Fits<SystemMessageOf<'session_state_changed'>, sdk.SDKSessionStateChangedMessage>,
  Fits<SystemMessageOf<'commands_changed'>, sdk.SDKCommandsChangedMessage>,
  Fits<SystemMessageOf<'model_refusal_fallback'>, sdk.SDKModelRefusalFallbackMessage>,
  Fits<SystemMessageOf<'model_refusal_no_fallback'>, sdk.SDKModelRefusalNoFallbackMessage>,
  Fits<SystemMessageOf<'session_writes_lost'>, sdk.SDKSessionWritesLostMessage>,
  Fits<SystemMessageOf<'worker_shutting_down'>, sdk.SDKWorkerShuttingDownMessage>,
  Fits<PermissionUpdate, sdk.PermissionUpdate>,
  Fits<
    Pick<InitializeResult, 'commands' | 'models' | 'account' | 'sdk_mcp_manifests_parked'>,
    sdk.SDKControlInitializeResponse
  >,
];
type UsageKey = 'input_tokens' | 'output_tokens' | 'cache_read_input_tokens';

export type OursFitsPublished = [
  Fits<sdk.PermissionResult, PermissionResult>,
  Fits<sdk.PermissionUpdate, PermissionUpdate>,
  Same<PermissionMode, sdk.PermissionMode>,
];

/** Published kinds that have no schema here and arrive as unknown, on purpose. */
const leftUnknown = {
  types: ['tool_use_summary', 'prompt_suggestion'],
  subtypes: [
    'control_request_progress',
    'hook_started',
    'hook_progress',
    'hook_response',
    'plugin_install',
    'files_persisted',
    'memory_recall',
    'elicitation_complete',
    'mirror_error',
  ],
} as const;

export type EveryPublishedTypeIsDecided = Same<
  Exclude<sdk.SDKMessage['type'], CliMessage['type']>,
  (typeof leftUnknown.types)[number]
>;
type PublishedSubtype = Extract<sdk.SDKMessage, { type: 'system' }>['subtype'];
export type EveryPublishedSubtypeIsDecided = Same<
  Exclude<PublishedSubtype, KnownSystemSubtype>,
  (typeof leftUnknown.subtypes)[number]
>;

/** `never` would satisfy no `true`: a change of the published kinds stops the compiler here. */
const decided: [OursFitsPublished[2], EveryPublishedTypeIsDecided, EveryPublishedSubtypeIsDecided] =
  [true, true, true];

test('Every published kind of message is either parsed or left unknown on purpose', () => {
  assert.deepEqual(decided, [true, true, true]);
  for (const type of leftUnknown.types) {
    const line = parseMessage(JSON.stringify({ type }));
    assert.ok(line.ok && line.message.type === 'unknown');
  }
  for (const subtype of leftUnknown.subtypes) {
    const line = parseMessage(JSON.stringify({ type: 'system', subtype }));
    assert.ok(line.ok && line.message.type === 'system' && line.message.subtype === 'unknown');
  }
  assert.equal(new Set(permissionModes).size, 6);
});

/** Of a result that is no failure, or where the error itself says more. */
type PlainReason =
  | 'completed'
  | 'api_error'
  | 'model_error'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'tool_deferred'
  | 'background_requested';

/** Every published fault is in the tables, and nothing else is. */
export type EveryFaultIsKnown = [
  Same<keyof typeof kindByError, sdk.SDKAssistantMessageError>,
  Same<keyof typeof kindByReason | PlainReason, sdk.TerminalReason>,
  Same<keyof typeof kindByStartupReason, sdk.SDKStartupFailureReason>,
];
const everyFaultIsKnown: EveryFaultIsKnown = [true, true, true];

test('the tables of faults hold every kind that the SDK publishes', () => {
  assert.deepEqual(everyFaultIsKnown, [true, true, true]);
  assert.ok(Object.keys(kindByError).length + Object.keys(kindByReason).length > 20);
  assert.ok(Object.keys(kindByStartupReason).length > 20);
});
