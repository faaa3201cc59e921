import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../src/host/app';
import { currentRows, runServerAction, type ServersMenuPorts } from '../../src/host/mcpServersMenu';
import type {
  PatchbayApi,
  Registration,
  ServerEvent,
  ToolCallEvent,
} from '../../src/host/patchbayApi';
import { patchbay, until } from './patchbay';

interface SampleExports {
  readonly patchbay: PatchbayApi;
  readonly registrations: readonly Registration[];
  readonly calls: readonly ToolCallEvent[];
  readonly events: readonly ServerEvent[];
  readonly hooked: readonly string[];
  readonly ask: PatchbayApi['ask'];
  readonly start: PatchbayApi['startConversation'];
}

describe('the API for other extensions', () => {
  let app: App;
  let menu: ServersMenuPorts;
  let sample: SampleExports;

  before(async () => {
    app = await patchbay();
    const ports = app.serversMenu();
    assert.ok(ports);
    menu = ports;
    const extension = vscode.extensions.getExtension<SampleExports | undefined>('acme.sample');
    assert.ok(extension, 'the sample extension stands beside ours');
    const activated = await extension.activate();
    assert.ok(activated);
    sample = activated;
  });

  after(async () => {
    await menu.extensions?.allow('acme.sample', false);
  });

  const names = async (): Promise<string[]> => (await currentRows(menu)).map(({ name }) => name);

  it('another extension gets the API, whose version it can look at', () => {
    assert.deepEqual([sample.patchbay.apiVersion, typeof sample.patchbay.ask], [1, 'function']);
  });

  it('what an extension registers waits for the consent of the person, and goes when that is taken back', async () => {
    const hub = menu.extensions;
    assert.ok(hub);
    await until('the extension is known by its own id', () =>
      hub.sources.some(({ id }) => id === 'acme.sample'),
    );
    assert.ok(!(await names()).includes('acme_sample'));
    await hub.allow('acme.sample', true);
    await Promise.all(sample.registrations.map(({ ready }) => ready));
    const rows = await currentRows(menu);
    const row = rows.find(({ name }) => name === 'acme_sample');
    assert.deepEqual(row?.origin, { kind: 'extension', id: 'acme.sample' });
    assert.ok(rows.some(({ name }) => name === 'sample-dice'));
    await runServerAction(menu, row, 'revoke');
    assert.ok(!(await names()).includes('acme_sample'));
    await hub.allow('acme.sample', true);
    assert.ok((await names()).includes('acme_sample'));
  });

  it('its question reaches the agent, the agent its tool, and the end of the call its listener', async () => {
    const answer = await vscode.commands.executeCommand<string>('sample.ask', 'Greet Ann');
    assert.match(answer, /Hi Ann/);
    assert.deepEqual(sample.hooked, ['mcp__acme_sample__greet'], 'its hook saw the call');
    const call = await until('the call is told', () =>
      sample.calls.find(({ tool }) => tool === 'mcp__acme_sample__greet'),
    );
    assert.deepEqual(
      [call.source, call.server, call.outcome],
      ['inProcess', 'acme_sample', 'success'],
    );
    const events = sample.events.filter(
      ({ conversationId }) => conversationId === call.conversationId,
    );
    assert.deepEqual(
      events
        .filter(({ work }) => work === 'conversation' || work === 'call')
        .map(({ work, phase }) => `${work} ${phase}`),
      ['conversation start', 'call start', 'call stop', 'conversation stop'],
    );
    const end = events.find((event) => event.work === 'call' && event.phase === 'stop');
    assert.ok(end?.phase === 'stop' && end.work === 'call');
    assert.deepEqual(
      [end.server, end.tool, end.toolUseId, end.outcome],
      ['acme_sample', 'greet', call.toolUseId, 'success'],
    );
    assert.ok(end.bytesIn > 0 && end.bytesOut > 0);
    assert.ok(!JSON.stringify(events).includes('Ann'), 'no argument and no result');
  });

  it('a conversation ends when the person takes the consent back, and says why', async () => {
    const hub = menu.extensions;
    assert.ok(hub);
    await hub.allow('acme.sample', true);
    const talk = sample.start({ prompt: 'Greet Ann' });
    try {
      const talking = async (): Promise<void> => {
        for await (const { type } of talk) {
          if (type === 'started') await hub.allow('acme.sample', false);
        }
      };
      await assert.rejects(talking(), /has not allowed the extension acme\.sample/);
      assert.throws(() => {
        talk.send('Greet Bob');
      }, /has ended/);
      await assert.rejects(sample.ask('Greet Ann'), /has not allowed/);
    } finally {
      await hub.allow('acme.sample', true);
    }
  });

  it('a conversation whose signal has fired is not started', async () => {
    const signal = AbortSignal.abort(new Error('gone before'));
    await assert.rejects(sample.ask('Greet Ann', { signal }), /gone before/);
  });

  it('who calls must be an extension, so that the person can be asked about it', async () => {
    await assert.rejects(sample.patchbay.ask('x'), /cannot tell which extension/);
    assert.throws(
      () => sample.patchbay.registerPrompt({ name: 'x', run: () => '' }),
      /cannot tell/,
    );
  });

  it('wrong options are refused with their name', async () => {
    const wrong = [
      [{ prompt: '' }, /prompt/],
      [{ prompt: 'x', cwd: '/' }, /cwd/],
      [{ prompt: 'x', maxTurns: 0 }, /maxTurns/],
      [{ prompt: 'x', mcpServers: { bad: { type: 'http', url: 'ftp://x' } } }, /mcpServers\.bad/],
    ] as const;
    for (const [options, reason] of wrong) {
      const { prompt, ...rest } = options;
      await assert.rejects(sample.ask(prompt, rest), reason);
    }
  });

  it('a server is switched off and on and keeps its row', async () => {
    const row = (await currentRows(menu)).find(({ name }) => name === 'code');
    assert.ok(row);
    await runServerAction(menu, row, 'switchOff');
    try {
      const off = (await currentRows(menu)).find(({ name }) => name === 'code');
      assert.deepEqual(off?.actions, ['switchOn', 'showLog']);
      assert.ok(!menu.servers.registry.list().some(({ name }) => name === 'code'));
    } finally {
      await runServerAction(menu, row, 'switchOn');
    }
    await runServerAction(menu, row, 'reconnect');
    assert.ok(menu.servers.registry.list().some(({ name }) => name === 'code'));
  });
});
