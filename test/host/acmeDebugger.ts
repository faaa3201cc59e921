import assert from 'node:assert/strict';
import * as vscode from 'vscode';

export interface DapRequest {
  readonly seq: number;
  readonly command: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** A debug adapter in this process, for the type `acme` of the fixture extension. */
export abstract class AcmeAdapter extends vscode.Disposable implements vscode.DebugAdapter {
  readonly #sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly onDidSendMessage = this.#sent.event;
  #seq = 0;

  constructor() {
    super(() => {
      this.#sent.dispose();
    });
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    // The editor sends requests only, as nothing is asked of it.
    this.handle(message as DapRequest);
  }

  protected abstract handle(request: DapRequest): void;

  /** @param body undefined to refuse */
  protected answer({ seq, command }: DapRequest, body: object | undefined): void {
    const to = { type: 'response', request_seq: seq, command };
    if (body === undefined) this.#send({ ...to, success: false, message: 'unrecognized request' });
    else this.#send({ ...to, success: true, body });
  }

  protected tell(event: string, body: object): void {
    this.#send({ type: 'event', event, body });
  }

  #send(message: object): void {
    this.#seq += 1;
    this.#sent.fire({ seq: this.#seq, ...message });
  }
}

interface FixtureApi {
  use(create: (session: vscode.DebugSession) => vscode.DebugAdapter): void;
}

/** All sessions of the type have such an adapter until another one is used. */
export async function useAdapter(
  create: (session: vscode.DebugSession) => AcmeAdapter,
): Promise<void> {
  const extension = vscode.extensions.getExtension<FixtureApi>('acme.debugger');
  assert.ok(extension, 'the extension with the debugger is installed');
  (await extension.activate()).use(create);
}

/** As a person starts it, by the editor's own means. */
export async function startAcme(
  config: {
    readonly name: string;
    readonly program: string;
    readonly behaviour?: string;
    readonly cwd?: string;
  },
  options?: vscode.DebugSessionOptions,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const whole = { type: 'acme', request: 'launch', ...config };
  assert.ok(await vscode.debug.startDebugging(folder, whole, options));
}
