import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
export const events: { what: string; from: number; to: number }[] = [];
function wrap(holder: any, name: string, label: string): void {
  const original = holder[name];
  const f = (...args: any[]): any => {
    const e = { what: `${label}.${name} ${String(args[0]?.path ?? args[0]).slice(-50)}`, from: performance.now(), to: 0 };
    events.push(e);
    const r = original.apply(holder, args);
    if (r?.then) r.then(() => (e.to = performance.now()), () => (e.to = performance.now()));
    return r;
  };
  Object.defineProperty(holder, name, { value: f, configurable: true, writable: true });
}
export function trace(): void {
  for (const n of ['stat', 'lstat', 'realpath', 'readFile', 'open', 'readdir', 'access']) wrap(fsp, n, 'fsp');
  syncBuiltinESMExports();
  for (const n of ['stat', 'readFile']) try { wrap(vscode.workspace.fs as any, n, 'vfs'); } catch (e) { console.log(String(e)); }
  for (const n of ['executeCommand']) wrap(vscode.commands as any, n, 'cmd');
  for (const n of ['openTextDocument']) wrap(vscode.workspace as any, n, 'ws');
}
