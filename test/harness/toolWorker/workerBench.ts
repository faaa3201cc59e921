import assert from 'node:assert/strict';
import { build, type BuildOptions } from 'esbuild';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Disposable } from '../../../src/base/disposable';
import type { Logger } from '../../../src/base/logger';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';
import { createToolContext, type ToolContext } from '../../../src/mcp/toolContext';
import { createWorkerHost } from '../../../src/workspaceTools/workerHost';
import { WORKER_LIMITS, type WorkerHostOptions } from '../../../src/workspaceTools/workerOptions';
import type { LoadedFile, ToolFileHost } from '../../../src/workspaceTools/toolFileHost';
import { inRoot } from '../paths';

export interface WorkerBench extends Disposable {
  readonly host: ToolFileHost;
  /** What was logged, each line with its level. */
  readonly log: readonly string[];
  /** Loads one file from texts by their names below `.patchbay/`; the first is the tool file. */
  load(files: Readonly<Record<string, string>>, folder?: string): Promise<LoadedFile>;
  /** A server that offers what the file does. */
  serve(files: Readonly<Record<string, string>>): Promise<McpServerDefinition>;
}

let programs: Promise<Programs> | undefined;

type Programs = Pick<WorkerHostOptions, 'workerFile' | 'compilerFile'>;

/** The worker's program as it is packed, and what compiles, built once. The folder goes with this process. */
async function workerPrograms(): Promise<Programs> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay worker ü '));
  process.once('exit', () => {
    // Nothing that is to be waited for is done any more.
    rmSync(folder, { recursive: true, force: true });
  });
  const common: BuildOptions = {
    absWorkingDir: inRoot(),
    bundle: true,
    platform: 'node',
    target: 'node20',
    outdir: folder,
    logLevel: 'warning',
  };
  await Promise.all([
    build({
      ...common,
      entryPoints: { toolWorker: 'src/workspaceTools/workerProgram.ts' },
      format: 'esm',
      mainFields: ['module', 'main'],
      outExtension: { '.js': '.mjs' },
      banner: {
        js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
      },
    }),
    build({
      ...common,
      entryPoints: { sourceCompiler: 'src/workspaceTools/sourceCompiler.ts' },
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
  ]);
  return {
    workerFile: path.join(folder, 'toolWorker.mjs'),
    compilerFile: path.join(folder, 'sourceCompiler.cjs'),
  };
}

/** Tool files in real workers. */
export async function createWorkerBench(
  options: Partial<WorkerHostOptions> = {},
): Promise<WorkerBench> {
  const lines: string[] = [];
  const keep =
    (level: string) =>
    (message: string): void => {
      lines.push(`${level} ${message}`);
    };
  const log: Logger = {
    trace: keep('trace'),
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  };
  const host = createWorkerHost({
    ...WORKER_LIMITS,
    ...(await (programs ??= workerPrograms())),
    log,
    folderName: () => 'My Folder',
    words: () => ({}),
    ...options,
  });
  const loaded: LoadedFile[] = [];
  const load: WorkerBench['load'] = async (files, folder = inRoot('test/fixtures/sample')) => {
    const [file = ''] = Object.keys(files);
    const sources = new Map(
      Object.entries(files).map(([name, text]) => [`.patchbay/${name}`, text]),
    );
    const { signal } = new AbortController();
    const one = await host.load({
      ...{ folder, file: `.patchbay/${file}` },
      ...{ sources, compiled: new Map(), signal },
    });
    loaded.push(one);
    return one;
  };
  return {
    host,
    log: lines,
    load,
    serve: async (files) => {
      const server = createServer({ name: 'workspace' });
      const { definitions, faults } = await load(files);
      server.registerAll(definitions.map(({ definition }) => definition));
      assert.deepEqual([...faults, ...server.describe().problems], [], 'all of it is offered');
      return server;
    },
    dispose: () => {
      for (const one of loaded) one.dispose();
    },
  };
}

/** A tool file whose tool takes anything and does what `body` says. */
export function fileWith(body: string, options = ''): Record<string, string> {
  return {
    'tools/probe.tool.ts': `
import { defineTool, definePrompt, defineResource, z } from 'patchbay';
export default defineTool({
  isolation: 'worker',
  description: 'Does it.',
  input: { type: 'object' },
  ${options}
  ${body}
});
`,
  };
}

export async function textFrom(
  server: McpServerDefinition,
  input: object = {},
  ctx: ToolContext = createToolContext(),
): Promise<string> {
  const { content } = await server.execute('probe', input, ctx);
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|');
}
