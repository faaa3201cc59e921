/**
 * What stays when contents are left out: of these fields the text is a name of the protocol, an id
 * or a state. All other texts are left out, so that a field that is new with the next CLI is too.
 */
const STRUCTURAL = new Set([
  ...['type', 'subtype', 'role', 'kind', 'state', 'status', 'event', 'level', 'source', 'origin'],
  ...['id', 'uuid', 'request_id', 'requestId', 'session_id', 'tool_use_id', 'parent_tool_use_id'],
  ...['command_uuid', 'user_message_uuid', 'user_message_uuids', 'api_message_id', 'agent_id'],
  ...['task_id', 'callback_id', 'elicitation_id', 'hookCallbackIds', 'still_queued'],
  ...['progressToken', 'claudecode/toolUseId', 'message_uuid', 'message_id'],
  ...['method', 'jsonrpc', 'name', 'tool_name', 'server_name', 'serverName', 'mcp_server_name'],
  ...['display_name', 'tools', 'sdkMcpServers', 'hook_event_name', 'hookEventName', 'dialog_kind'],
  ...['mode', 'permissionMode', 'permission_mode', 'behavior', 'destination', 'permissionDecision'],
  ...['decision_reason_type', 'stop_reason', 'terminal_reason', 'error_code', 'api_error_type'],
  ...['model', 'resolvedModel', 'version', 'claude_code_version', 'protocolVersion', 'mimeType'],
  ...['media_type', 'priority', 'api_message_id', 'service_tier', 'apiKeySource', 'rateLimitType'],
]);

/** Of what stands in `_meta` these alone are of the protocol; all else is what a server notes there. */
const NOTES = new Set(['progressToken', 'claudecode/toolUseId']);

/** Below them names say nothing: a tool's input may have a field `name` too. */
const FREE = new Set([
  ...['input', 'updatedInput', 'arguments', 'tool_input', 'tool_response', 'tool_use_result'],
  ...['structuredContent', 'payload', 'answers', 'settings', 'data'],
]);

const NAME = /^(?:(?:anthropic|claudecode)\/)?[\w$-]{1,64}$/;

/** A longer text is more than a name. */
const MAX_STRUCTURAL = 200;

/** Whether the text of a field of this name is no content. */
export function isStructural(field: string, text: string): boolean {
  return STRUCTURAL.has(field) && text.length <= MAX_STRUCTURAL;
}

/** The same for a field in `_meta`, where anybody may write. */
export function isStructuralNote(field: string, text: string): boolean {
  return NOTES.has(field) && text.length <= MAX_STRUCTURAL;
}

/** Whether all texts below a field of this name are contents. */
export function isFreeField(field: string): boolean {
  return FREE.has(field);
}

/** Whether a field's name is a name, and not a question or the path of a file. */
export function isStructuralName(field: string): boolean {
  return NAME.test(field);
}
