import { randomUUID } from 'node:crypto';
import { SERVER, TOOL } from './workload';

/** The lines of the fake CLI, with the fields that the real one sends. */

const SESSION = '00000000-0000-4000-8000-000000000003';
const common = { session_id: SESSION, parent_tool_use_id: null };

export function line(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

export function initLine(): string {
  return line({
    type: 'system',
    subtype: 'init',
    cwd: '/ws',
    session_id: SESSION,
    tools: ['Task', 'Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep'],
    mcp_servers: [],
    model: 'claude-opus-5-5',
    permissionMode: 'default',
    slash_commands: ['compact', 'context', 'review'],
    apiKeySource: 'ANTHROPIC_API_KEY',
    claude_code_version: '2.1.332',
    output_style: 'default',
    agents: ['claude', 'Explore'],
    skills: [],
    plugins: [],
    uuid: randomUUID(),
  });
}

export function deltaLine(messageId: string, text: string): string {
  return eventLine(messageId, {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  });
}

export function messageStart(messageId: string): string {
  const message = { id: messageId, type: 'message', role: 'assistant', content: [] };
  return (
    eventLine(messageId, { type: 'message_start', message }) +
    eventLine(messageId, {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    })
  );
}

export function messageStop(messageId: string): string {
  return (
    eventLine(messageId, { type: 'content_block_stop', index: 0 }) +
    eventLine(messageId, { type: 'message_stop' })
  );
}

function eventLine(messageId: string, event: object): string {
  const id = { uuid: randomUUID(), api_message_id: messageId };
  return line({ type: 'stream_event', event, ...common, ...id });
}

export function assistantLine(messageId: string, content: object): string {
  return line({
    type: 'assistant',
    message: {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [content],
      stop_reason: null,
      usage: { input_tokens: 100, output_tokens: 10 },
    },
    ...common,
    uuid: randomUUID(),
    timestamp: '2026-01-01T00:00:00.000Z',
  });
}

export function toolResultLine(toolUseId: string, text: string): string {
  const content = [{ type: 'tool_result', tool_use_id: toolUseId, content: text }];
  return line({
    type: 'user',
    message: { role: 'user', content },
    ...common,
    uuid: randomUUID(),
    timestamp: '2026-01-01T00:00:00.000Z',
  });
}

export function resultLine(): string {
  return line({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    num_turns: 1,
    duration_ms: 188,
    duration_api_ms: 61,
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
    total_cost_usd: 0.0006,
    usage: { input_tokens: 100, output_tokens: 10 },
    modelUsage: {
      'claude-opus-5-5': { inputTokens: 100, outputTokens: 10, contextWindow: 1_000_000 },
    },
    permission_denials: [],
    session_id: SESSION,
    uuid: randomUUID(),
  });
}

export function callLine(id: number): string {
  return mcpLine(`call-${id}`, {
    method: 'tools/call',
    params: {
      name: TOOL,
      arguments: { i: id },
      _meta: { 'claudecode/toolUseId': `toolu_${id}`, progressToken: id },
    },
    jsonrpc: '2.0',
    id,
  });
}

export function mcpLine(requestId: string, message: object): string {
  const request = { subtype: 'mcp_message', server_name: SERVER, message };
  return line({ type: 'control_request', request_id: requestId, request });
}

/** A permission request. Its id tells when it was written, in milliseconds since 1970. */
export function cardLine(index: number, id: string): string {
  const isCommand = index % 2 === 0;
  const content = Array.from({ length: 200 }, (_, i) => `line ${i} of ${index}`).join('\n');
  const input = isCommand
    ? { command: `npm run step-${index}` }
    : { file_path: `/ws/made-${index}.txt`, content };
  const rule = { toolName: 'Bash', ruleContent: `npm run step-${index}` };
  return line({
    type: 'control_request',
    request_id: id,
    request: {
      subtype: 'can_use_tool',
      tool_name: isCommand ? 'Bash' : 'Write',
      input,
      tool_use_id: `toolu_card_${index}`,
      permission_suggestions: isCommand
        ? [{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'localSettings' }]
        : [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
  });
}
