import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { launchArguments } from '../../src/cli/launchArguments';
import { realDisk } from '../../src/cli/cliDisk';
import { locateCli } from '../../src/cli/locateCli';
import { cliVersion, supportsManifests } from '../../src/cli/cliVersion';
import { unknownFlags } from '../../src/cli/launchFlags';
import { writeMcpConfig } from '../../src/cli/personServers';
import { untrustedToolNames } from '../../src/cli/untrustedTools';
import type { ConversationMessage, CliMessage } from '../../src/protocol/messages';
import { PATIENT, runCli, type RunningCli, type RunOptions } from '../harness/fakeCli/cliHarness';
import { startModel, type ModelOptions, type ModelServer } from '../harness/model/modelServer';
import { createRealCliSandbox, type RealCliSandbox } from '../harness/model/realCli';
import { say } from '../harness/model/script';
import { inRoot, realCliPath } from '../harness/paths';

type Of<T extends CliMessage['type']> = Extract<CliMessage, { type: T }>;
const isResult = (message: ConversationMessage): message is Of<'result'> =>
  message.type === 'result';
const isDelta = (message: ConversationMessage): message is Of<'stream_event'> =>
  message.type === 'stream_event' && message.event.type === 'content_block_delta';

/** The tools that the CLI names in its first `init`. */
function initTools(messages: readonly ConversationMessage[]): readonly string[] {
  for (const message of messages) {
    if (message.type === 'system' && message.subtype === 'init') return message.tools ?? [];
  }
  return [];
}

interface Real extends RunningCli {
  readonly model: ModelServer;
  readonly sandbox: RealCliSandbox;
}

async function withRealCli(
  body: (real: Real) => Promise<void>,
  options: Partial<RunOptions> & { model?: ModelOptions } = {},
): Promise<void> {
  const model = await startModel(options.model);
  const sandbox = await createRealCliSandbox({ modelUrl: model.url });
  try {
    const running = await runCli({
      command: sandbox.command,
      cwd: sandbox.workspace,
      env: sandbox.env,
      ...options,
    });
    try {
      await body({ ...running, model, sandbox });
    } finally {
      await running.session.dispose();
    }
  } finally {
    await sandbox.cleanup();
    await model.close();
  }
}

const plainModel: ModelOptions = { script: () => say('north ⁂ south') };

test('The real CLI answers initialize, plays a turn and ends when its input closes', () =>
  withRealCli(
    async ({ session, waitFor, messages, log }) => {
      const answer = await session.initialize({ appendSystemPrompt: 'Be short.' });
      assert.match(answer.claude_code_version ?? '', /^\d+\.\d+\.\d+$/);
      assert.equal(answer.current_permission_mode, 'default');
      assert.ok((answer.models?.length ?? 0) > 0);
      const uuid = randomUUID();
      await session.sendPrompt({ uuid, content: 'hello' });
      const result = await waitFor(isResult);
      assert.equal(result.is_error, false);
      assert.equal(result.result, 'north ⁂ south');
      const streamed = messages.flatMap((message) =>
        isDelta(message) &&
        message.event.type === 'content_block_delta' &&
        message.event.delta.type === 'text_delta'
          ? [message.event.delta.text]
          : [],
      );
      assert.equal(streamed.join(''), 'north ⁂ south');
      assert.ok(
        messages.some(
          (message) => message.type === 'command_lifecycle' && message.command_uuid === uuid,
        ),
      );
      assert.deepEqual(
        log.filter((line) => /unknown|does not fit|Not a message/.test(line)),
        [],
      );
      const exit = await session.dispose();
      assert.deepEqual([exit.kind, exit.code], ['ended', 0]);
    },
    { model: plainModel, closeLimits: PATIENT },
  ));

test('An interrupt stops the real CLI in mid-stream and the same process takes the next prompt', () =>
  withRealCli(
    async ({ session, waitFor, results, messages }) => {
      await session.initialize({});
      await session.sendPrompt({ uuid: randomUUID(), content: 'count' });
      await waitFor(isDelta);
      const answer = await session.interrupt({ cancelQueued: true });
      assert.deepEqual(answer.still_queued, []);
      await results(1);
      const stopped = messages.find(isResult);
      assert.match(stopped?.terminal_reason ?? '', /^aborted_/);
      await session.sendPrompt({ uuid: randomUUID(), content: 'again' });
      await waitFor(isDelta);
      assert.equal((await session.setPermissionMode('plan')).mode, 'plan');
    },
    { model: { script: () => say('word '.repeat(2000)), chunkDelayMs: 10 } },
  ));

const manifestOf = (name: string) => ({
  initializeResult: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name, version: '1.0.0' },
  },
  toolsListResult: {
    tools: [{ name: 'ping', description: 'Pings', inputSchema: { type: 'object' } }],
  },
});

