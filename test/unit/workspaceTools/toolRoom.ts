import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { errorMessage } from '../../../src/base/errors';
import type { Logger } from '../../../src/base/logger';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter, type Router } from '../../../src/mcp/router';
import { isRecord } from '../../../src/mcp/wire';
import type {
  ToolFile,
  ToolFilesAnswer,
  ToolFilesQuestion,
} from '../../../src/workspaceTools/toolFile';
import type { CompilerProgram } from '../../../src/workspaceTools/compilerProgram';
import { compileSource } from '../../../src/workspaceTools/sourceCompiler';
import { createWorkspaceTools } from '../../../src/workspaceTools/workspaceTools';
import type {
  WorkspaceTools,
  WorkspaceToolsPorts,
} from '../../../src/workspaceTools/workspaceToolsPorts';

/** A workspace folder on the disk, its tool files, and a router that asks them as the CLI does. */
export interface ToolRoom {
  /** Absolute path of the workspace folder. */
  readonly folder: string;
  readonly storage: string;
  readonly registry: ServerRegistry;
  readonly router: Router;
  readonly tools: WorkspaceTools;
  readonly ports: WorkspaceToolsPorts;
  readonly log: string[];
  /** Notifications that a conversation was sent. */
  readonly told: { readonly server: string; readonly method: unknown }[];
  /** All questions so far. */
  readonly questions: ToolFilesQuestion[];
  /** What the person says; called once a question. */
  answer: (question: ToolFilesQuestion) => ToolFilesAnswer | Promise<ToolFilesAnswer>;
  isTrusted: boolean;
  isEnabled: boolean;
  allowed: Set<string>;
  folders: { name: string; path: string }[];
  limits: { timeout: number; maxResultChars: number };
  /** Writes a file below the folder, with `/`. */
  write(file: string, text: string | Uint8Array): Promise<string>;
  remove(file: string): Promise<void>;
  /** Everything is looked at anew, and loaded. */
  look(): Promise<void>;
  file(name: string): ToolFile | undefined;
  names(server?: string): readonly string[];
  call(tool: string, input?: unknown, server?: string, requestId?: string): Promise<CallAnswer>;
}

export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly result: Record<string, unknown>;
}

export interface RoomOptions {
  readonly storage?: string;
  readonly folder?: string;
  readonly ports?: Partial<WorkspaceToolsPorts>;
}

/** A tool file with one default export that returns this text. */
export function says(text: string, more = ''): string {
  return `import { defineTool } from 'patchbay';
${more}
export default defineTool({ description: 'Says something.', run: () => ${JSON.stringify(text)} });
`;
}

/** As the product has it, but that it is loaded already. */
export const COMPILER: CompilerProgram = {
  version: () => Promise.resolve('test'),
  load: () => compileSource,
  keep: () => Promise.resolve(),
};

/** Also where a test has its own clock. */
const realTimer = setTimeout;

export async function tempFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'patchbay-tools-')));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function createToolRoom(t: TestContext, options: RoomOptions = {}): Promise<ToolRoom> {
  const home = await tempFolder(t);
  const folder = options.folder ?? path.join(home, 'work');
  const storage = options.storage ?? path.join(home, 'storage');
  await mkdir(folder, { recursive: true });
  const log: string[] = [];
  const registry = options.ports?.registry ?? new ServerRegistry();
  const told: { server: string; method: unknown }[] = [];
  const questions: ToolFilesQuestion[] = [];
  const router = createRouter({
    registry,
    log: listLogger(log),
    conversation: { id: 'c1', cwd: folder },
    notify: (server, message) => told.push({ server, method: Reflect.get(message, 'method') }),
  });
  const ports: WorkspaceToolsPorts = {
    log: listLogger(log),
    registry,
    folders: () => room.folders,
    isTrusted: () => room.isTrusted,
    isEnabled: () => room.isEnabled,
    storageFolder: storage,
    approvalsFolder: path.join(storage, 'approvals'),
    ask: async (question) => {
      questions.push(question);
      return room.answer(question);
    },
    vscode: { version: 'test' },
    workspaceFolder: (at) => ({ uri: { fsPath: at }, name: path.basename(at), index: 0 }),
    isAllowed: (wireName) => room.allowed.has(wireName),
    limits: () => room.limits,
    compiler: COMPILER,
    ...options.ports,
  };
  const tools = createWorkspaceTools(ports);
  let count = 0;
  const room: ToolRoom = {
    folder,
    storage,
    registry,
    router,
    tools,
    ports,
    log,
    told,
    questions,
    answer: () => 'approve',
    isTrusted: true,
    isEnabled: true,
    allowed: new Set(),
    folders: [{ name: path.basename(folder), path: folder }],
    limits: { timeout: 60_000, maxResultChars: 50_000 },
    write: async (file, text) => {
      const whole = path.join(folder, file);
      await mkdir(path.dirname(whole), { recursive: true });
      await writeFile(whole, text);
      return whole;
    },
    remove: (file) => rm(path.join(folder, file), { recursive: true }),
    look: async () => {
      await tools.refresh();
      // An answer that is ready comes a few microtasks after its question, and conversations are told
      // by a timer of no length: one that is set after it ends after it.
      for (let turn = 0; turn < 3; turn += 1) {
        await tools.settled();
        await new Promise((resolve) => realTimer(resolve, 0));
      }
    },
    file: (name) =>
      tools
        .folders()
        .flatMap(({ files }) => files)
        .find(({ relativePath }) => path.posix.basename(relativePath) === name),
    names: (server = 'workspace') =>
      registry
        .get(server)
        ?.tools()
        .map(({ name }) => name) ?? [],
    call: async (tool, input = {}, server = 'workspace', requestId = `r${(count += 1)}`) => {
      const params = { name: tool, arguments: input };
      const message = { jsonrpc: '2.0', id: count, method: 'tools/call', params };
      return readAnswer(await router.route(server, message, { requestId }));
    },
  };
  t.after(() => {
    tools.dispose();
    router.dispose();
    registry.dispose();
  });
  return room;
}

function readAnswer(answer: object): CallAnswer {
  const result: unknown = Reflect.get(answer, 'result');
  if (!isRecord(result)) {
    const error: unknown = Reflect.get(answer, 'error');
    const message = isRecord(error) ? String(error.message) : JSON.stringify(answer);
    return { text: message, isError: true, result: {} };
  }
  const content = Array.isArray(result.content) ? result.content : [];
  const text = content
    .map((block: unknown) => String(Reflect.get(Object(block), 'text')))
    .join('\n');
  return { text, isError: result.isError === true, result };
}

export function listLogger(lines: string[]): Logger {
  const add =
    (level: string) =>
    (message: string, error?: unknown): void => {
      const cause =
        error === undefined
          ? ''
          : `: ${error instanceof Error ? (error.stack ?? '') : errorMessage(error)}`;
      lines.push(`${level} ${message}${cause}`);
    };
  return {
    trace: add('trace'),
    debug: add('debug'),
    info: add('info'),
    warn: add('warn'),
    error: add('error'),
  };
}
