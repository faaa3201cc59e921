import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './editorRoom';

/** What Node's debugger does not do. */
export type Behaviour =
  /** Stops at once, in two threads. */
  | 'stops'
  /** Runs until it is told to pause. */
  | 'runs'
  /** Ends with exit code 7 where it is to go on, without an answer. */
  | 'ends'
  /** Answers nothing of what is asked at a stop. */
  | 'silent';

interface Request {
  readonly seq: number;
  readonly command: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** 5,000 entries, in parts as they are asked for. */
export const MANY = 5_000;
const LOCALS = 1;
const LIST = 2;
const RING = 3;

/** A debug adapter in this process, for the type `acme` of the fixture extension. */
class FakeAdapter extends vscode.Disposable implements vscode.DebugAdapter {
  readonly #sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly onDidSendMessage = this.#sent.event;
  readonly #behaviour: Behaviour;
  readonly #program: string;
  #seq = 0;

  constructor({ configuration }: vscode.DebugSession) {
    super(() => {
      this.#sent.dispose();
    });
    // Written by the tests below.
    const { behaviour, program } = configuration as unknown as {
      behaviour: Behaviour;
      program: string;
    };
    this.#behaviour = behaviour;
    this.#program = program;
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    // The editor sends requests only, as nothing is asked of it.
    const request = message as Request;
    const { command } = request;
    if (this.#isSilent(command)) return;
    const answer = this.#answers(request)[command];
    if (answer === undefined) {
      this.#send({
        type: 'response',
        ...this.#to(request),
        success: false,
        message: 'unrecognized request',
      });
      return;
    }
    this.#send({ type: 'response', ...this.#to(request), success: true, body: answer() });
    this.#after(command);
  }

  #isSilent(command: string): boolean {
    if (this.#behaviour === 'silent')
      return ['threads', 'stackTrace', 'evaluate'].includes(command);
    if (this.#behaviour !== 'ends' || command !== 'continue') return false;
    this.#event('output', { category: 'stdout', output: 'last words\n' });
    this.#event('exited', { exitCode: 7 });
    this.#event('terminated', {});
    return true;
  }

  #after(command: string): void {
    if (command === 'initialize') this.#event('initialized', {});
    const stops = command === 'configurationDone' && this.#behaviour !== 'runs';
    if (stops) this.#stop('entry');
    if (command === 'next') this.#stop('step');
    if (command === 'pause') this.#stop('pause');
    if (command === 'disconnect') this.#event('terminated', {});
  }

  #stop(reason: string): void {
    this.#event('stopped', { reason, threadId: 1, allThreadsStopped: true });
  }

  #answers({ arguments: args = {} }: Request): Record<string, () => object> {
    const source = { name: 'main.acme', path: this.#program };
    return {
      initialize: () => ({ supportsConfigurationDoneRequest: true }),
      launch: () => ({}),
      configurationDone: () => ({}),
      setExceptionBreakpoints: () => ({}),
      setBreakpoints: () => ({ breakpoints: [{ verified: false, message: 'no code here' }] }),
      threads: () => ({
        threads: [{ id: 1, name: 'main' }, { id: 2, name: 'worker' }, { name: 'broken' }],
      }),
      stackTrace: () => ({
        stackFrames: [{ id: 9, name: 'start', line: 2, column: 1, source }],
        totalFrames: 1,
      }),
      scopes: () => ({ scopes: [{ name: 'Locals', variablesReference: LOCALS }] }),
      variables: () => ({ variables: variables(args) }),
      next: () => ({}),
      pause: () => ({}),
      continue: () => ({}),
      disconnect: () => ({}),
    };
  }

  #to({ seq, command }: Request): object {
    return { request_seq: seq, command };
  }

  #event(event: string, body: object): void {
    this.#send({ type: 'event', event, body });
  }

  #send(message: object): void {
    this.#seq += 1;
    this.#sent.fire({ seq: this.#seq, ...message });
  }
}

function variables({
  variablesReference,
  start,
  count,
}: Readonly<Record<string, unknown>>): object[] {
  if (variablesReference === LIST) {
    const from = Number(start ?? 0);
    const length = Math.min(Number(count ?? MANY), MANY - from);
    return Array.from({ length }, (_, index) =>
      entry(`[${from + index}]`, `value ${from + index}`),
    );
  }
  if (variablesReference === RING) return [{ ...entry('self', 'Ring'), variablesReference: RING }];
  return [
    { ...entry('list', `List of ${MANY}`), variablesReference: LIST, indexedVariables: MANY },
    { ...entry('ring', 'Ring'), variablesReference: RING },
    { name: 7, value: 'of a wrong shape' },
    ...Array.from({ length: 200 }, (_, index) => entry(`local${index}`, 'x'.repeat(400))),
  ];
}

function entry(
  name: string,
  value: string,
): { name: string; value: string; variablesReference: number } {
  return { name, value, variablesReference: 0 };
}

interface FixtureApi {
  use(create: (session: vscode.DebugSession) => vscode.DebugAdapter): void;
}

export async function useFakeDebugger(): Promise<void> {
  const extension = vscode.extensions.getExtension<FixtureApi>('acme.debugger');
  assert.ok(extension, 'the extension with the debugger is installed');
  (await extension.activate()).use((session) => new FakeAdapter(session));
}

/**
 * Ends whatever is debugged. The editor names a session as active for a while after its end, on a
 * busy machine until another one has come and gone.
 */
export async function endAllDebugging(): Promise<void> {
  let looks = 0;
  await useFakeDebugger();
  await until('nothing is debugged', async () => {
    await vscode.debug.stopDebugging();
    if (vscode.debug.activeDebugSession === undefined) return true;
    looks += 1;
    if (looks % 50 === 0) await startFake('runs', 'nothing');
    return false;
  });
}

/** As a person starts it, by the editor's own means. */
export async function startFake(
  behaviour: Behaviour,
  program: string,
  name = behaviour,
): Promise<void> {
  const config = { type: 'acme', request: 'launch', name, behaviour, program };
  assert.ok(await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], config));
}
