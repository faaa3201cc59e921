import * as vscode from 'vscode';
import { AcmeAdapter, type DapRequest, startAcme, useAdapter } from './acmeDebugger';
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

/** 5,000 entries, in parts as they are asked for. */
export const MANY = 5_000;
const LOCALS = 1;
const LIST = 2;
const RING = 3;

class FakeAdapter extends AcmeAdapter {
  readonly #behaviour: Behaviour;
  readonly #program: string;

  constructor({ configuration }: vscode.DebugSession) {
    super();
    // Written by the tests below.
    const { behaviour, program } = configuration as unknown as {
      behaviour: Behaviour;
      program: string;
    };
    this.#behaviour = behaviour;
    this.#program = program;
  }

  protected handle(request: DapRequest): void {
    const { command } = request;
    if (this.#isSilent(command)) return;
    const answer = this.#answers(request)[command];
    this.answer(request, answer?.());
    if (answer !== undefined) this.#after(command);
  }

  #isSilent(command: string): boolean {
    if (this.#behaviour === 'silent')
      return ['threads', 'stackTrace', 'evaluate'].includes(command);
    if (this.#behaviour !== 'ends' || command !== 'continue') return false;
    this.tell('output', { category: 'stdout', output: 'last words\n' });
    this.tell('exited', { exitCode: 7 });
    this.tell('terminated', {});
    return true;
  }

  #after(command: string): void {
    if (command === 'initialize') this.tell('initialized', {});
    const stops = command === 'configurationDone' && this.#behaviour !== 'runs';
    if (stops) this.#stop('entry');
    if (command === 'next') this.#stop('step');
    if (command === 'pause') this.#stop('pause');
    if (command === 'disconnect') this.tell('terminated', {});
  }

  #stop(reason: string): void {
    this.tell('stopped', { reason, threadId: 1, allThreadsStopped: true });
  }

  #answers({ arguments: args = {} }: DapRequest): Record<string, () => object> {
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

export async function useFakeDebugger(): Promise<void> {
  await useAdapter((session) => new FakeAdapter(session));
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
  await startAcme({ name, behaviour, program });
}
