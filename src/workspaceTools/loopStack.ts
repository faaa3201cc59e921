import { type Debugger, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

export interface StackFrame {
  readonly name: string;
  /** A path, or whatever the script is called. */
  readonly file: string;
  readonly line: number;
}

/** How long the main thread may take to stop; it does so between two steps of whatever it does. */
const WITHIN_MS = 3_000;
const MAX_FRAMES = 50;

/**
 * Where the main thread is, told to one of its workers, even while it loops. It is halted for that
 * moment only. Rejects where the process cannot be looked into.
 */
export async function mainStack(): Promise<readonly StackFrame[]> {
  const session = new Session();
  session.connectToMainThread();
  try {
    const scripts = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => {
      scripts.set(params.scriptId, params.url);
    });
    const paused = new Promise<Debugger.CallFrame[]>((resolve, reject) => {
      session.on('Debugger.paused', ({ params }) => {
        resolve(params.callFrames);
      });
      setTimeout(() => {
        reject(new Error('The main thread did not stop'));
      }, WITHIN_MS);
    });
    await post(session, 'Debugger.enable');
    // Answered when it has stopped.
    void post(session, 'Debugger.pause').catch(() => undefined);
    const frames = await paused;
    return frames.slice(0, MAX_FRAMES).map(({ functionName, location, url }) => ({
      name: functionName === '' ? '(anonymous)' : functionName,
      file: pathOf(url === '' ? (scripts.get(location.scriptId) ?? '') : url),
      line: location.lineNumber + 1,
    }));
  } finally {
    await post(session, 'Debugger.resume').catch(() => undefined);
    await post(session, 'Debugger.disable').catch(() => undefined);
    session.disconnect();
  }
}

function post(session: Session, method: string): Promise<void> {
  return new Promise((resolve, reject) => {
    session.post(method, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

function pathOf(url: string): string {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
}
