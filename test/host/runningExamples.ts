import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../src/base/disposable';
import { until, workspaceRoot } from './editorRoom';

/** What the examples of docs/editor-tools.md run: a program, a task, tests, a kernel, a terminal. */
export interface RunningExamples extends Disposable {
  chooseKernel(notebook: string): Promise<void>;
  /** Runs a command as a person types it. */
  type(command: string): Promise<void>;
}

const KERNEL = 'patchbay-shop-kernel';
const FAILING = 'rounds half a cent up';

const STOCK = `const stock = { cups: 3, trays: 2 };
function countAll(shelf) {
  let sum = 0;
  for (const name of Object.keys(shelf)) {
    sum += shelf[name];
  }
  return sum;
}
console.log(countAll(stock));
`;

const TASKS = {
  version: '2.0.0',
  tasks: [
    {
      ...{ label: 'check prices', type: 'shell', problemMatcher: [] },
      command: 'sleep 1; echo "3 of 4 prices are right"; exit 1',
    },
  ],
};

/** @param below the folder of the sample, in the workspace */
export async function runningExamples(below: string): Promise<RunningExamples> {
  const store = new DisposableStore();
  const at = (name: string): string => path.join(workspaceRoot(), below, name);
  const settings = path.join(workspaceRoot(), '.vscode');
  await mkdir(settings, { recursive: true });
  await writeFile(path.join(settings, 'tasks.json'), JSON.stringify(TASKS));
  await writeFile(at('src/stock.cjs'), STOCK);
  store.add(toDisposable(() => void rm(settings, { recursive: true, force: true })));
  store.add(createTests(vscode.Uri.file(at('src/pricing.ts'))));
  store.add(createKernel());
  return {
    chooseKernel: async (notebook) => {
      const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(at(notebook)));
      const notebookEditor = await vscode.window.showNotebookDocument(document);
      const kernel = { id: KERNEL, extension: 'nullExtensionDescription' };
      await vscode.commands.executeCommand('notebook.selectKernel', { notebookEditor, ...kernel });
    },
    type: async (command) => {
      const terminal = vscode.window.createTerminal({ name: 'bash', shellPath: '/bin/bash' });
      store.add(terminal);
      terminal.show();
      await until('the shell is integrated', () => terminal.shellIntegration !== undefined);
      terminal.shellIntegration?.executeCommand(command);
    },
    dispose: () => store.dispose(),
  };
}

/** Two tests, one of which fails. */
function createTests(uri: vscode.Uri): vscode.TestController {
  const controller = vscode.tests.createTestController('patchbayShop', 'Shop');
  const items = ['adds lines', FAILING].map((name) => controller.createTestItem(name, name, uri));
  controller.items.replace(items);
  controller.createRunProfile('run', vscode.TestRunProfileKind.Run, (request) => {
    const run = controller.createTestRun(request);
    for (const item of items) {
      run.started(item);
      if (item.id !== FAILING) run.passed(item);
      else {
        const message = vscode.TestMessage.diff('not the same', '1250', '1249');
        message.location = new vscode.Location(uri, new vscode.Position(12, 2));
        run.failed(item, message);
      }
    }
    run.end();
  });
  return controller;
}

/** Answers every cell alike. */
function createKernel(): vscode.NotebookController {
  const controller = vscode.notebooks.createNotebookController(KERNEL, 'jupyter-notebook', 'Shop');
  controller.supportedLanguages = ['python'];
  controller.executeHandler = async (cells) => {
    for (const cell of cells) {
      const run = controller.createNotebookCellExecution(cell);
      run.start(Date.now());
      const item = vscode.NotebookCellOutputItem.stdout('1250\n');
      assert.equal(cell.kind, vscode.NotebookCellKind.Code);
      await run.replaceOutput(new vscode.NotebookCellOutput([item]));
      run.end(true, Date.now());
    }
  };
  return controller;
}