test('The real CLI parks complete manifests and sends no message before the first turn', async () => {
  let asked = 0;
  await withRealCli(
    async ({ session, waitFor, messages }) => {
      const answer = await session.initialize({
        sdkMcpServers: ['editor'],
        sdkMcpServerManifests: { editor: manifestOf('editor') },
      });
      assert.deepEqual(answer.sdk_mcp_manifests_parked, { editor: 'parked' });
      await session.sendPrompt({ uuid: randomUUID(), content: 'hello' });
      await waitFor(isResult);
      assert.equal(asked, 0);
      assert.ok(initTools(messages).includes('mcp__editor__ping'));
    },
    {
      model: plainModel,
      handlers: {
        mcp_message: () => {
          asked += 1;
          return {};
        },
      },
    },
  );
});

test('In an untrusted workspace the model is offered none of the tools that act', async () => {
  const args = launchArguments({ trusted: false, allowedTools: ['mcp__editor'] });
  await withRealCli(
    async ({ session, waitFor, messages, model }) => {
      await session.initialize({});
      await session.sendPrompt({ uuid: randomUUID(), content: 'hello' });
      await waitFor(isResult);
      const [request] = model.requests.filter(({ isSide }) => !isSide);
      const offered = (request?.body.tools ?? []).map(({ name }) => name);
      assert.ok(offered.includes('Read'));
      assert.deepEqual(
        offered.filter((name) => untrustedToolNames.includes(name)),
        [],
      );
      assert.ok(initTools(messages).includes('Read'));
      assert.deepEqual(
        initTools(messages).filter((name) => untrustedToolNames.includes(name)),
        [],
      );
    },
    { model: plainModel, args },
  );
});

test('Servers in a configuration file are shaken hands with, also when its path has a space', async () => {
  const model = await startModel(plainModel);
  const sandbox = await createRealCliSandbox({ modelUrl: model.url });
  const own = { editor: { type: 'sdk', name: 'editor', version: '1.0.0' } } as const;
  const file = await writeMcpConfig({ own, person: {} }, sandbox.workspace);
  const methods: unknown[] = [];
  const running = await runCli({
    command: sandbox.command,
    cwd: sandbox.workspace,
    env: sandbox.env,
    args: launchArguments({ trusted: true, mcpConfigFile: file?.path, permissionMode: 'default' }),
    handlers: {
      mcp_message: ({ server_name, message }) => {
        const { method, id = 0 } = message as { method: string; id?: number };
        methods.push([server_name, method]);
        const manifest = manifestOf('editor');
        const result =
          method === 'initialize'
            ? manifest.initializeResult
            : method === 'tools/list'
              ? manifest.toolsListResult
              : {};
        return { mcp_response: { jsonrpc: '2.0', id, result } };
      },
    },
  });
  try {
    await running.session.initialize({});
    await running.session.sendPrompt({ uuid: randomUUID(), content: 'hello' });
    await running.waitFor(isResult);
    assert.deepEqual(methods, [
      ['editor', 'initialize'],
      ['editor', 'notifications/initialized'],
      ['editor', 'tools/list'],
    ]);
  } finally {
    await running.session.dispose();
    await file?.dispose();
    await sandbox.cleanup();
    await model.close();
  }
});

test('The bundled CLI is found when there is none on the PATH, and its version is known', async () => {
  const located = await locateCli({
    env: { PATH: '/nowhere' },
    home: '/nowhere',
    bundledIn: inRoot('node_modules'),
    disk: { ...realDisk, isFile: (file) => file.startsWith(inRoot('.')) && realDisk.isFile(file) },
  });
  assert.equal(located.source, 'bundled');
  const version = await cliVersion(
    { ...located, file: located.path },
    { HOME: '/nowhere', PATH: '/usr/bin:/bin' },
  );
  assert.equal(supportsManifests(version), 'yes');
});

test("The installed CLI's help lists each flag that an older one may lack", async () => {
  const cli = { command: realCliPath, args: [], file: realCliPath };
  const env = { HOME: '/nowhere', PATH: '/usr/bin:/bin' };
  assert.deepEqual([...(await unknownFlags(cli, '2.0.0', env))], []);
});

test('A prompt that the real CLI never saw ends with its process, not with a wait', () =>
  withRealCli(async ({ session }) => {
    await session.initialize({});
    process.kill(session.pid!, 'SIGKILL');
    const exit = await session.exited;
    assert.equal(exit.kind, 'crashed');
    await assert.rejects(
      session.sendPrompt({ uuid: randomUUID(), content: 'x' }),
      /no longer reads/,
    );
  }));
