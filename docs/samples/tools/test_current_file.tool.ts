import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineTool } from 'patchbay';

export default defineTool({
  description:
    'Runs the tests of the file that is open in the editor, in a terminal that the person sees, and returns what failed.',
  timeout: 300_000,
  async run(_input, ctx) {
    const { vscode, workspaceFolder } = ctx;
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const editors = [activeTextEditor, ...visibleTextEditors];
    const file = editors.find((editor) => editor?.document.uri.scheme === 'file')?.document.uri
      .fsPath;
    if (file === undefined) return new Error('No file is open. Ask the person to open one.');
    const test = file.replace(/(?:\.test)?(\.[cm]?[jt]s)$/, '.test$1');
    const folder = await mkdtemp(path.join(tmpdir(), 'tests-'));
    const results = path.join(folder, 'results.tap');
    const reporter = ['--test-reporter=tap', `--test-reporter-destination=${results}`];
    const task = new vscode.Task(
      { type: 'patchbay-test' },
      workspaceFolder,
      `Test ${path.basename(test)}`,
      'patchbay',
      new vscode.ProcessExecution('node', ['--test', ...reporter, test], {
        cwd: workspaceFolder.uri.fsPath,
      }),
    );
    try {
      ctx.progress(0, 1, task.name);
      const code = await run(task);
      const text = await readFile(results, 'utf8').catch(() => '');
      const failed = [...text.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map(([, name]) => name);
      const passed = text.match(/^\s*ok \d+ - /gm)?.length ?? 0;
      return { test, code, passed, failed };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }

    /** Resolves with the exit code; ends the task when the call is stopped. */
    async function run(task: InstanceType<typeof vscode.Task>): Promise<number | undefined> {
      const execution = await vscode.tasks.executeTask(task);
      const stop = (): void => execution.terminate();
      ctx.signal.addEventListener('abort', stop, { once: true });
      return new Promise((resolve) => {
        const listener = vscode.tasks.onDidEndTaskProcess((ended) => {
          if (ended.execution !== execution) return;
          listener.dispose();
          ctx.signal.removeEventListener('abort', stop);
          resolve(ended.exitCode);
        });
      });
    }
  },
});
