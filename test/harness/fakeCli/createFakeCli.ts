import { build } from 'esbuild';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { childEnvironment } from '../../../src/cli/environment';
import { inRoot } from '../paths';
import type { FakeRecord, FakeScript } from './fakeCliScript';

export interface FakeCli {
  /** An executable file named `claude`. */
  readonly command: string;
  /** A folder of its own, removed by {@link dispose}; also the working folder. */
  readonly folder: string;
  readonly env: Record<string, string>;
  /** All entries of one kind so far. */
  records<K extends FakeRecord['kind']>(kind: K): Promise<Extract<FakeRecord, { kind: K }>[]>;
  /** Lets the steps `{ gate: name }` and an `initialize` with this gate go on, now and later. */
  open(gate: string): Promise<void>;
  dispose(): Promise<void>;
}

let program: Promise<Uint8Array> | undefined;

/** The fake as one script, built once for each test process. */
async function buildProgram(): Promise<Uint8Array> {
  const result = await build({
    entryPoints: [inRoot('test/harness/fakeCli/fakeCli.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    write: false,
    logLevel: 'warning',
  });
  const output = result.outputFiles[0];
  if (output === undefined) throw new Error('esbuild wrote nothing for the fake CLI');
  return output.contents;
}

/** Puts the fake and its script into a folder of their own. Starts nothing. */
export async function createFakeCli(script: FakeScript): Promise<FakeCli> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay fake ü '));
  const command = path.join(folder, 'claude');
  await writeFile(command, await (program ??= buildProgram()));
  await chmod(command, 0o755);
  const scriptFile = path.join(folder, 'script.json');
  const recordFile = path.join(folder, 'record.ndjson');
  await writeFile(scriptFile, JSON.stringify(script));
  await writeFile(recordFile, '');
  return {
    command,
    folder,
    env: {
      ...childEnvironment({ inherited: process.env }),
      FAKE_CLI_SCRIPT: scriptFile,
      FAKE_CLI_RECORD: recordFile,
    },
    records: async (kind) => {
      // The last line may be under way.
      const text = await readFile(recordFile, 'utf8');
      const lines = text.split('\n').slice(0, -1);
      // Written by the fake, in the shape above.
      const entries = lines.map((line) => JSON.parse(line) as FakeRecord);
      return entries.filter((entry) => entry.kind === kind) as Extract<
        FakeRecord,
        { kind: typeof kind }
      >[];
    },
    open: (gate) => writeFile(path.join(folder, gate), ''),
    dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
