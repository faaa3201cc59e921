import { existsSync, readFileSync } from 'node:fs';
import type { FakeAnswer, FakeScript } from './fakeCliScript';
import type { FakePrompt, FakeTurns } from './fakeTurns';
import type { FakeWire } from './fakeWire';

interface FakeControlOptions {
  readonly script: FakeScript;
  readonly argv: readonly string[];
  readonly wire: FakeWire;
  readonly turns: FakeTurns;
}

interface HostRequest {
  readonly subtype: string;
  readonly sdkMcpServers?: string[];
  readonly sdkMcpServerManifests?: Record<string, { toolsListResult?: unknown }>;
  readonly cancel_queued?: boolean;
  readonly mode?: string;
  readonly model?: string;
  readonly message_uuid?: string;
}

type HostLine =
  | { type: 'control_request'; request_id: string; request: HostRequest }
  | { type: 'control_response'; response: FakeAnswer }
  | { type: 'control_cancel_request' }
  | ({ type: 'user' } & FakePrompt);

/** Answers the host's control requests and shakes hands with its servers. */
export function createFakeControl(options: FakeControlOptions): {
  start(): void;
  receive(line: unknown): void;
} {
  const { script, wire, turns } = options;
  const hands = createHandshakes(options);
  let wasInitialized = false;

  const succeed = (id: string, response: object, beside: object = {}): void =>
    wire.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: id, response, ...beside },
    });
  const refuse = (id: string, error: string, code?: string): void =>
    wire.send({
      type: 'control_response',
      response: {
        subtype: 'error',
        request_id: id,
        error,
        ...(code === undefined ? {} : { error_code: code }),
      },
    });

  const initialize = async (id: string, request: HostRequest): Promise<void> => {
    const { never, gate, error, response } = script.initialize ?? {};
    const { pending = [], pendingLater = [], elicitationsLater } = script.initialize ?? {};
    const isFirst = !wasInitialized;
    wasInitialized = true;
    const parked = hands.declare(request);
    if (never === true) return;
    while (gate !== undefined && !existsSync(gate)) await turns.pause(20);
    if (error !== undefined) {
      refuse(id, error);
      return;
    }
    const known = script.manifests !== false && request.sdkMcpServers !== undefined;
    succeed(
      id,
      {
        ...initializeAnswer(),
        ...(known ? { sdk_mcp_manifests_parked: parked } : {}),
        ...response,
      },
      {
        pending_permission_requests: isFirst ? pending : pendingLater,
        pending_user_dialog_requests: [],
        ...(isFirst ? {} : { pending_elicitation_requests: elicitationsLater }),
      },
    );
    if (isFirst) await turns.play(script.afterInitialize ?? [], '');
  };

  const answer = (id: string, request: HostRequest): void => {
    switch (request.subtype) {
      case 'initialize':
        void initialize(id, request);
        return;
      case 'interrupt':
        succeed(id, {
          still_queued: [],
          ...(request.cancel_queued === true ? { cancelled: turns.cancelQueued() } : {}),
        });
        turns.interrupt();
        return;
      case 'set_permission_mode':
        succeed(id, { mode: request.mode });
        return;
      case 'set_model':
        succeed(id, { model: request.model });
        return;
      case 'mcp_status':
        succeed(id, { mcpServers: [] });
        return;
      case 'cancel_async_message':
        succeed(id, { cancelled: turns.cancel(request.message_uuid) });
        return;
      default:
        refuse(
          id,
          `Unsupported control request subtype: ${request.subtype}`,
          'unsupported_request',
        );
    }
  };

  return {
    start: () => hands.declareFromFile(),
    receive: (line) => {
      // What the host writes is judged by the tests from the record; `null` throws here, as in the CLI.
      const message = line as HostLine;
      if (message.type === 'control_request') {
        if (!(script.silentTo ?? []).includes(message.request.subtype)) {
          answer(message.request_id, message.request);
        }
      } else if (message.type === 'control_response') wire.settle(message.response);
      else if (message.type === 'user') {
        if (message.message.role !== 'user') throw new Error("Expected message role 'user'");
        turns.prompt(message, hands.done());
      }
    },
  };
}

function initializeAnswer(): object {
  return {
    commands: [{ name: 'compact', description: 'Compact the conversation', argumentHint: '' }],
    agents: [],
    output_style: 'default',
    models: [{ value: 'default', displayName: 'Default', description: 'Scripted' }],
    account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' },
    pid: process.pid,
    claude_code_version: '2.1.332',
    current_permission_mode: 'default',
    session_state: 'idle',
  };
}

/** Handshakes with in-process servers, on the present wire or the older one. */
function createHandshakes({ script, argv, wire }: FakeControlOptions) {
  let count = 0;
  let done: Promise<unknown> = Promise.resolve();

  const shake = async (server: string): Promise<void> => {
    const run = (count += 1);
    const call = async (id: number | undefined, method: string, params?: object): Promise<void> => {
      const message = {
        jsonrpc: '2.0',
        method,
        ...(id === undefined ? {} : { id }),
        ...(params === undefined ? {} : { params }),
      };
      const response = await wire.ask(`mcp-${run}-${method}`, {
        subtype: script.wire ?? 'mcp_message',
        [script.serverKey ?? 'server_name']: server,
        message,
      });
      wire.record({ kind: 'handshake', server, method, response });
    };
    await call(0, 'initialize', {
      protocolVersion: script.protocolVersion ?? '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '2.1.332' },
    });
    await call(undefined, 'notifications/initialized');
    await call(1, 'tools/list');
  };

  const shakeAll = (servers: readonly string[]): void => {
    done = Promise.all([done, ...servers.map((server) => shake(server))]);
  };

  return {
    done: () => done,
    /** Says which manifests were taken; shakes hands with the servers that are left. */
    declare: (request: HostRequest): Record<string, string> => {
      const parked: Record<string, string> = {};
      const live: string[] = [];
      for (const name of request.sdkMcpServers ?? []) {
        const complete = request.sdkMcpServerManifests?.[name]?.toolsListResult !== undefined;
        if (script.manifests !== false && complete) parked[name] = 'parked';
        else live.push(name);
      }
      shakeAll(live);
      return parked;
    },
    declareFromFile: (): void => {
      const file = argv.find((arg) => arg.startsWith('--mcp-config='))?.split('=', 2)[1];
      if (file === undefined) return;
      // Written by the host; what is in it is judged by the tests.
      const config = JSON.parse(readFileSync(file, 'utf8')) as {
        mcpServers: Record<string, Record<string, unknown>>;
      };
      wire.record({ kind: 'mcpConfig', config });
      const entries = Object.entries(config.mcpServers);
      shakeAll(entries.flatMap(([name, entry]) => (entry.type === 'sdk' ? [name] : [])));
    },
  };
}
