import { contentFault } from './content';
import type { PromptDefinition } from './definePrompt';
import { invalidParams, RPC_INTERNAL, RPC_INVALID_PARAMS, RpcError } from './jsonRpc';
import { pageOf } from './page';
import { copyJson } from './results';
import { isThenable } from './thenable';
import type { ToolContext } from './toolContext';
import {
  type ContentBlock,
  type GetPromptResult,
  isRecord,
  ownField,
  type PromptMessage,
  type WirePrompt,
} from './wire';

/** The part of a server that is looked at here. */
interface PromptServer {
  readonly pageSize: number;
  prompts(): readonly PromptDefinition[];
  getPrompt(name: string): PromptDefinition | undefined;
}

export function listPrompts(
  server: PromptServer,
  params: unknown,
): { readonly prompts: readonly WirePrompt[]; readonly nextCursor?: string } {
  const all = server.prompts().map(({ wire }) => wire);
  const { items: prompts, ...rest } = pageOf(
    all,
    ({ name }) => name,
    server.pageSize,
    params,
    'prompts/list',
  );
  return { prompts, ...rest };
}

/** @throws RpcError −32602 for a name that is none, or that no prompt has; the valid ones are told */
export function promptNamed(server: PromptServer, name: unknown, method: string): PromptDefinition {
  if (typeof name !== 'string') throw invalidParams(method, ['name'], 'string', name);
  const prompt = server.getPrompt(name);
  if (prompt !== undefined) return prompt;
  const names = server.prompts().map((one) => one.name);
  const known =
    names.length === 0 ? 'there are none' : `there are ${names.slice(0, 20).join(', ')}`;
  throw new RpcError(RPC_INVALID_PARAMS, `Prompt '${name}' not found; ${known}`);
}

/** @throws RpcError −32602 for an unknown prompt or bad arguments, with one readable line a field */
export function getPrompt(
  server: PromptServer,
  name: unknown,
  args: unknown,
  ctx: ToolContext,
): GetPromptResult | Promise<GetPromptResult> {
  const prompt = promptNamed(server, name, 'prompts/get');
  const parsed = prompt.parseArguments(args);
  return parsed instanceof Promise
    ? parsed.then((late) => render(prompt, late, ctx))
    : render(prompt, parsed, ctx);
}

function render(
  prompt: PromptDefinition,
  parsed: Awaited<ReturnType<PromptDefinition['parseArguments']>>,
  ctx: ToolContext,
): GetPromptResult | Promise<GetPromptResult> {
  if (!parsed.ok) {
    throw new RpcError(
      RPC_INVALID_PARAMS,
      `Invalid arguments for prompt '${prompt.name}':\n${parsed.problems.join('\n')}`,
    );
  }
  const value = prompt.run(parsed.value, ctx);
  return isThenable(value)
    ? Promise.resolve(value).then((late) => messagesOf(prompt, late))
    : messagesOf(prompt, value);
}

function messagesOf(prompt: PromptDefinition, value: unknown): GetPromptResult {
  const { description } = prompt;
  const own = isRecord(value) && Array.isArray(value.messages) ? value.messages : value;
  const lines: unknown[] = Array.isArray(own) ? own : [own];
  const messages = lines.map((line) => messageOf(prompt.name, line));
  return { ...(description === undefined ? {} : { description }), messages };
}

function messageOf(name: string, line: unknown): PromptMessage {
  if (line instanceof Error) throw line;
  const role = ownField(line, 'role') === 'assistant' ? 'assistant' : 'user';
  const text = typeof line === 'string' ? line : ownField(line, 'text');
  if (typeof text === 'string') {
    return { role, content: { type: 'text', text: text.replace(/\p{Cs}/gu, '\ufffd') } };
  }
  const content: unknown = copyJson(ownField(line, 'content') ?? null);
  const fault = contentFault([content]);
  if (fault !== undefined) {
    throw new RpcError(
      RPC_INTERNAL,
      `Prompt '${name}' gave a message that MCP does not know: ${fault}`,
    );
  }
  // Looked at field by field just now.
  return { role, content: content as ContentBlock };
}
