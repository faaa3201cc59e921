import type * as vscode from 'vscode';
import { AcmeAdapter, type DapRequest, startAcme, useAdapter } from './acmeDebugger';

type Send = (event: string, body: object) => void;

/** What an adapter does otherwise than one with two threads that runs until it is told to pause. */
export interface Script {
  /** By command, the body of the answer; undefined to refuse. */
  readonly answers?: Readonly<
    Record<string, (args: Readonly<Record<string, unknown>>) => object | undefined>
  >;
  /** Commands that it never answers. */
  readonly mute?: readonly string[];
  /** The stops, each a body, once it is configured. */
  readonly stops?: readonly object[];
  /** After the answer to a command. */
  readonly after?: (command: string, send: Send) => void;
}

/** It follows a script. */
class ScriptedAdapter extends AcmeAdapter {
  readonly #script: Script;
  readonly #program: string;

  constructor({ configuration }: vscode.DebugSession, script: Script) {
    super();
    this.#script = script;
    this.#program = String(configuration.program);
  }

  protected handle(request: DapRequest): void {
    const { command, arguments: args = {} } = request;
    const { answers = {}, mute = [], stops = [], after } = this.#script;
    const body = (answers[command] ?? this.#plain(args)[command])?.(args);
    if (!mute.includes(command)) this.answer(request, body);
    const send: Send = (event, body) => this.tell(event, body);
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
}

/** All sessions of the type follow the script of their name until another one is used. */
export async function useScripts(scripts: ReadonlyMap<string, Script>): Promise<void> {
  await useAdapter(
    (session) => new ScriptedAdapter(session, scripts.get(session.configuration.name) ?? {}),
  );
}

/** As a person starts it, by the editor's own means. */
export async function startScripted(
  name: string,
  program: string,
  options?: vscode.DebugSessionOptions,
): Promise<void> {
  await startAcme({ name, program }, options);
}
