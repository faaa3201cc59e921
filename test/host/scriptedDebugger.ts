import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Request {
  readonly seq: number;
  readonly command: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}
type Send = (event: string, body: object) => void;

/** What an adapter does otherwise than one with two threads that runs until it is told to pause. */
export interface Script {
  /** By command, the body of the answer; undefined to refuse. */
  readonly answers?: Readonly<
    Record<string, (args: Readonly<Record<string, unknown>>) => object | undefined>
  >;
  /** The stops, each a body, once it is configured. */
  readonly stops?: readonly object[];
  /** After the answer to a command. */
  readonly after?: (command: string, send: Send) => void;
}

/** A debug adapter in this process, for the type `acme` of the fixture extension, that follows a script. */
class ScriptedAdapter extends vscode.Disposable implements vscode.DebugAdapter {
  readonly #sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly onDidSendMessage = this.#sent.event;
  readonly #script: Script;
  readonly #program: string;
  #seq = 0;

  constructor({ configuration }: vscode.DebugSession, script: Script) {
    super(() => {
      this.#sent.dispose();
    });
    this.#script = script;
    this.#program = String(configuration.program);
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    // The editor sends requests only, as nothing is asked of it.
    const { seq, command, arguments: args = {} } = message as Request;
    const { answers = {}, stops = [], after } = this.#script;
    const body = (answers[command] ?? this.#plain(args)[command])?.(args);
    const to = { type: 'response', request_seq: seq, command };
    if (body === undefined) this.#send({ ...to, success: false, message: 'unrecognized request' });
    else this.#send({ ...to, success: true, body });
    const send: Send = (event, more) => this.#send({ type: 'event', event, body: more });
    if (command === 'initialize') send('initialized', {});
    if (command === 'configurationDone') for (const stop of stops) send('stopped', stop);
    if (command === 'pause') send('stopped', { reason: 'pause', ...args });
    if (command === 'disconnect') send('terminated', {});
    after?.(command, send);
  }

  #plain({ threadId }: Readonly<Record<string, unknown>>): Record<string, () => object> {
    const nothing = (): object => ({});
    const source = { name: 'main.acme', path: this.#program };
    const frame = {
      id: Number(threadId),
      name: `thread${Number(threadId)}`,
      line: Number(threadId),
    };
    return {
      initialize: () => ({
        ...{ supportsConfigurationDoneRequest: true, supportsRestartRequest: true },
      }),
      ...{ launch: nothing, configurationDone: nothing, setExceptionBreakpoints: nothing },
      ...{ next: nothing, pause: nothing, restart: nothing, disconnect: nothing },
      continue: () => ({ allThreadsContinued: false }),
      setBreakpoints: () => ({ breakpoints: [] }),
      threads: () => ({ threads: [1, 2].map((id) => ({ id, name: `thread${id}` })) }),
      stackTrace: () => ({ stackFrames: [{ ...frame, column: 1, source }], totalFrames: 1 }),
      scopes: () => ({ scopes: [{ name: 'Locals', variablesReference: 1 }] }),
      variables: () => ({ variables: [{ name: 'here', value: '5', variablesReference: 0 }] }),
    };
  }

  #send(message: object): void {
    this.#seq += 1;
    this.#sent.fire({ seq: this.#seq, ...message });
  }
}

interface FixtureApi {
  use(create: (session: vscode.DebugSession) => vscode.DebugAdapter): void;
}

/** All sessions of the type follow the script of their name until another one is used. */
export async function useScripts(scripts: ReadonlyMap<string, Script>): Promise<void> {
  const extension = vscode.extensions.getExtension<FixtureApi>('acme.debugger');
  assert.ok(extension, 'the extension with the debugger is installed');
  const of = ({ configuration }: vscode.DebugSession): Script =>
    scripts.get(configuration.name) ?? {};
  (await extension.activate()).use((session) => new ScriptedAdapter(session, of(session)));
}

/** As a person starts it, by the editor's own means. */
export async function startScripted(
  name: string,
  program: string,
  options?: vscode.DebugSessionOptions,
): Promise<void> {
  const config = { type: 'acme', request: 'launch', name, program };
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(await vscode.debug.startDebugging(folder, config, options));
}
